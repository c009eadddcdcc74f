import type { AccessContext, LocaleRecord } from '../access.js';
import { changeAccess } from '../change-access.js';
import { toLocaleRecord } from '../rows.js';

/** Changes the name of a configured locale. */
export async function renameLocale(
  { database }: Pick<AccessContext, 'database'>,
  { id, name }: Pick<LocaleRecord, 'id' | 'name'>,
): Promise<LocaleRecord> {
  return changeAccess(database, async (tx) =>
    toLocaleRecord(await tx.model('Locale').update({ where: { id }, data: { name } })),
  );
}
