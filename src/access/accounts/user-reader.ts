import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import type { BoundValue, SqlJson } from '../../database/dialect/sql-expressions.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, ContentType, ScalarAttribute } from '../../model/model.js';
import { columnLinkOf } from '../roles/role-tables.js';
import { userAttributes, userType } from '../permissions/rules.js';

/** Properties of a user for authenticating requests and for operations on accounts. */
export interface UserState {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  readonly blocked: boolean;
  readonly confirmed: boolean;
  readonly roleDocumentId: string | null;
  readonly passwordHash: string | null;
  /** Provider of the account: `local`, or the service that signs its owner in. */
  readonly provider: string | null;
  /** False if the user's session has ended, or the JWT without a session was revoked. */
  readonly isSignedIn: boolean;
  /** The user's scalar attributes that are not private, which permissions may refer to. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Evidence that a user is still signed in: an active session, or a JWT that was not revoked. */
type SignInEvidence = { readonly session: string } | { readonly revokedHash: string };

/**
 * Reads users by id, name or address, with one indexed read each. Nothing is cached, so that blocking a user
 * takes effect immediately.
 */
export interface UserReader {
  /** With `evidence`, `isSignedIn` is read from the database. */
  readonly byId: (id: number, evidence?: SignInEvidence | null) => Promise<UserState | null>;
  readonly byDocumentId: (documentId: string) => Promise<UserState | null>;
  /** Finds a user by e-mail address in any case, or by name. */
  readonly byIdentifier: (identifier: string) => Promise<UserState | null>;
  /** Finds users by name in any case. Reads all names, since no index ignores case. */
  readonly bySimilarName: (name: string) => Promise<readonly UserState[]>;
}

const scalarAttribute = (type: ContentType, name: string): ScalarAttribute => {
  const attribute = type.attributes[name];
  if (attribute?.family !== 'scalar') throw new TypeError(`${type.uid}.${name} is not a scalar.`);
  return attribute;
};

const parseUserState = (text: string): UserState | null => {
  const row: unknown = JSON.parse(text);
  if (!isRecord(row)) return null;
  const stringOrNull = (name: string): string | null => (typeof row[name] === 'string' ? row[name] : null);
  const attributes = isRecord(row['attributes']) ? row['attributes'] : {};
  return {
    id: Number(row['id']),
    documentId: defined(stringOrNull('documentId'), "the user's document id"),
    username: stringOrNull('username') ?? '',
    email: stringOrNull('email') ?? '',
    blocked: row['blocked'] === true,
    confirmed: row['confirmed'] === true,
    roleDocumentId: stringOrNull('role'),
    passwordHash: stringOrNull('password'),
    provider: stringOrNull('provider'),
    isSignedIn: Number(row['signedIn'] ?? 0) > 0,
    attributes,
  };
};

type Expressions = Database['dialect']['expressions'];

const textParameter = (expressions: Expressions, value: string): RawBuilder<unknown> =>
  expressions.parameter('text', expressions.encode('text', value));

/** Returns SQL of 1 or 0. An active session has exactly one unused refresh token; a revoked JWT has a row. */
const signedInCount = (expressions: Expressions, evidence: SignInEvidence): RawBuilder<unknown> =>
  'session' in evidence
    ? sql`(
        select count(*) from cms_refresh_tokens
        where session = ${textParameter(expressions, evidence.session)} and used_at is null
      )`
    : sql`(
        select 1 - count(*) from cms_refresh_tokens
        where hash = ${textParameter(expressions, evidence.revokedHash)}
      )`;

/** Returns a function that builds the SQL of a JSON object with the values of a {@link UserState}. */
const compileUserRecord = (
  expressions: Expressions,
  model: ContentModel,
): ((evidence: SignInEvidence | null) => RawBuilder<SqlJson>) => {
  const { json } = expressions;
  const type = userType(model);
  const columnEntry = (name: string): readonly [string, RawBuilder<SqlJson>] => {
    const { column } = scalarAttribute(type, name);
    return [name, json.value(column.kind, sql.ref(column.name))];
  };
  const attributes = userAttributes(model).map(({ name }) => columnEntry(name));
  return (evidence) =>
    json.object([
      ['id', json.value('integer', sql.ref('id'))],
      ['documentId', json.value('text', sql.ref('document_id'))],
      ...['username', 'email', 'blocked', 'confirmed', 'password', 'provider'].map(columnEntry),
      ['role', json.value('text', sql.ref(columnLinkOf(type, 'role').column))],
      ['attributes', json.object(attributes)],
      ...(evidence === null
        ? []
        : [['signedIn', json.value('integer', signedInCount(expressions, evidence))] as const]),
    ]);
};

/** Creates a reader of the users in a database. Its statements are built from the model once. */
export function compileUserReader(database: Database, model: ContentModel): UserReader {
  const type = userType(model);
  const { expressions } = database.dialect;
  const recordOf = compileUserRecord(expressions, model);
  const table = sql.table(type.storage.version.table);
  const textValue = (value: string): RawBuilder<unknown> => textParameter(expressions, value);
  const columnOf = (name: string): RawBuilder<unknown> => sql.ref(scalarAttribute(type, name).column.name);

  const findUsers = async (
    condition: RawBuilder<unknown>,
    evidence: SignInEvidence | null = null,
  ): Promise<readonly UserState[]> => {
    const { sql: statement, parameters } = sql`
      select ${expressions.json.text(recordOf(evidence))} from ${table}
      where ${condition} order by id limit 2
    `.compile(expressions.kysely);
    const rows = await database.readTexts(statement, parameters as readonly BoundValue[]);
    return rows.flatMap((record) => (record === null ? [] : (parseUserState(record) ?? [])));
  };

  const foldedName = expressions.fold(columnOf('username'));
  return Object.freeze<UserReader>({
    byId: async (id, evidence = null) => {
      const parameter = expressions.parameter('integer', expressions.encode('integer', id));
      return (await findUsers(sql`id = ${parameter}`, evidence))[0] ?? null;
    },
    byDocumentId: async (documentId) =>
      (await findUsers(sql`document_id = ${textValue(documentId)}`))[0] ?? null,
    byIdentifier: async (identifier) => {
      const email = identifier.toLowerCase();
      const found = await findUsers(
        sql`(
          ${columnOf('email')} = ${textValue(email)} or ${columnOf('username')} = ${textValue(identifier)}
        )`,
      );
      return found.find((user) => user.email === email) ?? found[0] ?? null;
    },
    bySimilarName: (name) => findUsers(sql`${foldedName} = ${expressions.fold(textValue(name))}`),
  });
}
