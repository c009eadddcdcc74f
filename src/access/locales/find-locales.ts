import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';
import type { SqlJson } from '../../database/dialect/json-expressions.js';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { isRecord } from '../../lib/is-record.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import type { AccessContext, LocaleRecord } from '../access.js';
import { toLocaleRecord } from '../rows.js';

/** Returns the configured locales in the order in which they were created. */
export async function readLocales(tx: Transaction): Promise<readonly LocaleRecord[]> {
  return (await tx.model('Locale').findMany({ orderBy: { id: 'asc' } })).map(toLocaleRecord);
}

/** The SQL of a JSON object with the values of a locale's row. */
export function localeObject({ json }: SqlExpressions): RawBuilder<SqlJson> {
  const value = (kind: ColumnKind, column: string): RawBuilder<SqlJson> => json.value(kind, sql.ref(column));
  return json.object([
    ['id', value('integer', 'id')],
    ['documentId', value('text', 'document_id')],
    ['code', value('text', 'code')],
    ['name', value('text', 'name')],
    ['isDefault', value('boolean', 'is_default')],
    ['createdAt', value('datetime', 'created_at')],
    ['updatedAt', value('datetime', 'updated_at')],
    ['publishedAt', value('datetime', 'published_at')],
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
