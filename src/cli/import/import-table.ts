import { relative, resolve } from 'node:path';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { createColumnMapping } from '../../transfer/tables/column-mapping.js';
import { ROW_POLICIES } from '../../transfer/tables/import-batch.js';
import type { RowImport } from '../../transfer/tables/import-batch.js';
import {
  NO_ROWS,
  TableProgressTracker,
  importRows,
  createRejectedRows,
} from '../../transfer/tables/import-table.js';
import type { ImportCounts, Rejection } from '../../transfer/tables/import-table.js';
import { REASON_COLUMN } from '../../transfer/tables/table.js';
import type { Table, TableRow } from '../../transfer/tables/table.js';
import { createError } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import { resolveAttribute, resolveType } from '../../project/scaffold/resolve-name.js';
import type { ContentProject } from '../project/command-target.js';
import { openContent, readContent } from '../content/with-content.js';
import { selectPolicy } from './import-flags.js';
import type { Outcome } from '../outcome.js';
import { describeTarget } from '../project/command-target.js';
import { EXIT_INTERRUPTED } from '../terminal/report-error.js';
import { printProgress } from '../terminal/progress.js';
import type { Progress } from '../terminal/progress.js';
import { stopOnSignal } from '../terminal/signals.js';
import type { Style, Terminal } from '../terminal/terminal.js';
import { writeMapFile } from './map-file.js';
import { findTableSource, planTable, printRejections, printTablePlan } from './plan-table.js';
import type { TablePlan, TableSource } from './plan-table.js';
import type { TableFile, TableFlagValues } from './import-flags.js';
import { countNoun } from '../../lib/text.js';

/** The number of rows that are validated before the import writes anything. */
const SAMPLE = 20;
/** The maximum number of rejected rows that a dry run lists. */
const MAX_LISTED_REJECTIONS = 10;
/** The number of rows per progress line if there is no terminal. */
const LINE_ROWS = 10_000;

/** The parts of the command that a table import needs. */
export interface TableCommand {
  readonly flags: TableFlagValues;
  readonly terminal: Terminal;
  readonly style: Style;
  readonly info: (message: string) => void;
  readonly warn: (message: string) => void;
  readonly confirm: (question: string) => Promise<void>;
  readonly progress: <T>(label: string, work: (progress: Progress) => Promise<T>) => Promise<T>;
}

const findType = (
  { model }: Pick<ContentProject, 'model'>,
  names: readonly string[] | undefined,
): ContentType => {
  const [name, ...others] = names ?? [];
  if (name === undefined) throw createError('cli/missing-value', { label: '--type' });
  if (others.length > 0)
    throw createError('cli/invalid-usage', {
      reason: 'A table contains documents of one type.',
      remedy: 'Pass --type once.',
    });
  return resolveType(model.types, name);
};

const rowImportOf = (
  project: ContentProject,
  { format }: TableFile,
  { flags }: Pick<TableCommand, 'flags'>,
): RowImport => {
  const type = findType(project, flags.type);
  const attributes = Object.values(type.attributes);
  const key = typeof flags.key === 'string' ? flags.key : null;
  return {
    type,
    mapping: createColumnMapping(project.model, type, flags.map ?? []),
    isJson: format !== 'csv',
    key: key === null || key === 'documentId' ? key : resolveAttribute({ uid: type.uid, attributes }, key),
    existing: selectPolicy(ROW_POLICIES, flags.existing, 'skip'),
    publish: flags.publish,
    locale: flags.locale,
    isDryRun: flags['dry-run'],
  };
};

/** Reads the first rows, and returns them with an iterable of all rows. */
const peek = async (
  rows: AsyncIterable<TableRow>,
): Promise<{ readonly first: readonly TableRow[]; readonly all: AsyncIterable<TableRow> }> => {
  const iterator = rows[Symbol.asyncIterator]();
  const first: TableRow[] = [];
  while (first.length < SAMPLE) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    first.push(value);
  }
  const rest = { [Symbol.asyncIterator]: () => iterator };
  return {
    first,
    all: (async function* () {
      yield* first;
      yield* rest;
    })(),
  };
};

const isRejection = (outcome: { readonly action: string }): outcome is Rejection =>
  outcome.action === 'reject';

/** The result of an import. */
interface Result {
  readonly counts: ImportCounts;
  readonly isComplete: boolean;
  /** The first rejected rows. */
  readonly rejections: readonly Rejection[];
}

const printCounts = ({ created, updated, skipped, rejected }: ImportCounts): string =>
  [`${created} created`, `${updated} updated`, `${skipped} skipped`, `${rejected} rejected`].join(', ');

interface Run {
  readonly store: ContentStore;
  readonly source: TableSource;
  readonly table: Pick<Table, 'columns' | 'rows'>;
  readonly rowImport: RowImport;
  /** The number of rows. Null if unknown. */
  readonly total: number | null;
  readonly progress: TableProgressTracker;
}

const runImport = async (
  command: TableCommand,
  { store, source, table, rowImport, total, progress: tableProgress }: Run,
): Promise<Result> => {
  const rejected = createRejectedRows(source.rejectedPath, table.columns);
  const isTerminal = command.terminal.stderr.isTTY === true;
  let counts: ImportCounts = { ...NO_ROWS, rows: tableProgress.resumedRows };
  let loggedLines = 0;
  const rejections: Rejection[] = [];
  try {
    const isComplete = await command.progress(rowImport.isDryRun ? 'Checking' : 'Importing', (progress) =>
      stopOnSignal((signal) =>
        importRows(store, table.rows, {
          ...rowImport,
          progress: tableProgress,
          signal,
          onBatch: async (outcomes, now) => {
            counts = now;
            const refused = outcomes.filter(isRejection);
            if (!rowImport.isDryRun) await rejected.add(refused);
            rejections.push(...refused.slice(0, MAX_LISTED_REJECTIONS - rejections.length));
            const detail = printProgress(now.rows, total, printCounts(now));
            progress.update(detail);
            const lines = Math.floor(now.rows / LINE_ROWS);
            if (!isTerminal && lines > loggedLines) progress.log(detail);
            loggedLines = lines;
          },
        }),
      ),
    );
    return { counts, isComplete, rejections };
  } catch (error) {
    if (counts.rows > tableProgress.resumedRows && !rowImport.isDryRun)
      command.info(`Imported before the error: ${printCounts(counts)}.`);
    throw error;
  } finally {
    await rejected.close();
  }
};

const describeResult = (
  { counts, isComplete, rejections }: Result,
  { source, rowImport, progress }: Pick<Run, 'source' | 'rowImport' | 'progress'>,
  { plan, command }: { readonly plan: TablePlan; readonly command: TableCommand },
): Outcome => {
  const { isDryRun, type } = rowImport;
  const { cwd } = command.terminal;
  const rejectedFile = counts.rejected > 0 && !isDryRun ? source.rejectedPath : null;
  if (isDryRun && rejections.length > 0) command.info(`Would be rejected:\n${printRejections(rejections)}`);
  if (rejectedFile !== null)
    command.info(`Rejected rows are in ${relative(cwd, rejectedFile)}. Correct and import them.`);
  const interrupted = `Interrupted after ${countNoun(counts.rows, 'row')}.`;
  if (!isComplete)
    command.info(
      rowImport.key === null && !progress.isKept
        ? `${interrupted} Without --key, running the command again would import these twice.`
        : `${interrupted} Run the command again to continue.`,
    );
  const into = `${source.name} into ${type.uid}`;
  return {
    json: {
      type: type.uid,
      file: source.name,
      encoding: source.encoding(),
      columns: Object.fromEntries(plan.targets.map(({ column, path }) => [column, path.join('.')])),
      leftOut: plan.unmapped,
      ...counts,
      ...(progress.resumedRows === 0 ? {} : { resumedAfter: progress.resumedRows }),
      rejectedFile,
      ...(isComplete ? {} : { interrupted: true }),
      ...(isDryRun ? { dryRun: true } : {}),
    },
    text: `${isDryRun ? 'Would import' : 'Imported'} ${into}: ${printCounts(counts)}.`,
    exitCode: isComplete ? Number(counts.rejected > 0) : EXIT_INTERRUPTED,
  };
};

/** Writes the file of `--save-map`. */
const saveMap = async (
  { flags, terminal, info }: TableCommand,
  { format, delimiter }: TableFile,
  { rowImport, plan }: { readonly rowImport: RowImport; readonly plan: TablePlan },
): Promise<void> => {
  const file = flags['save-map'];
  if (file === undefined) return;
  const { key, existing, locale, encoding } = flags;
  await writeMapFile(resolve(terminal.cwd, file), {
    type: [rowImport.type.uid],
    key,
    existing,
    locale,
    format,
    ...(format === 'csv' ? { delimiter } : {}),
    encoding,
    publish: rowImport.publish,
    columns: Object.fromEntries([
      ...plan.targets.map(({ column, path }) => [column, path.join('.')]),
      ...plan.unmapped.map((column) => [column, null]),
    ]),
  });
  info(`The mapping is in ${file}. Apply it with --map-file ${file}.`);
};

/**
 * Imports a table: prints the mapping of its columns, tries the first rows, asks for confirmation, and writes
 * the rows in batches. Rejected rows are written to a separate file. An interrupted import continues after
 * its last batch.
 *
 * @throws `cli/unknown-name`, `cli/invalid-usage`, and the errors of tables
 */
export async function importTable(
  project: ContentProject,
  file: TableFile,
  command: TableCommand,
): Promise<Outcome> {
  const { flags, info, warn } = command;
  const rowImport = rowImportOf(project, file, command);
  const source = await findTableSource(file, flags, command.terminal);
  const inspection = (await source.inspect?.()) ?? null;
  const { columns, rows } = await source.open();
  const { first, all } = await peek(rows);
  const known = inspection?.columns ??
    columns ?? [...new Set(first.flatMap(({ values }) => Object.keys(values)))];
  const named = {
    columns: known.filter((column) => column !== REASON_COLUMN),
    rows: inspection?.rows ?? null,
  };
  // A map file may skip columns that this table lacks.
  const maps = (flags.map ?? []).filter(
    (map) =>
      flags['map-file'] === undefined || !map.endsWith('=') || named.columns.includes(map.slice(0, -1)),
  );
  const track = async (store: ContentStore): Promise<TableProgressTracker> => {
    const identity = { file: source.name, maps, delimiter: file.delimiter };
    const progress = new TableProgressTracker(store, rowImport, identity);
    if (!flags.restart) await progress.load();
    return progress;
  };
  const plan = await readContent(project, async (store) => {
    const { resumedRows } = await track(store);
    if (resumedRows > 0)
      info(`Continuing after ${resumedRows} imported rows. To start over, pass --restart.`);
    return planTable(store, rowImport, named, { sample: first, maps, isTried: resumedRows === 0 });
  });
  info(await describeTarget(project));
  const count = named.rows === null ? '' : `, ${countNoun(named.rows, 'row')}`;
  info(`${source.name}: ${file.format === 'csv' ? 'CSV' : 'JSON'} in ${source.encoding()}${count}`);
  info(printTablePlan(plan, command.style));
  await saveMap(command, file, { rowImport, plan });
  if (!rowImport.isDryRun) await command.confirm(`Import this into ${rowImport.type.uid}?`);
  return openContent(project, { warn, isDryRun: rowImport.isDryRun }, async (store) => {
    const progress = await track(store);
    const run = { store, source, table: { columns, rows: all }, rowImport, total: named.rows, progress };
    return describeResult(await runImport(command, run), run, { plan, command });
  });
}
