import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { assertMappedColumns } from '../../transfer/tables/column-mapping.js';
import type { ColumnTarget } from '../../transfer/tables/column-mapping.js';
import { importBatch } from '../../transfer/tables/import-batch.js';
import type { RowImport } from '../../transfer/tables/import-batch.js';
import { openTable, inspectTable } from '../../transfer/tables/read-table.js';
import type { TableInspection } from '../../transfer/tables/read-table.js';
import type { Rejection } from '../../transfer/tables/import-table.js';
import type { Encoding, Table, TableRow } from '../../transfer/tables/table.js';
import { printValue } from '../content/print-value.js';
import type { TableFile, TableFlagValues } from './import-flags.js';
import type { Style, Terminal } from '../terminal/terminal.js';
import { printTable } from '../terminal/text-layout.js';
import type { TableColumn } from '../terminal/text-layout.js';

/** A table in a file or on standard input, which can be read only once. */
export interface TableSource {
  /** The name of the table in messages. */
  readonly name: string;
  readonly encoding: () => Encoding;
  readonly open: () => Promise<Table>;
  /** Reads the whole table to count its rows. Null if the table can be read only once. */
  readonly inspect: (() => Promise<TableInspection>) | null;
  /** The path of the file for rejected rows. */
  readonly rejectedPath: string;
}

async function* toBuffers(chunks: AsyncIterable<unknown>): AsyncIterable<Buffer> {
  for await (const chunk of chunks) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
}

/** Returns an unused file name, since an existing file may hold rows that the user is correcting. */
const freePath = (folder: string, name: string, ending: string): string => {
  for (let count = 1; ; count++) {
    const path = join(folder, `${name}${count === 1 ? '' : `-${count}`}${ending}`);
    if (!existsSync(path)) return path;
  }
};

const rejectedPathOf = ({ path, format }: TableFile, given: string | undefined, cwd: string): string => {
  const table = resolve(cwd, path);
  if (given !== undefined) return resolve(cwd, given);
  const ending = format === 'csv' ? '.csv' : '.jsonl';
  if (path === '-') return freePath(cwd, 'rejected', ending);
  return freePath(dirname(table), `${basename(table, extname(table))}.rejected`, ending);
};

/**
 * Rejects flags that write to the imported table, or both to one file.
 *
 * @throws `cli/invalid-usage`
 */
const assertSeparateFiles = (
  { path }: TableFile,
  { rejected, 'save-map': map }: Pick<TableFlagValues, 'rejected' | 'save-map'>,
  cwd: string,
): void => {
  const isSame = (one: string | undefined, other: string | undefined): boolean =>
    one !== undefined && other !== undefined && resolve(cwd, one) === resolve(cwd, other);
  const refuse = (reason: string, flag: string): Error =>
    createError('cli/invalid-usage', { reason, remedy: `Pass another file with ${flag}.` });
  if (isSame(rejected, path))
    throw refuse('The rejected rows cannot be written to the imported table.', '--rejected');
  if (isSame(map, path)) throw refuse('The mapping cannot be written to the imported table.', '--save-map');
  if (isSame(map, rejected))
    throw refuse('The mapping and the rejected rows cannot be written to one file.', '--save-map');
};

/** @throws `upload/no-file`, and the file system's error for a missing file */
export async function findTableSource(
  table: TableFile,
  flags: Pick<TableFlagValues, 'encoding' | 'rejected' | 'save-map'>,
  { cwd, stdin }: Terminal,
): Promise<TableSource> {
  const { encoding: named, rejected } = flags;
  assertSeparateFiles(table, flags, cwd);
  const isFile = table.path !== '-';
  const path = resolve(cwd, table.path);
  if (isFile && !(await stat(path)).isFile()) throw createError('table/no-file', { path });
  let encoding: Encoding = named ?? 'utf-8';
  const options = {
    file: isFile ? basename(path) : 'standard input',
    format: table.format,
    delimiter: table.delimiter,
    encoding: named,
    onEncoding: (found: Encoding) => {
      encoding = found;
    },
  };
  const open = (): Promise<Table> => openTable(toBuffers(isFile ? createReadStream(path) : stdin), options);
  return {
    name: options.file,
    encoding: () => encoding,
    open,
    inspect: isFile ? async () => inspectTable(await open()) : null,
    rejectedPath: rejectedPathOf(table, rejected, cwd),
  };
}

/** The maximum number of characters of a value in a plan. */
const SHOWN = 40;

/** The plan of an import of a table. */
export interface TablePlan {
  readonly targets: readonly ColumnTarget[];
  /** The skipped columns. */
  readonly unmapped: readonly string[];
  /** Null if unknown before the table is read. */
  readonly rows: number | null;
  /** The first rows, and the rejected ones among them. */
  readonly sample: readonly TableRow[];
  readonly rejections: readonly Rejection[];
}

const isRejection = (outcome: { readonly action: string }): outcome is Rejection =>
  outcome.action === 'reject';

/**
 * Plans the import of a table, and tries it with the first rows.
 *
 * @throws `cli/unknown-name`, `cli/invalid-usage`
 */
export async function planTable(
  store: ContentStore,
  rowImport: RowImport,
  { columns, rows }: Pick<TableInspection, 'columns'> & { readonly rows: number | null },
  {
    sample,
    maps,
    isTried,
  }: {
    readonly sample: readonly TableRow[];
    readonly maps: readonly string[];
    /** True to try the sample: none of its rows was imported before. */
    readonly isTried: boolean;
  },
): Promise<TablePlan> {
  assertMappedColumns(columns, maps);
  const { type, mapping, key } = rowImport;
  const targets = columns.flatMap((column) => mapping.targetOf(column) ?? []);
  if (targets.length === 0)
    throw createError('cli/invalid-usage', {
      reason: `No column has the name of an attribute of ${type.uid}. The columns are ${columns.join(', ')}.`,
      remedy: "Map the columns with --map 'Name=name', or set the separator with --delimiter.",
    });
  if (key !== null && !targets.some(({ path }) => path.join('.') === key))
    throw createError('cli/invalid-usage', {
      reason: `No column is mapped to the key ${key}.`,
      remedy: `Map one: --map 'column=${key}'.`,
    });
  const outcomes = isTried ? await importBatch(store, { ...rowImport, isDryRun: true }, sample) : [];
  return {
    targets,
    unmapped: columns.filter((column) => mapping.targetOf(column) === null),
    rows,
    sample,
    rejections: outcomes.filter(isRejection),
  };
}

const shorten = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const mappingColumns = (sample: readonly TableRow[]): readonly TableColumn<ColumnTarget>[] => [
  { header: 'COLUMN', value: ({ column }) => column },
  { header: 'ATTRIBUTE', value: ({ path }) => path.join('.') },
  { header: 'TYPE', value: ({ attribute }) => attribute?.type ?? '' },
  {
    header: 'FIRST VALUE',
    value: ({ column }) =>
      shorten(printValue(sample.find(({ problem }) => problem === null)?.values[column])),
    optional: true,
  },
];

/** Prints rejected rows with their line numbers and reasons. */
export function printRejections(rejections: readonly Rejection[]): string {
  return rejections.map(({ row, reason }) => `  line ${row.line}: ${reason}`).join('\n');
}

/** Prints the plan of an import. */
export function printTablePlan({ targets, unmapped, sample, rejections }: TablePlan, style: Style): string {
  const parts = [
    printTable(targets, mappingColumns(sample), style),
    unmapped.length === 0
      ? ''
      : `Skipped columns: ${unmapped.join(', ')}. To import them, pass --map 'column=attribute'.`,
    rejections.length === 0
      ? ''
      : `Of the first ${sample.length} rows, ${rejections.length} would be rejected:\n` +
        printRejections(rejections),
  ];
  return parts.filter((part) => part !== '').join('\n');
}
