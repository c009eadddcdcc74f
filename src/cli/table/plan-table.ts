import type { ContentStore } from '../../transfer/store/content-store.js';
import { assertMappedColumns } from '../../transfer/tables/column-mapping.js';
import type { ColumnTarget } from '../../transfer/tables/column-mapping.js';
import { importBatch } from '../../transfer/tables/import-batch.js';
import type { RowImport } from '../../transfer/tables/import-batch.js';
import type { TableSurvey } from '../../transfer/tables/open-table.js';
import type { Rejection } from '../../transfer/tables/rejected-rows.js';
import type { TableRow } from '../../transfer/tables/table.js';
import { createError } from '../../errors/catalogue.js';
import { printValue } from '../content/print-value.js';
import type { Style } from '../terminal/style.js';
import { printTable } from '../terminal/table.js';
import type { TableColumn } from '../terminal/table.js';

/** The most characters of a value that a plan shows. */
const SHOWN = 40;

/** The plan of an import of a table. */
export interface TablePlan {
  readonly targets: readonly ColumnTarget[];
  /** Columns that are left out. */
  readonly unmapped: readonly string[];
  /** Null: it is not known before the table is read. */
  readonly rows: number | null;
  /** The first rows, and what is wrong with some of them. */
  readonly sample: readonly TableRow[];
  readonly rejections: readonly Rejection[];
}

const isRejection = (outcome: { readonly action: string }): outcome is Rejection =>
  outcome.action === 'reject';

/**
 * Finds out what an import would do, and tries it with the first rows.
 *
 * @throws `cli/unknown-name`, `cli/invalid-usage`
 */
export async function planTable(
  store: ContentStore,
  rowImport: RowImport,
  { columns, rows }: Pick<TableSurvey, 'columns'> & { readonly rows: number | null },
  {
    sample,
    maps,
    isTried,
  }: {
    readonly sample: readonly TableRow[];
    readonly maps: readonly string[];
    /** True if the sample is tried, which was not imported before. */
    readonly isTried: boolean;
  },
): Promise<TablePlan> {
  assertMappedColumns(columns, maps);
  const { type, mapping, key } = rowImport;
  const targets = columns.flatMap((column) => mapping.targetOf(column) ?? []);
  if (targets.length === 0)
    throw createError('cli/invalid-usage', {
      reason: `No column is called as an attribute of ${type.uid}: there are ${columns.join(', ')}.`,
      remedy: "Say which is which: --map 'Name=name'. --delimiter says what separates cells.",
    });
  if (key !== null && !targets.some(({ path }) => path.join('.') === key))
    throw createError('cli/invalid-usage', {
      reason: `No column has the key ${key}.`,
      remedy: `Name one: --map 'column=${key}'.`,
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

const columnsOf = (sample: readonly TableRow[]): readonly TableColumn<ColumnTarget>[] => [
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

/** Prints rejected rows with their lines. */
export function printRejections(rejections: readonly Rejection[]): string {
  return rejections.map(({ row, reason }) => `  line ${row.line}: ${reason}`).join('\n');
}

/** Prints what an import would do. */
export function printTablePlan({ targets, unmapped, sample, rejections }: TablePlan, style: Style): string {
  const parts = [
    printTable(targets, columnsOf(sample), style),
    unmapped.length === 0 ? '' : `Left out: ${unmapped.join(', ')}. --map 'column=attribute' imports more.`,
    rejections.length === 0
      ? ''
      : `Of the first ${sample.length} rows, ${rejections.length} would be rejected:\n` +
        printRejections(rejections),
  ];
  return parts.filter((part) => part !== '').join('\n');
}
