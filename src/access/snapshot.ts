import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../database/database.js';
import type { SqlExpressions, SqlJson } from '../database/dialect/sql-expressions.js';
import { isRecord } from '../lib/records.js';
import type { ColumnKind } from '../lib/stored-value.js';
import { PERMISSION_UID } from '../model/content-types/builtin-types.js';
import { typeOf } from '../model/lookup.js';
import type { ContentModel } from '../model/model.js';
import { NO_GRANTS, readAccessVersion } from './access.js';
import type { Caller, GrantRule, Grants, LocaleRecord, TokenRecord } from './access.js';
import type { UserState } from './accounts/user-reader.js';
import { localeObject } from './locales.js';
import { isCmsAction } from './permissions/actions.js';
import { isLimited, toGrantRule, toPermissionRule } from './permissions/rules.js';
import { columnLinkOf, roleTables } from './roles/role-tables.js';
import { toLocaleRecord, toTokenRecord } from './records.js';
import { customGrants, previewGrants } from './token-scope.js';

type StoredRow = Readonly<Record<string, unknown>>;

/** The rows of a snapshot, read at one moment. */
interface SnapshotRows {
  readonly tokens: readonly StoredRow[];
  readonly locales: readonly StoredRow[];
  /** The permissions of all roles. `role` is the document id of the role. */
  readonly permissions: readonly StoredRow[];
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
  const entries = ['action', 'fields', 'conditions', 'limits'].map((name) => {
    const attribute = type.attributes[name];
    if (attribute?.family !== 'scalar') throw new TypeError(`${type.uid}.${name} is not a scalar.`);
    return [name, json.value(attribute.column.kind, sql.ref(attribute.column.name))] as const;
  });
  const role = json.value('text', sql.ref(columnLinkOf(type, 'role').column));
  return json.object([...entries, ['role', role]]);
};

const rowsOf = (value: unknown): readonly StoredRow[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Reads the rows with one statement, without Prisma Client, which takes long to load. */
async function readSnapshotRows(database: Database, model: ContentModel): Promise<SnapshotRows> {
  const { expressions } = database.dialect;
  const { json, kysely } = expressions;
  const { role, permission } = roleTables(model);
  const roles = sql.table(role.version.name);
  const permissions = sql.table(permission.version.name);
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

export interface CachedToken {
  readonly record: TokenRecord;
  readonly keyHash: string;
  readonly grants: Grants;
  /** Milliseconds since 1970; null if it never expires. */
  readonly expiresAt: number | null;
}

/** The data for authorising requests, read at one moment. It is never changed, only replaced. */
export interface AccessSnapshot {
  readonly accessVersion: string | null;
  readonly tokensByHash: ReadonlyMap<string, CachedToken>;
  /** The grants of each role, by the role's document id. */
  readonly grantsByRole: ReadonlyMap<string, Grants>;
  readonly publicGrants: Grants;
  readonly locales: readonly LocaleRecord[];
  readonly localeCodes: ReadonlySet<string>;
  readonly defaultLocale: string;
}

/** Returns the caller that a signed-in user is, with the grants of the user's role. */
export function callerOfUser(
  { grantsByRole }: AccessSnapshot,
  { id: userId, documentId, attributes, roleDocumentId }: UserState,
  session: string | null,
): Caller {
  const grants = (roleDocumentId === null ? undefined : grantsByRole.get(roleDocumentId)) ?? NO_GRANTS;
  return { kind: 'user', userId, documentId, session, attributes, grants };
}

const grantsOf = (model: ContentModel, token: TokenRecord): Grants => {
  const { type } = token;
  if (type === 'full-access') return { kind: 'all' };
  if (type === 'preview') return previewGrants(model, token);
  return type === 'read-only' ? { kind: 'read' } : customGrants(model, token);
};

const toCachedToken = (model: ContentModel, row: StoredRow): CachedToken => {
  const record = toTokenRecord(row);
  const expiresAt = record.expiresAt === null ? null : Date.parse(record.expiresAt);
  return Object.freeze({
    record,
    keyHash: String(row['keyHash']),
    grants: grantsOf(model, record),
    expiresAt,
  });
};

interface MutableGrants {
  readonly kind: 'actions';
  readonly actions: Set<string>;
  readonly rules: Map<string, GrantRule>;
}

const collectRoleGrants = (rows: readonly StoredRow[]): ReadonlyMap<string, Grants> => {
  const roles = new Map<string, MutableGrants>();
  for (const row of rows) {
    const { role } = row;
    const action = String(row['action']);
    // Other programs than ours may have written the rows.
    if (typeof role !== 'string' || isCmsAction(action)) continue;
    const grants = roles.get(role) ?? { kind: 'actions', actions: new Set(), rules: new Map() };
    roles.set(role, grants);
    grants.actions.add(action);
    const rule = toPermissionRule(row);
    if (isLimited(rule)) grants.rules.set(action, toGrantRule(rule));
  }
  return roles;
};

/**
 * Loads a snapshot. The version is read first. A change made meanwhile then has a later version, and is
 * loaded next time.
 */
async function loadSnapshot(
  database: Database,
  model: ContentModel,
  configuredLocale: string,
): Promise<AccessSnapshot> {
  const accessVersion = await readAccessVersion(database);
  const rows = await readSnapshotRows(database, model);
  const tokens = rows.tokens.map((row) => toCachedToken(model, row));
  const locales = rows.locales.map(toLocaleRecord);
  const grantsByRole = collectRoleGrants(rows.permissions);
  const publicGrants = rows.publicRole === null ? undefined : grantsByRole.get(rows.publicRole);
  return Object.freeze({
    accessVersion,
    tokensByHash: new Map(tokens.map((token) => [token.keyHash, token])),
    grantsByRole,
    publicGrants: publicGrants ?? NO_GRANTS,
    locales: Object.freeze(locales),
    localeCodes: new Set(locales.map(({ code }) => code)),
    defaultLocale: locales.find(({ isDefault }) => isDefault)?.code ?? configuredLocale,
  });
}

/** The latest snapshot, which follows the changes of all processes. */
export interface SnapshotFollower {
  readonly current: () => AccessSnapshot;
  /** Loads the changes committed before the call. Concurrent calls share a check. */
  readonly refresh: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface FollowOptions {
  readonly database: Database;
  readonly model: ContentModel;
  /** Locale to use as long as the database has no default locale. */
  readonly defaultLocale: string;
  /** Milliseconds between two checks; null if only `refresh` checks. */
  readonly pollInterval: number | null;
  /** Receives the errors of checks that no caller waits for. The previous snapshot then stays. */
  readonly onError: (error: unknown) => void;
}

/** Runs `check` once at a time. A call during a check waits for the next one, which all such calls share. */
const shareChecks = (check: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = (): Promise<void> => {
    next = null;
    running = check().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return run();
    next ??= running.then(run, run);
    return next;
  };
};

/** Loads the snapshot and checks regularly for changes. */
export async function followSnapshot(options: FollowOptions): Promise<SnapshotFollower> {
  const { database, model, defaultLocale, pollInterval, onError } = options;
  let snapshot = await loadSnapshot(database, model, defaultLocale);
  const refresh = shareChecks(async () => {
    if ((await readAccessVersion(database)) !== snapshot.accessVersion)
      snapshot = await loadSnapshot(database, model, defaultLocale);
  });
  let pending: Promise<void> | null = null;
  const poll = async (): Promise<void> => {
    await refresh().catch(onError);
    pending = null;
  };
  const timer =
    pollInterval === null
      ? undefined
      : setInterval(() => {
          pending ??= poll();
        }, pollInterval).unref();
  return {
    current: () => snapshot,
    refresh,
    close: async () => {
      clearInterval(timer);
      await pending;
    },
  };
}
