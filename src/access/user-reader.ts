import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../database/database.js';
import type { BoundValue } from '../dialects/dialect.js';
import { isRecord } from '../lib/is-record.js';
import type { ContentModel, ContentType, ScalarAttribute } from '../model/model.js';
import { columnLinkOf } from './role-tables.js';
import { userAttributes, userType } from './user-attributes.js';

/** What decides about a user's requests. */
export interface UserState {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  readonly blocked: boolean;
  readonly confirmed: boolean;
  readonly roleDocumentId: string | null;
  readonly passwordHash: string | null;
  /** False where the session asked for was ended. */
  readonly hasSession: boolean;
  /** The user's scalar attributes that are not private, which permissions may refer to. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * Reads users by what they identify themselves with; one indexed read each. Nothing is cached: who is blocked is out at once,
 * whoever blocked them.
 */
export interface UserReader {
  /** `session`: also whether that session still lasts. */
  readonly byId: (id: number, session?: string | null) => Promise<UserState | null>;
  readonly byDocumentId: (documentId: string) => Promise<UserState | null>;
  /** By e-mail address, in any case, or by name. */
  readonly byIdentifier: (identifier: string) => Promise<UserState | null>;
}

const scalar = (type: ContentType, name: string): ScalarAttribute => {
  const attribute = type.attributes[name];
  if (attribute?.family !== 'scalar') throw new TypeError(`${type.uid}.${name} is not a scalar.`);
  return attribute;
};

const readState = (text: string): UserState | null => {
  const row: unknown = JSON.parse(text);
  if (!isRecord(row)) return null;
  const textOf = (name: string): string | null => (typeof row[name] === 'string' ? row[name] : null);
  const attributes = isRecord(row['attributes']) ? row['attributes'] : {};
  return {
    id: Number(row['id']),
    documentId: textOf('documentId') ?? '',
    username: textOf('username') ?? '',
    email: textOf('email') ?? '',
    blocked: row['blocked'] === true,
    confirmed: row['confirmed'] === true,
    roleDocumentId: textOf('role'),
    passwordHash: textOf('password'),
    hasSession: Number(row['sessions'] ?? 0) > 0,
    attributes,
  };
};

/** Compiles the reads. */
export function compileUserReader(database: Database, model: ContentModel): UserReader {
  const type = userType(model);
  const { dialect } = database;
  const named = (name: string): readonly [string, RawBuilder<unknown>] => {
    const { column } = scalar(type, name);
    return [name, dialect.jsonValue(column.kind, sql.ref(column.name))];
  };
  const attributes = userAttributes(model).map(({ name }) => named(name));
  const table = sql.table(type.storage.version.table);
  const text = (value: string): RawBuilder<unknown> => dialect.parameter('text', dialect.encode('text', value));
  const columnOf = (name: string): RawBuilder<unknown> => sql.ref(scalar(type, name).column.name);

  const find = async (condition: RawBuilder<unknown>, session: string | null): Promise<readonly UserState[]> => {
    const sessions = session === null ? [] : [['sessions', sql`(select count(*) from cms_refresh_tokens where session = ${text(session)} and used_at is null)`] as const];
    const record = dialect.jsonObject([
      ['id', sql.ref('id')],
      ['documentId', sql.ref('document_id')],
      ...['username', 'email', 'blocked', 'confirmed', 'password'].map(named),
      ['role', sql.ref(columnLinkOf(type, 'role').column)],
      ['attributes', dialect.jsonObject(attributes)],
      ...sessions,
    ]);
    const { sql: statement, parameters } = sql`select ${dialect.jsonText(record)} from ${table} where ${condition} order by id limit 2`.compile(dialect.kysely);
    const texts = await database.readTexts(statement, parameters as readonly BoundValue[]);
    return texts.flatMap((found) => (found === null ? [] : readState(found) ?? []));
  };

  return Object.freeze({
    byId: async (id, session = null) => (await find(sql`id = ${dialect.parameter('integer', dialect.encode('integer', id))}`, session))[0] ?? null,
    byDocumentId: async (documentId) => (await find(sql`document_id = ${text(documentId)}`, null))[0] ?? null,
    byIdentifier: async (identifier) => {
      const email = identifier.toLowerCase();
      const found = await find(sql`(${columnOf('email')} = ${text(email)} or ${columnOf('username')} = ${text(identifier)})`, null);
      return found.find((user) => user.email === email) ?? found[0] ?? null;
    },
  } satisfies UserReader);
}
