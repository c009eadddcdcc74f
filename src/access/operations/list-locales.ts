import type { AccessContext, LocaleRecord } from '../access.js';
import { localeOf } from '../rows.js';

/** The configured locales in the order in which they were created. */
export async function listLocales({ database }: AccessContext): Promise<readonly LocaleRecord[]> {
  return database.transact(async (tx) => (await tx.model('Locale').findMany({ orderBy: { id: 'asc' } })).map(localeOf));
}
