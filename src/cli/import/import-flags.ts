import * as Flags from '@oclif/core/flags';
import { ROW_POLICIES } from '../../transfer/tables/import-batch.js';
import type { ContentModel } from '../../model/model.js';
import { EXISTING_POLICIES, IMPORT_PARTS } from '../../transfer/import/import-options.js';
import type { ImportOptions, ImportPart } from '../../transfer/import/import-options.js';
import { acceptDataLossFlag, dryRunFlag } from '../arguments/flags.js';
import { selectPolicy } from './select-policy.js';
import { tableFlags } from '../table/table-flags.js';
import { secretFlags } from '../prompts/secret.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

const list = { multiple: true, multipleNonGreedy: true, delimiter: ',' } as const;

export const importFlags = {
  ...tableFlags,
  ...secretFlags(
    'key',
    'Key of an encrypted export. Of a table: the attribute by which rows are found again, or documentId.',
  ),
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
    options: [...new Set([...EXISTING_POLICIES, ...ROW_POLICIES])],
    description:
      'What becomes of documents that the database has already: refuse, skip or replace, of tables with ' +
      '--key skip, update or fail. [default: refuse, of tables skip]',
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
  readonly existing?: string | undefined;
}

const isPart = (name: string): name is ImportPart => IMPORT_PARTS.some((part) => part === name);

/** The parts that --only and --exclude leave. */
export const selectParts = ({
  only,
  exclude = [],
}: Pick<ImportFlagValues, 'only' | 'exclude'>): ReadonlySet<ImportPart> =>
  new Set((only ?? IMPORT_PARTS).filter(isPart).filter((part) => !exclude.includes(part)));

/** @throws `scaffold/unknown-type` for a type that the project does not have */
export function selectTypes(
  names: readonly string[] | undefined,
  { types }: ContentModel,
): ReadonlySet<string> | null {
  return names === undefined ? null : new Set(names.map((name) => resolveType(types, name).uid));
}

/** @throws `cli/unknown-name` for a type that the project does not have, `cli/invalid-usage` */
export function toImportOptions(
  { type, existing, ...parts }: ImportFlagValues,
  model: ContentModel,
): ImportOptions {
  return {
    parts: selectParts(parts),
    types: selectTypes(type, model),
    existing: selectPolicy(EXISTING_POLICIES, existing, 'refuse'),
  };
}
