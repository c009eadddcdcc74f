import type { Transaction } from '../../database/database.js';
import { documentTable, versionTable } from '../../documents/write/version-statements.js';
import { createError } from '../../errors/catalogue.js';
import { parseRecordId } from '../../lib/ids.js';
import { countNoun } from '../../lib/text.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import { UNSTORABLE_MESSAGE, isStorableText } from '../../model/fields/text-value.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import { changeAccess } from '../access.js';
import type { ChangeOptions, RoleContext, RoleRecord } from '../access.js';
import { resolveActionNames } from '../permissions/actions.js';
import { UNLIMITED, userType } from '../permissions/rules.js';
import {
  columnLinkOf,
  compareRules,
  deletePermissions,
  findRole,
  insertDocuments,
  lockRole,
  readRoleRules,
  readRoles,
  roleTables,
  writeRoleRules,
} from './role-tables.js';
import type { RoleRules, RoleTables } from './role-tables.js';
import { isRoleType } from './role-values.js';

/** The users of a role in order, each by its document id or numeric id. */
type RoleUsers = readonly string[];

/** Returns the document ids of users in the given order, without duplicates. Throws `access/unknown-user`. */
const findUserDocumentIds = async (
  tx: Transaction,
  model: ContentModel,
  users: RoleUsers,
): Promise<readonly string[]> => {
  const versions = tx.table(versionTable(userType(model)));
  const fields = ['id', 'documentId'];
  const rows = [
    ...(await versions.find({ documentId: users }, { fields })),
    ...(await versions.find({ id: users.flatMap((user) => parseRecordId(user) ?? []) }, { fields })),
  ];
  const documentIds = new Map(
    rows.flatMap(({ id, documentId }) => [
      [String(id), String(documentId)] as const,
      [String(documentId), String(documentId)] as const,
    ]),
  );
  return [
    ...new Set(
      users.map((user) => {
        const documentId = documentIds.get(user);
        if (documentId === undefined) throw createError('access/unknown-user', { user: user.slice(0, 60) });
        return documentId;
      }),
    ),
  ];
};

/** Sets the users of a role. Other users with the role lose it. Throws `access/unknown-user`. */
async function writeRoleUsers(
  tx: Transaction,
  model: ContentModel,
  role: RoleRecord,
  users: RoleUsers,
): Promise<void> {
  const type = userType(model);
  const { field, position } = columnLinkOf(type, 'role');
  const versions = tx.table(versionTable(type));
  const assignedIds = await findUserDocumentIds(tx, model, users);
  const previousIds = (await versions.find({ [field]: role.documentId }, { fields: ['documentId'] })).map(
    (row) => String(row['documentId']),
  );
  await tx
    .table(documentTable(type))
    .increment({ documentId: [...new Set([...previousIds, ...assignedIds])] }, 'revision');
  const positionValues = (order: number | null): Readonly<Record<string, unknown>> =>
    position === null ? {} : { [position.field]: order };
  await versions.update(
    { documentId: previousIds.filter((documentId) => !assignedIds.includes(documentId)) },
    { [field]: null, ...positionValues(null) },
  );
  for (const [index, documentId] of assignedIds.entries())
    await versions.update({ documentId }, { [field]: role.documentId, ...positionValues(index + 1) });
}

export interface NewRole {
  readonly name: string;
  readonly description?: string | undefined;
  /** The name that commands use. Default: derived from the name. */
  readonly type?: string | undefined;
  /** The full names of the actions it may do. */
  readonly actions?: readonly string[] | undefined;
  /** The users who get the role in place of their current one. */
  readonly users?: RoleUsers | undefined;
}

const MIN_NAME_LENGTH = 3;
const MAX_NAME_LENGTH = 100;

/** Returns the type of a role, which commands use: `chief-editor` for `Chief editor`. */
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
  context: RoleContext,
  input: NewRole,
  options: ChangeOptions = {},
): Promise<RoleRecord> {
  const { model } = context;
  const { name, type } = parseNewRole(input);
  const rules: RoleRules = new Map(
    resolveActionNames(model, input.actions ?? []).map((action) => [action, UNLIMITED]),
  );
  const description = input.description === undefined || input.description === '' ? null : input.description;
  return changeAccess(
    context,
    { action: 'roles.create', target: type },
    async (tx) => {
      const role = await insertRole(tx, roleTables(model), { name, type, description }, rules);
      if (input.users !== undefined) await writeRoleUsers(tx, model, role, input.users);
      return role;
    },
    options,
  );
}

export interface RoleChange {
  /** Its type or name. */
  readonly role: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Full names of all its actions. Default: unchanged. Actions that it already has keep their limits. */
  readonly actions?: readonly string[] | undefined;
  /** The users who have it. Default: unchanged. Other users with the role lose it. */
  readonly users?: RoleUsers | undefined;
}

/** Asserts that a name is unique, since commands accept names as well as types. */
const assertUniqueRoleName = async (
  tx: Transaction,
  tables: RoleTables,
  role: RoleRecord,
  name: string,
): Promise<void> => {
  await tx.lock('roles');
  const lowerName = name.toLowerCase();
  const other = (await readRoles(tx, tables)).find(
    ({ documentId, type, name: otherName }) =>
      documentId !== role.documentId && (type === lowerName || otherName.toLowerCase() === lowerName),
  );
  if (other !== undefined) throw createError('access/role-exists', { role: other.type });
};

/**
 * Updates a role: its name, description, permissions and users.
 *
 * @throws `access/unknown-role`, `access/invalid-role`, `access/role-exists`, `access/unknown-action`,
 *   `access/unknown-user`
 */
export async function updateRole(
  context: RoleContext,
  input: RoleChange,
  options: ChangeOptions = {},
): Promise<RoleRecord> {
  const { model } = context;
  const tables = roleTables(model);
  const actions = input.actions === undefined ? null : resolveActionNames(model, input.actions);
  const newName = input.name === undefined ? null : parseRoleName(input.name);
  if (input.description !== undefined) assertRoleDescription(input.description);
  return changeAccess(
    context,
    { action: 'roles.update', target: input.role, details: { actions } },
    async (tx) => {
      const role = await findRole(tx, tables, input.role);
      if (newName !== null) await assertUniqueRoleName(tx, tables, role, newName);
      await lockRole(tx, tables, role);
      const name = newName ?? role.name;
      const { description = role.description } = input;
      await tx
        .table(tables.role.version)
        .update({ documentId: role.documentId }, { name, description, updatedAt: new Date() });
      if (actions !== null) {
        const before = await readRoleRules(tx, tables, role);
        const after: RoleRules = new Map(actions.map((action) => [action, before.get(action) ?? UNLIMITED]));
        await writeRoleRules(tx, tables, role, compareRules(before, after), after);
      }
      if (input.users !== undefined) await writeRoleUsers(tx, model, role, input.users);
      return { ...role, name, description };
    },
    options,
  );
}

interface RoleRemoval {
  /** Its type or name. */
  readonly role: string;
  /** True to remove a role even if users have it. They then have no role. */
  readonly acceptDataLoss?: boolean;
}

export interface RemovedRole {
  readonly role: RoleRecord;
  /** The number of users that had the role. */
  readonly users: number;
}

const BUILTIN_ROLE_TYPES: ReadonlySet<string> = new Set(['public', 'authenticated']);

/**
 * Removes a role and its permissions. Its users keep their accounts and may do nothing until they get another
 * role.
 *
 * @throws `access/unknown-role`, `access/builtin-role-not-removable`, `access/role-in-use`
 */
export async function removeRole(
  context: RoleContext,
  removal: RoleRemoval,
  options: ChangeOptions = {},
): Promise<RemovedRole> {
  const { model } = context;
  const tables = roleTables(model);
  const storedUsers = typeOf(model, USER_UID);
  return changeAccess(
    context,
    { action: 'roles.remove', target: removal.role },
    async (tx) => {
      const role = await findRole(tx, tables, removal.role);
      if (BUILTIN_ROLE_TYPES.has(role.type))
        throw createError('access/builtin-role-not-removable', { role: role.type });
      const users = await tx
        .table(versionTable(storedUsers))
        .count({ [columnLinkOf(storedUsers, 'role').field]: role.documentId });
      if (users > 0 && removal.acceptDataLoss !== true)
        throw createError('access/role-in-use', {
          role: role.type,
          users: countNoun(users, 'user'),
        });
      await deletePermissions(tx, tables, role);
      await tx.table(tables.role.document).delete({ documentId: role.documentId });
      return { role, users };
    },
    options,
  );
}
