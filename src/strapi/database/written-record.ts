import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../lib/is-record.js';

type Data = Record<string, unknown>;

/** The result of a create or update. */
export interface Written {
  readonly documentId?: string;
  readonly record: string;
}

/** Returns what a listener has changed in a result. */
export function changesOf(before: Data, after: Data): Data {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(before[name], value)),
  );
}

/** Puts what listeners have changed into the record that the operation returns. */
export function withChanges(written: Written, changes: Data): Written {
  if (Object.keys(changes).length === 0) return written;
  const record: unknown = JSON.parse(written.record);
  return { ...written, record: JSON.stringify({ ...(isRecord(record) ? record : {}), ...changes }) };
}
