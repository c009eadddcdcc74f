import type { Database } from '../database/database.js';
import type { ContentModel } from '../model/model.js';
import { NO_GRANTS } from './access.js';
import type { GrantRule, Grants, LocaleRecord, TokenRecord } from './access.js';
import { readStamp } from './change.js';
import { readRoles, roleTables } from './role-tables.js';
import { ruleOf } from './rules.js';
import { localeOf, TOKEN_SELECT, tokenOf } from './rows.js';

export interface KnownToken {
  readonly record: TokenRecord;
  readonly keyHash: string;
  readonly grants: Grants;
  /** Milliseconds; null: never. */
  readonly expiresAt: number | null;
}

/** Everything that decides about requests, as it stood at one moment. Never changed; a newer one takes its place. */
export interface AccessSnapshot {
  readonly stamp: string | null;
  readonly tokensByHash: ReadonlyMap<string, KnownToken>;
  /** What a role may do, by the role's document id. */
  readonly roles: ReadonlyMap<string, Grants>;
  readonly publicGrants: Grants;
  readonly locales: readonly LocaleRecord[];
  readonly localeCodes: ReadonlySet<string>;
  readonly defaultLocale: string;
}

type Row = Readonly<Record<string, unknown>>;

const NO_RULES: ReadonlyMap<string, GrantRule> = new Map();

const grantsOf = ({ type, permissions }: TokenRecord): Grants => {
  if (type === 'full-access') return { kind: 'all' };
  return type === 'read-only' ? { kind: 'read' } : { kind: 'actions', actions: new Set(permissions), rules: NO_RULES };
};

const knownToken = (row: Row): KnownToken => {
  const record = tokenOf(row);
  const expiresAt = record.expiresAt === null ? null : Date.parse(record.expiresAt);
  return Object.freeze({ record, keyHash: String(row['keyHash']), grants: grantsOf(record), expiresAt });
};

interface GrowingGrants {
  readonly kind: 'actions';
  readonly actions: Set<string>;
  readonly rules: Map<string, GrantRule>;
}

const roleGrants = (rows: readonly Row[], roleField: string): ReadonlyMap<string, Grants> => {
  const roles = new Map<string, GrowingGrants>();
  for (const row of rows) {
    const role = row[roleField];
    if (typeof role !== 'string') continue;
    const action = String(row['action']);
    const known = roles.get(role) ?? { kind: 'actions', actions: new Set(), rules: new Map() };
    roles.set(role, known);
    known.actions.add(action);
    const { fields, where } = ruleOf(row);
    if (fields !== null || where !== null) known.rules.set(action, { fields: fields === null ? null : new Set(fields), where });
  }
  return roles;
};

/** Reads the whole of it. The stamp is read first: what changes meanwhile has a later one and is taken over next time. */
export async function loadSnapshot(database: Database, model: ContentModel, configuredLocale: string): Promise<AccessSnapshot> {
  const stamp = await readStamp(database);
  const tables = roleTables(model);
  return database.transact(async (tx) => {
    const tokens = (await tx.model('ApiToken').findMany({ select: TOKEN_SELECT })).map(knownToken);
    const locales = (await tx.model('Locale').findMany({ orderBy: { id: 'asc' } })).map(localeOf);
    const permissions = await tx.model(tables.permission.version.model).findMany({ select: { action: true, fields: true, conditions: true, [tables.roleField]: true } });
    const publicRole = (await readRoles(tx, tables)).find(({ type }) => type === 'public');
    const roles = roleGrants(permissions, tables.roleField);
    return Object.freeze({
      stamp,
      tokensByHash: new Map(tokens.map((token) => [token.keyHash, token])),
      roles,
      publicGrants: (publicRole === undefined ? undefined : roles.get(publicRole.documentId)) ?? NO_GRANTS,
      locales: Object.freeze(locales),
      localeCodes: new Set(locales.map(({ code }) => code)),
      defaultLocale: locales.find(({ isDefault }) => isDefault)?.code ?? configuredLocale,
    });
  });
}
