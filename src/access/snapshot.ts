import type { Database } from '../database/database.js';
import type { ContentModel } from '../model/model.js';
import { NO_GRANTS } from './access.js';
import type { GrantRule, Grants, LocaleRecord, TokenRecord } from './access.js';
import { readAccessVersion } from './change-access.js';
import { toPermissionRule } from './permissions/rules.js';
import { readSnapshotRows } from './read-snapshot.js';
import { toLocaleRecord, toTokenRecord } from './rows.js';
import { previewGrants } from './tokens/preview-scope.js';

export interface CachedToken {
  readonly record: TokenRecord;
  readonly keyHash: string;
  readonly grants: Grants;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

/** The data that requests are authorised by, as it was at one moment. It is never changed, only replaced. */
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

type Row = Readonly<Record<string, unknown>>;

const NO_RULES: ReadonlyMap<string, GrantRule> = new Map();

const grantsOf = (model: ContentModel, token: TokenRecord): Grants => {
  const { type, permissions } = token;
  if (type === 'full-access') return { kind: 'all' };
  if (type === 'preview') return previewGrants(model, token);
  return type === 'read-only'
    ? { kind: 'read' }
    : { kind: 'actions', actions: new Set(permissions), rules: NO_RULES };
};

const toCachedToken = (model: ContentModel, row: Row): CachedToken => {
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

const collectRoleGrants = (rows: readonly Row[]): ReadonlyMap<string, Grants> => {
  const roles = new Map<string, MutableGrants>();
  for (const row of rows) {
    const { role } = row;
    if (typeof role !== 'string') continue;
    const action = String(row['action']);
    const grants = roles.get(role) ?? { kind: 'actions', actions: new Set(), rules: new Map() };
    roles.set(role, grants);
    grants.actions.add(action);
    const { fields, where } = toPermissionRule(row);
    if (fields !== null || where !== null)
      grants.rules.set(action, { fields: fields === null ? null : new Set(fields), where });
  }
  return roles;
};

/**
 * Loads a snapshot. The version is read first, so that a change made meanwhile has a later version and is
 * loaded the next time.
 */
export async function loadSnapshot(
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
