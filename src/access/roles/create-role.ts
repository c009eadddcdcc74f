import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { isStorableText, UNSTORABLE_MESSAGE } from '../../model/fields/text-value.js';
import { resolveActionNames } from '../permissions/actions.js';
import type { ChangeOptions, RoleContext, RoleRecord } from '../access.js';
import { changeAccess } from '../change-access.js';
import {
  compareRules,
  findRole,
  insertDocuments,
  readRoles,
  roleTables,
  writeRoleRules,
} from './role-tables.js';
import type { RoleRules, RoleTables } from './role-tables.js';
import { isRoleType } from './role-values.js';
import { writeRoleUsers } from './role-users.js';
import type { RoleUsers } from './role-users.js';
import { UNLIMITED } from '../permissions/rules.js';

export interface NewRole {
  readonly name: string;
  readonly description?: string | undefined;
  /** The name that commands use; default: made from the name. */
  readonly type?: string | undefined;
  /** The full names of the actions it may do. */
  readonly actions?: readonly string[] | undefined;
  /** The users who get the role, whatever role they had before. */
  readonly users?: RoleUsers | undefined;
}

const MIN_NAME_LENGTH = 3;
const MAX_NAME_LENGTH = 100;

/** Returns the name that commands have for a role: `chief-editor` for `Chief editor`. */
export const roleTypeFromName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');

const MAX_DESCRIPTION_LENGTH = 2000;

/** Returns the name of a role without surrounding space. Throws `access/invalid-role`. */
export function parseRoleName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length < MIN_NAME_LENGTH || trimmed.length > MAX_NAME_LENGTH)
    throw createError('access/invalid-role', {
      reason: `A role's name has ${MIN_NAME_LENGTH} to ${MAX_NAME_LENGTH} characters.`,
      remedy: 'Give it another name.',
    });
  if (!isStorableText(trimmed))
    throw createError('access/invalid-role', {
      reason: `A role's name ${UNSTORABLE_MESSAGE}.`,
      remedy: 'Give it another name.',
    });
  return trimmed;
}

/** Throws `access/invalid-role` if a role's description is too long or cannot be stored. */
export function assertRoleDescription(description: string): void {
  if (description.length > MAX_DESCRIPTION_LENGTH)
    throw createError('access/invalid-role', {
      reason: `A role's description has at most ${MAX_DESCRIPTION_LENGTH} characters.`,
      remedy: 'Shorten it.',
    });
  if (!isStorableText(description))
    throw createError('access/invalid-role', {
      reason: `A role's description ${UNSTORABLE_MESSAGE}.`,
      remedy: 'Remove such characters.',
    });
}

const parseNewRole = ({
  name,
  type,
  description,
}: NewRole): { readonly name: string; readonly type: string } => {
  const trimmed = parseRoleName(name);
  if (description !== undefined) assertRoleDescription(description);
  const roleType = type ?? roleTypeFromName(trimmed);
  if (!isRoleType(roleType))
    throw createError('access/invalid-role', {
      reason: `The type of a role consists of lower-case letters, digits, - and _; got "${roleType}".`,
      remedy: 'Choose it with --type.',
    });
  return { name: trimmed, type: roleType };
};

/** Writes a new role in a transaction. Throws `access/role-exists`. */
export async function insertRole(
  tx: Transaction,
  tables: RoleTables,
  role: { readonly name: string; readonly type: string; readonly description: string | null },
  rules: RoleRules,
): Promise<RoleRecord> {
  await tx.lock('roles');
  const lowerName = role.name.toLowerCase();
  const isTaken = (await readRoles(tx, tables)).some(
    ({ type, name }) => type === role.type || name.toLowerCase() === lowerName,
  );
  if (isTaken) throw createError('access/role-exists', { role: role.type });
  await insertDocuments(tx, tables.role, [role]);
  const created = await findRole(tx, tables, role.type);
  await writeRoleRules(tx, tables, created, compareRules(new Map(), rules), rules);
  return created;
}

/**
 * Creates a role.
 *
 * @throws `access/invalid-role`, `access/role-exists`, `access/unknown-action`, `access/unknown-user`
 */
export async function createRole(
  { database, model }: RoleContext,
  input: NewRole,
  options: ChangeOptions = {},
): Promise<RoleRecord> {
  const { name, type } = parseNewRole(input);
  const rules: RoleRules = new Map(
    resolveActionNames(model, input.actions ?? []).map((action) => [action, UNLIMITED]),
  );
  const description = input.description === undefined || input.description === '' ? null : input.description;
  return changeAccess(
    database,
    async (tx) => {
      const role = await insertRole(tx, roleTables(model), { name, type, description }, rules);
      if (input.users !== undefined) await writeRoleUsers(tx, model, role, input.users);
      return role;
    },
    options,
  );
}
