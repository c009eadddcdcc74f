import type { Transaction } from '../database/database.js';
import { createDocumentId } from '../lib/ids.js';
import { USER_UID } from '../model/content-types/builtin-types.js';
import type { AccessContext } from './access.js';
import { readAccessVersion, bumpAccessVersion } from './access.js';
import { AUTH_CONTROLLER } from './permissions/actions.js';
import type { RoleDefinition } from './permissions/permission-file.js';
import { LOCALES } from './records.js';
import { insertDocuments, readRoles, roleTables, writeRoleRules } from './roles/role-tables.js';
import type { RoleTables } from './roles/role-tables.js';
import { UNLIMITED } from './permissions/rules.js';

/** Names, descriptions and order are Strapi's, because its clients show them. */
const BUILTIN_ROLES = [
  { name: 'Authenticated', description: 'Default role given to authenticated user.', type: 'authenticated' },
  { name: 'Public', description: 'Default role given to unauthenticated user.', type: 'public' },
] as const;

/** Actions that Strapi grants in a new database, so that people can sign in without a command. */
const INITIAL_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  authenticated: [`${USER_UID}.me`, `${AUTH_CONTROLLER}.changePassword`, `${AUTH_CONTROLLER}.logout`],
  public: [
    'callback',
    'connect',
    'emailConfirmation',
    'forgotPassword',
    'refresh',
    'register',
    'resetPassword',
    'sendEmailConfirmation',
  ].map((action) => `${AUTH_CONTROLLER}.${action}`),
};

/** Returns the built-in roles as in a new database, with their initial grants or without any. */
export function builtinRoles({ grants }: Pick<BootstrapOptions, 'grants'>): readonly RoleDefinition[] {
  return BUILTIN_ROLES.map((role) => ({
    ...role,
    rules: new Map((grants ? (INITIAL_ACTIONS[role.type] ?? []) : []).map((action) => [action, UNLIMITED])),
  }));
}

/** Creates missing built-in roles. Returns the types of the created roles. */
const createRoles = async (tx: Transaction, tables: RoleTables): Promise<ReadonlySet<string>> => {
  const existing = new Set((await readRoles(tx, tables)).map(({ type }) => type));
  const missing = BUILTIN_ROLES.filter(({ type }) => !existing.has(type));
  await insertDocuments(tx, tables.role, missing);
  return new Set(missing.map(({ type }) => type));
};

/** Grants the initial actions to new roles only. Existing roles keep their grants. */
const grantInitialActions = async (
  tx: Transaction,
  tables: RoleTables,
  newTypes: ReadonlySet<string>,
): Promise<void> => {
  const rulesByType = new Map(builtinRoles({ grants: true }).map(({ type, rules }) => [type, rules]));
  for (const role of await readRoles(tx, tables)) {
    const rules = rulesByType.get(role.type);
    if (rules === undefined || !newTypes.has(role.type)) continue;
    const added = [...rules.keys()];
    await writeRoleRules(tx, tables, role, { added, removed: [], changed: [] }, rules);
  }
};

interface BootstrapOptions {
  /** The default locale. */
  readonly locale: { readonly code: string; readonly name: string };
  /** True if new roles get the grants of Strapi's roles. */
  readonly grants: boolean;
}

const createDefaultLocale = async (
  tx: Transaction,
  locale: { readonly code: string; readonly name: string },
): Promise<void> => {
  if ((await tx.table(LOCALES).count({})) > 0) return;
  await tx.table(LOCALES).insert([{ documentId: createDocumentId(), ...locale, isDefault: true }]);
};

/**
 * Creates the built-in roles with their initial grants, and the default locale. Does nothing in a database
 * that has an access version. If two processes start at the same time, the unique locale code makes one of
 * them fail, which is ignored once the other has succeeded.
 */
export async function bootstrapAccess(
  { database, model }: Pick<AccessContext, 'database' | 'model'>,
  { locale, grants }: BootstrapOptions,
): Promise<void> {
  if ((await readAccessVersion(database)) !== null) return;
  const tables = roleTables(model);
  const work = async (tx: Transaction): Promise<void> => {
    await createDefaultLocale(tx, locale);
    const newTypes = await createRoles(tx, tables);
    if (grants) await grantInitialActions(tx, tables, newTypes);
    await bumpAccessVersion(tx);
  };
  await database.transact(work).catch(async (error: unknown) => {
    if ((await readAccessVersion(database)) === null) throw error;
  });
}
