import { extname } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { createError } from '../../errors/catalogue.js';
import type { ContentModel } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { EXISTING_POLICIES, IMPORT_PARTS } from '../../transfer/source.js';
import type { ContentSelection, ImportOptions, ImportPart } from '../../transfer/source.js';
import { ROW_POLICIES } from '../../transfer/tables/import-batch.js';
import { ENCODINGS, TABLE_FORMATS } from '../../transfer/tables/table.js';
import type { Encoding, TableFormat } from '../../transfer/tables/table.js';
import { acceptDataLossFlag, dryRunFlag, commaSeparated, repeatable } from '../flags.js';
import { secretFlags } from '../prompts/secret.js';

const HELP = { helpGroup: 'TABLE' } as const;

/** The flags of table imports: CSV and JSON. */
const tableFlags = {
  map: Flags.string({
    ...HELP,
    ...repeatable,
    description:
      'Attribute for a column: Name=name, Title=seo.metaTitle. An empty attribute skips the column. ' +
      'Columns named like attributes need no mapping. May be repeated.',
    helpValue: '<column=attribute>',
  }),
  'map-file': Flags.string({
    ...HELP,
    description: 'File with the mapping and the other flags of the table, as written by --save-map.',
    helpValue: '<file>',
  }),
  'save-map': Flags.string({
    ...HELP,
    description: 'File to write the mapping to, also with --dry-run.',
    helpValue: '<file>',
  }),
  publish: Flags.boolean({ ...HELP, description: 'Publish the documents.' }),
  locale: Flags.string({ ...HELP, description: 'Locale to write. [default: the default locale]' }),
  format: Flags.option({
    ...HELP,
    options: TABLE_FORMATS,
    description: 'Format of the table. [default: by the file extension]',
  })(),
  delimiter: Flags.string({
    ...HELP,
    description: "Separator of CSV cells: ';', or tab. [default: a comma; for .tsv, a tab]",
  }),
  encoding: Flags.option({
    ...HELP,
    options: ENCODINGS,
    description: 'Encoding of the table. [default: by its byte order mark, or utf-8]',
  })(),
  rejected: Flags.string({
    ...HELP,
    description: 'File for rejected rows. [default: <table>.rejected.csv or .jsonl]',
    helpValue: '<file>',
  }),
};

/** The values of {@link tableFlags}, and of other flags for tables. */
export interface TableFlagValues {
  readonly map?: readonly string[] | undefined;
  readonly 'map-file'?: string | undefined;
  readonly 'save-map'?: string | undefined;
  /** The attribute that identifies rows. For archives, the same flag is the encryption key. */
  readonly key?: string | readonly string[] | undefined;
  readonly publish: boolean;
  readonly locale?: string | undefined;
  readonly format?: TableFormat | undefined;
  readonly delimiter?: string | undefined;
  readonly encoding?: Encoding | undefined;
  readonly rejected?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly existing?: string | undefined;
  readonly restart: boolean;
  readonly 'dry-run': boolean;
}

/** A table to import. */
export interface TableFile {
  /** `-` is standard input. */
  readonly path: string;
  readonly format: TableFormat;
  readonly delimiter: string;
}

const FORMATS: Readonly<Record<string, TableFormat>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json',
};

/** A separator that CSV can have: one character, neither a quote nor a line break. */
const SEPARATOR = /^[^"\r\n]$/u;

/**
 * Returns the separator of a table's cells.
 *
 * @throws `cli/invalid-usage` if the format has no separator, or if it cannot be that one
 */
const separatorOf = (format: TableFormat, given: string | undefined, ending: string): string => {
  const separator = given ?? (ending === '.tsv' ? '\t' : ',');
  const isTab = ['tab', '\\t'].includes(separator);
  if (given !== undefined && format !== 'csv')
    throw createError('cli/invalid-usage', {
      reason: '--delimiter applies only to CSV.',
      remedy: 'Omit it, or pass --format csv.',
    });
  if (!isTab && !SEPARATOR.test(separator))
    throw createError('cli/invalid-usage', {
      reason: `--delimiter ${JSON.stringify(separator)} cannot separate cells.`,
      remedy: "Pass one character, such as ';', or tab.",
    });
  return isTab ? '\t' : separator;
};

/** Returns the table at a path. Null if the path is another source, such as an archive. */
export function findTable(
  path: string | undefined,
  { format: given, delimiter, ...flags }: Pick<TableFlagValues, 'format' | 'delimiter' | 'map' | 'save-map'>,
): TableFile | null {
  if (path === undefined) return null;
  const ending = extname(path).toLowerCase();
  const isOfTables = [delimiter, flags.map, flags['save-map']].some((value) => value !== undefined);
  const format = given ?? FORMATS[ending] ?? (isOfTables || path === '-' ? 'csv' : undefined);
  if (format === undefined) return null;
  return { path, format, delimiter: separatorOf(format, delimiter, ending) };
}

/**
 * Returns the policy that `--existing` selects.
 *
 * @throws `cli/invalid-usage` for a policy of other imports
 */
export function selectPolicy<T extends string>(
  policies: readonly T[],
  given: string | undefined,
  fallback: T,
): T {
  const policy = given === undefined ? fallback : policies.find((candidate) => candidate === given);
  if (policy !== undefined) return policy;
  throw createError('cli/invalid-usage', {
    reason: `--existing ${String(given)} does not apply to this import.`,
    remedy: `Pass one of ${policies.join(', ')}.`,
  });
}

export const importFlags = {
  ...tableFlags,
  ...secretFlags(
    'key',
    'Key of an encrypted export. For tables: attribute that identifies existing documents, or ' +
      'documentId.',
  ),
  ...secretFlags('from-database', 'Read a live database instead: file:./data.db or postgresql://…'),
  project: Flags.string({
    description:
      'With --from-database: folder of the Strapi project, for its components and uploads. [default: ' +
      'components of this project]',
    helpValue: '<folder>',
  }),
  uploads: Flags.string({
    description: 'With --from-database: folder of uploaded files. [default: public/uploads of --project]',
    helpValue: '<folder>',
  }),
  only: Flags.string({
    ...commaSeparated,
    options: [...IMPORT_PARTS],
    description: 'Import only these parts: content, files (media library), config (settings).',
    exclusive: ['exclude'],
  }),
  exclude: Flags.string({
    ...commaSeparated,
    options: [...IMPORT_PARTS],
    description: 'Import all parts but these.',
  }),
  type: Flags.string({
    ...commaSeparated,
    description: 'Import only documents of this content-type. May be repeated.',
    helpValue: '<uid>',
    exclusive: ['exclude-type'],
  }),
  'exclude-type': Flags.string({
    ...commaSeparated,
    description: 'Import no documents of this content-type. May be repeated.',
    helpValue: '<uid>',
  }),
  existing: Flags.string({
    options: [...new Set([...EXISTING_POLICIES, ...ROW_POLICIES])],
    description:
      'Treatment of existing documents: refuse, skip or replace; for tables with --key skip, update or ' +
      'fail. [default: refuse, for tables skip]',
  }),
  check: Flags.boolean({
    description: 'Report the parts of a Strapi project, given by its folder, that run here.',
    exclusive: ['restart', 'dry-run'],
  }),
  schemas: Flags.boolean({
    description: 'First write schema files of missing content-types, and migrate.',
  }),
  restart: Flags.boolean({ description: 'Start over after an interrupted import.' }),
  ...acceptDataLossFlag,
  ...dryRunFlag,
};

/** The flags that apply to some sources of an import only, by source. */
const FLAGS_OF_SOURCE = {
  table: Object.keys(tableFlags),
  archive: ['key-file', 'only', 'exclude', 'exclude-type', 'schemas'],
  database: ['from-database', 'from-database-file', 'project', 'uploads'],
} as const;

type Source = keyof typeof FLAGS_OF_SOURCE;

const NAMES: Readonly<Record<Source, string>> = {
  table: 'tables',
  archive: 'archives and databases',
  database: 'databases (--from-database)',
};

/**
 * Rejects flags that would have no effect on the source of an import.
 *
 * @throws `cli/invalid-usage`
 */
export function assertFlagsApply(source: Source, flags: object): void {
  const given = new Map<string, unknown>(Object.entries(flags));
  const isGiven = (name: string): boolean => (given.get(name) ?? false) !== false;
  const applied: readonly Source[] = source === 'database' ? ['archive', 'database'] : [source];
  for (const [other, names] of Object.entries(FLAGS_OF_SOURCE) as [Source, readonly string[]][]) {
    const ignored = applied.includes(other) ? undefined : names.find(isGiven);
    if (ignored !== undefined)
      throw createError('cli/invalid-usage', {
        reason: `--${ignored} applies only to ${NAMES[other]}.`,
        remedy: other === 'table' ? 'Omit it. If the file is a table, pass --format.' : 'Omit it.',
      });
  }
  if (source === 'table' && isGiven('existing') && !isGiven('key'))
    throw createError('cli/invalid-usage', {
      reason: 'Without --key, no row of a table has an existing document, so --existing has no effect.',
      remedy: 'Pass the attribute that identifies documents: --key slug',
    });
}

interface ImportFlagValues {
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly 'exclude-type'?: readonly string[] | undefined;
  readonly existing?: string | undefined;
}

const isPart = (name: string): name is ImportPart => IMPORT_PARTS.some((part) => part === name);

/**
 * Returns the content that flags select: --only, --exclude, --type and --exclude-type.
 *
 * @throws `cli/unknown-name` for an unknown type
 */
export function toContentSelection(
  { only, exclude = [], type, 'exclude-type': excluded }: Omit<ImportFlagValues, 'existing'>,
  { types }: ContentModel,
): ContentSelection {
  const typesNamed = (names: readonly string[]): ReadonlySet<string> =>
    new Set(names.map((name) => resolveType(types, name).uid));
  return {
    parts: new Set((only ?? IMPORT_PARTS).filter(isPart).filter((part) => !exclude.includes(part))),
    types: type === undefined ? null : typesNamed(type),
    ...(excluded === undefined ? {} : { excludedTypes: typesNamed(excluded) }),
  };
}

/** @throws `cli/unknown-name` for an unknown type, `cli/invalid-usage` */
export function toImportOptions(
  { existing, ...selected }: ImportFlagValues,
  model: ContentModel,
): ImportOptions {
  return {
    ...toContentSelection(selected, model),
    existing: selectPolicy(EXISTING_POLICIES, existing, 'refuse'),
  };
}
