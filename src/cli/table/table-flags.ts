import { extname } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { ENCODINGS } from '../../transfer/tables/decode-text.js';
import type { Encoding } from '../../transfer/tables/decode-text.js';
import { TABLE_FORMATS } from '../../transfer/tables/table.js';
import type { TableFormat } from '../../transfer/tables/table.js';

const HELP = { helpGroup: 'TABLE' } as const;

/** The flags of imports of tables: CSV and JSON. */
export const tableFlags = {
  map: Flags.string({
    ...HELP,
    multiple: true,
    multipleNonGreedy: true,
    description:
      'The attribute for a column: Name=name, Title=seo.metaTitle; without attribute, the column is left ' +
      'out. Columns that are called as attributes need none. May be repeated.',
    helpValue: '<column=attribute>',
  }),
  publish: Flags.boolean({ ...HELP, description: 'Publish what is written.' }),
  locale: Flags.string({ ...HELP, description: 'The locale to write. [default: the default locale]' }),
  format: Flags.option({
    ...HELP,
    options: TABLE_FORMATS,
    description: 'The form of the table. [default: by the ending of the file]',
  })(),
  delimiter: Flags.string({
    ...HELP,
    description: "What separates cells of CSV: ';', or tab. [default: a comma; of .tsv, a tab]",
  }),
  encoding: Flags.option({
    ...HELP,
    options: ENCODINGS,
    description: 'The encoding of the table. [default: by its byte order mark, or utf-8]',
  })(),
  rejected: Flags.string({
    ...HELP,
    description: 'The file for rows that are rejected. [default: <table>.rejected.csv or .jsonl]',
    helpValue: '<file>',
  }),
};

/** The values of {@link tableFlags}, and of other flags that tables use. */
export interface TableFlagValues {
  readonly map?: readonly string[] | undefined;
  /** The attribute by which rows are found again. It is the flag that archives have for a secret. */
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

/** A table that is to be imported. */
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

/** Returns the table that an import names. Null: it names something else, such as an archive. */
export function findTable(
  path: string | undefined,
  { format: given, delimiter, map }: Pick<TableFlagValues, 'format' | 'delimiter' | 'map'>,
): TableFile | null {
  if (path === undefined) return null;
  const ending = extname(path).toLowerCase();
  const isOfTables = path === '-' || delimiter !== undefined || map !== undefined;
  const format = given ?? FORMATS[ending] ?? (isOfTables ? 'csv' : undefined);
  if (format === undefined) return null;
  const separator = delimiter ?? (ending === '.tsv' ? '\t' : ',');
  return { path, format, delimiter: ['tab', '\\t'].includes(separator) ? '\t' : separator };
}
