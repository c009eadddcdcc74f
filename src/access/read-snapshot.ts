import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { PERMISSION_UID } from '../model/content-types/builtin/registry.js';
import type { Database } from '../database/database.js';
import type { SqlJson } from '../database/dialect/json-expressions.js';
import type { SqlExpressions } from '../database/dialect/sql-expressions.js';
import { isRecord } from '../lib/is-record.js';
import type { ColumnKind } from '../lib/stored-value.js';
import { typeOf } from '../model/lookup.js';
import type { ContentModel } from '../model/model.js';
import { localeObject } from './locales/find-locales.js';
import { columnLinkOf, roleTables } from './roles/role-tables.js';

type Row = Readonly<Record<string, unknown>>;

/** The rows that a snapshot is made of, all of one moment. */
export interface SnapshotRows {
  readonly tokens: readonly Row[];
  readonly locales: readonly Row[];
  /** The permissions of all roles. `role` is the document id of the role. */
  readonly permissions: readonly Row[];
  readonly publicRole: string | null;
}

const tokenObject = ({ json }: SqlExpressions): RawBuilder<SqlJson> => {
  const value = (kind: ColumnKind, column: string): RawBuilder<SqlJson> => json.value(kind, sql.ref(column));
  const action = json.object([['action', value('text', 'granted.action')]]);
  const granted = sql`cms_api_token_permissions granted where granted.token_id = token.id`;
  return json.object([
    ['id', value('integer', 'id')],
    ['name', value('text', 'name')],
    ['description', value('text', 'description')],
    ['type', value('text', 'type')],
    ['keyHash', value('text', 'key_hash')],
    ['expiresAt', value('datetime', 'expires_at')],
    ['lastUsedAt', value('datetime', 'last_used_at')],
    ['createdAt', value('datetime', 'created_at')],
    ['updatedAt', value('datetime', 'updated_at')],
    ['permissions', sql`(select ${json.array(action)} from ${granted})`],
  ]);
};

const permissionObject = ({ json }: SqlExpressions, model: ContentModel): RawBuilder<SqlJson> => {
  const type = typeOf(model, PERMISSION_UID);
  const entries = ['action', 'fields', 'conditions'].map((name) => {
    const attribute = type.attributes[name];
    if (attribute?.family !== 'scalar') throw new TypeError(`${type.uid}.${name} is not a scalar.`);
    return [name, json.value(attribute.column.kind, sql.ref(attribute.column.name))] as const;
  });
  const role = json.value('text', sql.ref(columnLinkOf(type, 'role').column));
  return json.object([...entries, ['role', role]]);
};

const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Reads the rows with one statement, without Prisma Client, which takes long to load. */
export async function readSnapshotRows(database: Database, model: ContentModel): Promise<SnapshotRows> {
  const { expressions } = database.dialect;
  const { json, kysely } = expressions;
  const { role, permission } = roleTables(model);
  const roles = sql.table(role.version.table);
  const permissions = sql.table(permission.version.table);
  const locales = sql`(select * from cms_locales order by id) ordered`;
  const publicRole = sql`select document_id from ${roles} where type = 'public' order by id limit 1`;
  const record = json.object([
    ['tokens', sql`(select ${json.array(tokenObject(expressions))} from cms_api_tokens token)`],
    ['locales', sql`(select ${json.array(localeObject(expressions))} from ${locales})`],
    ['permissions', sql`(select ${json.array(permissionObject(expressions, model))} from ${permissions})`],
    ['publicRole', json.value('text', sql`(${publicRole})`)],
  ]);
  const [text] = await database.readTexts(sql`select ${json.text(record)}`.compile(kysely).sql, []);
  const read: unknown = JSON.parse(text ?? 'null');
  const row = isRecord(read) ? read : {};
  return {
    tokens: rowsOf(row['tokens']),
    locales: rowsOf(row['locales']),
    permissions: rowsOf(row['permissions']),
    publicRole: typeof row['publicRole'] === 'string' ? row['publicRole'] : null,
  };
}
