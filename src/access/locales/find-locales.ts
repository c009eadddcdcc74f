import type { Transaction } from '../../database/database.js';
import type { AccessContext, LocaleRecord } from '../access.js';
import { toLocaleRecord } from '../rows.js';

/** Returns the configured locales in the order in which they were created. */
export async function readLocales(tx: Transaction): Promise<readonly LocaleRecord[]> {
  return (await tx.model('Locale').findMany({ orderBy: { id: 'asc' } })).map(toLocaleRecord);
}

/** Runs {@link readLocales} in its own transaction. */
export async function listLocales({ database }: AccessContext): Promise<readonly LocaleRecord[]> {
  return database.transact(readLocales);
}
