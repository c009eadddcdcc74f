import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createError } from '../../../errors/catalogue.js';
import { byCodePoint } from '../../../lib/compare.js';
import { isRecord } from '../../../lib/is-record.js';

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

const parseLine = <T>(
  folder: ExportFolder,
  file: string,
  {
    line,
    text,
    isRecordOf,
  }: { line: number; text: string; isRecordOf: (value: object) => value is T & object },
): T => {
  const fail = (reason: string) =>
    createError('transfer/invalid-record', { path: folder.description, file, line, reason });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fail('the line is not JSON');
  }
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
    const input = createReadStream(join(folder.path, file), 'utf8');
    const lines = createInterface({ input, crlfDelay: Infinity });
    let line = 0;
    try {
      for await (const text of lines) {
        line += 1;
        if (text.trim() !== '') yield parseLine(folder, file, { line, text, isRecordOf });
      }
    } finally {
      lines.close();
      input.destroy();
    }
  }
}
