import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { byCodePoint } from '../../lib/compare.js';
import { isRecord } from '../../lib/is-record.js';

/** A folder with an export in it. */
export interface ExportFolder {
  /** For messages. */
  readonly description: string;
  readonly path: string;
}

/** Returns the names of the files in a part of an export, in their order. Empty where the part is missing. */
export async function filesOf({ path }: ExportFolder, part: string): Promise<readonly string[]> {
  const entries = await readdir(join(path, part), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  return names.toSorted(byCodePoint);
}

/** Maximum length of a line, above that of any record that can be stored. Lines are held in memory. */
const MAX_LINE_MEGABYTES = 64;
const MAX_LINE_BYTES = MAX_LINE_MEGABYTES * 1024 * 1024;

/** Maximum nesting depth of values. SQLite reads no JSON that is nested deeper than 1,000 levels. */
const MAX_DEPTH = 500;

const LINE_FEED = 0x0a;

/**
 * Reads the lines of a file. Only line feeds end a line: JSON may hold other separators of lines, which
 * node:readline takes for one. Yields null, and ends, where a line is too long.
 */
async function* readLines(path: string): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let length = 0;
  const input: AsyncIterable<Buffer> = createReadStream(path);
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8');
      parts = [];
      length = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) return yield null;
  }
  yield Buffer.concat(parts).toString('utf8');
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item)));

const parseLine = <T>(
  folder: ExportFolder,
  file: string,
  {
    line,
    text,
    isRecordOf,
  }: { line: number; text: string | null; isRecordOf: (value: object) => value is T & object },
): T => {
  const fail = (reason: string) =>
    createError('transfer/invalid-record', { path: folder.description, file, line, reason });
  if (text === null) throw fail(`the line is longer than ${MAX_LINE_MEGABYTES} MB`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fail('the line is not JSON');
  }
  // Each level takes two characters.
  if (text.length > MAX_DEPTH * 2 && isDeeperThan(MAX_DEPTH, value))
    throw fail('its values are nested too deeply');
  if (isRecord(value) && isRecordOf(value)) return value;
  throw fail('the record lacks what it must have');
};

/**
 * Reads the records of a part, one line each.
 *
 * @throws `transfer/invalid-record`
 */
export async function* readRecords<T>(
  folder: ExportFolder,
  part: string,
  isRecordOf: (value: object) => value is T & object,
): AsyncGenerator<T> {
  for (const name of await filesOf(folder, part)) {
    if (!name.endsWith('.jsonl')) continue;
    const file = `${part}/${name}`;
    let line = 0;
    for await (const text of readLines(join(folder.path, file))) {
      line += 1;
      if (text?.trim() !== '') yield parseLine(folder, file, { line, text, isRecordOf });
    }
  }
}
