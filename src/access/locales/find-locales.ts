import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';
import type { SqlExpressions } from '../../dialects/sql-expressions.js';
import { isRecord } from '../../lib/is-record.js';
import type { AccessContext, LocaleRecord } from '../access.js';
import { toLocaleRecord } from '../rows.js';

/** Returns the configured locales in the order in which they were created. */
export async function readLocales(tx: Transaction): Promise<readonly LocaleRecord[]> {
  return (await tx.model('Locale').findMany({ orderBy: { id: 'asc' } })).map(toLocaleRecord);
}

/** The SQL of a JSON object with the values of a locale's row. */
export function localeObject({ json }: SqlExpressions): RawBuilder<unknown> {
  return json.object([
    ['id', sql.ref('id')],
    ['documentId', sql.ref('document_id')],
    ['code', sql.ref('code')],
    ['name', sql.ref('name')],
    ['isDefault', json.value('boolean', sql.ref('is_default'))],
    ['createdAt', json.value('datetime', sql.ref('created_at'))],
    ['updatedAt', json.value('datetime', sql.ref('updated_at'))],
    ['publishedAt', json.value('datetime', sql.ref('published_at'))],
  ]);
}

/** Returns the same without Prisma Client, which takes long to load. */
export async function listLocales({
  database,
}: Pick<AccessContext, 'database'>): Promise<readonly LocaleRecord[]> {
  const { expressions } = database.dialect;
  const record = expressions.json.text(localeObject(expressions));
  const statement = sql`select ${record} from cms_locales order by id`.compile(expressions.kysely);
  const texts = await database.readTexts(statement.sql, []);
  return texts
    .map((text): unknown => JSON.parse(text ?? 'null'))
    .filter(isRecord)
    .map(toLocaleRecord);
}
