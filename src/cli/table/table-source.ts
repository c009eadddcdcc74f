import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { openTable, surveyTable } from '../../transfer/tables/open-table.js';
import type { TableSurvey } from '../../transfer/tables/open-table.js';
import type { Encoding } from '../../transfer/tables/decode-text.js';
import type { Table } from '../../transfer/tables/table.js';
import { createError } from '../../errors/catalogue.js';
import type { Terminal } from '../terminal/terminal.js';
import type { TableFile, TableFlagValues } from './table-flags.js';

/** A table in a file, or on standard input, which can be read only once. */
export interface TableSource {
  /** The name of the table in messages. */
  readonly name: string;
  readonly encoding: () => Encoding;
  readonly open: () => Promise<Table>;
  /** Null: it cannot be read twice. */
  readonly survey: (() => Promise<TableSurvey>) | null;
  /** The path of the file for rejected rows. */
  readonly rejectedPath: string;
}

async function* toBuffers(chunks: AsyncIterable<unknown>): AsyncIterable<Buffer> {
  for await (const chunk of chunks) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
}

/** Returns a name that no file has: one that is there may hold rows that are being mended. */
const freePath = (folder: string, name: string, ending: string): string => {
  for (let count = 1; ; count++) {
    const path = join(folder, `${name}${count === 1 ? '' : `-${count}`}${ending}`);
    if (!existsSync(path)) return path;
  }
};

const rejectedPathOf = ({ path, format }: TableFile, given: string | undefined, cwd: string): string => {
  const table = resolve(cwd, path);
  if (given !== undefined) {
    if (resolve(cwd, given) === table)
      throw createError('cli/invalid-usage', {
        reason: 'The rejected rows cannot be written into the table that is read.',
        remedy: 'Name another file with --rejected.',
      });
    return resolve(cwd, given);
  }
  const ending = format === 'csv' ? '.csv' : '.jsonl';
  if (path === '-') return freePath(cwd, 'rejected', ending);
  return freePath(dirname(table), `${basename(table, extname(table))}.rejected`, ending);
};

/** @throws `upload/no-file`, and the file system's error for a missing file */
export async function findTableSource(
  table: TableFile,
  { encoding: named, rejected }: Pick<TableFlagValues, 'encoding' | 'rejected'>,
  { cwd, stdin }: Terminal,
): Promise<TableSource> {
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
    survey: isFile ? async () => surveyTable(await open()) : null,
    rejectedPath: rejectedPathOf(table, rejected, cwd),
  };
}
