import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { printCsv } from '../../lib/text.js';
import { parseExactJson } from '../../lib/json.js';
import { isRecord } from '../../lib/records.js';
import { OWNER_ONLY } from '../../lib/files.js';
import { withFilePath } from '../../lib/caught-errors.js';
import type { RowOutcome } from './import-batch.js';
import { REASON_COLUMN, TEXT_COLUMN } from './table.js';

export type Rejection = Extract<RowOutcome, { readonly action: 'reject' }>;

/** A file of rejected rows, which can be corrected and imported. It is created with the first row. */
export interface RejectedRows {
  readonly add: (rejections: readonly Rejection[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

const parse = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return null;
  }
};

const printJson = ({ row, reason }: Rejection): string => {
  const text = String(row.source);
  const value = parse(text);
  const { [REASON_COLUMN]: _reason, ...values } = isRecord(value) ? value : { [TEXT_COLUMN]: text };
  return `${JSON.stringify({ [REASON_COLUMN]: reason, ...values })}\n`;
};

/** Creates a printer of CSV. The reason comes first, so that surplus cells keep their position. */
const createCsvPrinter = (columns: readonly string[]) => {
  const reasonAt = columns.indexOf(REASON_COLUMN);
  const withReason = (reason: string, cells: readonly string[]): readonly string[] => [
    reason,
    ...cells.filter((_cell, index) => index !== reasonAt),
  ];
  return {
    head: printCsv([withReason(REASON_COLUMN, columns)]),
    print: ({ row, reason }: Rejection): string =>
      printCsv([withReason(reason, typeof row.source === 'string' ? [row.source] : row.source)]),
  };
};

/** Creates the file of rejected rows: CSV with `columns`, or JSON lines if `columns` is null. */
export function createRejectedRows(path: string, columns: readonly string[] | null): RejectedRows {
  const { head, print } = columns === null ? { head: '', print: printJson } : createCsvPrinter(columns);
  let file: FileHandle | null = null;
  return {
    add: async (rejections) => {
      if (rejections.length === 0) return;
      await withFilePath(path, async () => {
        if (file === null) {
          file = await open(path, 'w', OWNER_ONLY);
          await file.write(head);
        }
        await file.write(rejections.map(print).join(''));
      });
    },
    close: async () => file?.close(),
  };
}
