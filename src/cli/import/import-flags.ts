import * as Flags from '@oclif/core/flags';
import type { ContentModel } from '../../model/model.js';
import { EXISTING_POLICIES, IMPORT_PARTS } from '../../transfer/import/import-options.js';
import type { ImportOptions, ImportPart } from '../../transfer/import/import-options.js';
import { acceptDataLossFlag, dryRunFlag } from '../arguments/flags.js';
import { secretFlags } from '../prompts/secret.js';
import { resolveType } from '../../scaffold/resolve-name.js';

const list = { multiple: true, multipleNonGreedy: true, delimiter: ',' } as const;

export const importFlags = {
  ...secretFlags('key', 'Key of an encrypted export.'),
  ...secretFlags('from-database', 'Read a live database instead: file:./data.db or postgresql://…'),
  project: Flags.string({
    description:
      'With --from-database: the folder of the Strapi project, for its components and uploaded files. ' +
      '[default: components of this project]',
    helpValue: '<folder>',
  }),
  uploads: Flags.string({
    description: 'With --from-database: the folder of uploaded files. [default: public/uploads of --project]',
    helpValue: '<folder>',
  }),
  only: Flags.string({
    ...list,
    options: [...IMPORT_PARTS],
    description: 'Import only this: content, files (the media library) or config (settings).',
    exclusive: ['exclude'],
  }),
  exclude: Flags.string({ ...list, options: [...IMPORT_PARTS], description: 'Import all but this.' }),
  type: Flags.string({
    ...list,
    description: 'Import only documents of this content-type; may be repeated.',
    helpValue: '<uid>',
  }),
  existing: Flags.string({
    options: [...EXISTING_POLICIES],
    default: 'refuse',
    description: 'What becomes of documents that the database has already.',
  }),
  check: Flags.boolean({
    description: 'Say what of a Strapi project, named by its folder, would run here.',
    exclusive: ['restart', 'dry-run'],
  }),
  schemas: Flags.boolean({
    description: 'Write the schema files of content-types that the project does not have first, and migrate.',
  }),
  restart: Flags.boolean({ description: 'Begin anew where an import was interrupted.' }),
  ...acceptDataLossFlag,
  ...dryRunFlag,
};

interface ImportFlagValues {
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly existing: string;
}

const isPart = (name: string): name is ImportPart => IMPORT_PARTS.some((part) => part === name);

/** The parts that --only and --exclude leave. */
export const selectParts = ({
  only,
  exclude = [],
}: Pick<ImportFlagValues, 'only' | 'exclude'>): ReadonlySet<ImportPart> =>
  new Set((only ?? IMPORT_PARTS).filter(isPart).filter((part) => !exclude.includes(part)));

/** @throws `scaffold/unknown-type` for a type that the project does not have */
export function toImportOptions(
  { type, existing, ...parts }: ImportFlagValues,
  { types }: ContentModel,
): ImportOptions {
  return {
    parts: selectParts(parts),
    types: type === undefined ? null : new Set(type.map((name) => resolveType(types, name).uid)),
    existing: EXISTING_POLICIES.find((policy) => policy === existing) ?? 'refuse',
  };
}
