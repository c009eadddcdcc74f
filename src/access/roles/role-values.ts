import { USER_UID } from '../../model/content-types/builtin-types.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { invalidValue, unsupportedKey } from '../../documents/validation/issues.js';
import type { Access, Caller, RoleContext, RoleRecord } from '../access.js';
import { roleTables } from './role-tables.js';

/** True if text can be a role's `type`, the name that commands use. */
export function isRoleType(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,99}$/.test(text);
}

/** The plain attributes of a role in a request; undefined if a client did not send them. */
export interface RoleValues {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly type: string | undefined;
}

const textAt = (data: Readonly<Record<string, unknown>>, key: string): string | undefined => {
  const value = data[key];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidValue([key], 'must be text');
};

/**
 * Returns the plain attributes of a role in `data`. A description of null becomes an empty text.
 *
 * @throws `request/invalid-values`
 */
export function parseRoleValues(data: unknown): RoleValues {
  const values = isRecord(data) ? data : {};
  return {
    name: textAt(values, 'name'),
    description: values['description'] === null ? '' : textAt(values, 'description'),
    type: textAt(values, 'type'),
  };
}

/** Throws `request/invalid-key` for values that change the type of a role, by which commands name it. */
export function assertSameType({ type }: RoleRecord, values: RoleValues): void {
  if (values.type !== undefined && values.type !== type)
    throw unsupportedKey('type', `it names the role, and stays ${type}. Create another role instead.`);
}

/**
 * Asserts that a caller may assign roles to users. The role is an attribute of users, so the caller must be
 * allowed to update all users without limits.
 *
 * @throws `request/forbidden`
 */
export function assertMayAssignUsers(access: Access, caller: Caller): void {
  access.authorise(caller, USER_UID, 'update');
  const scope = access.readAccessOf(caller).scopeOf?.(USER_UID, 'update') ?? null;
  if (scope !== null) throw createError('request/forbidden');
}

const isAction = (permission: string): boolean => permission.includes('.');

const MAX_QUOTED_LENGTH = 60;

/**
 * Returns the actions of permissions that a client names by action (`api::tag.tag.find`) or by document id. A
 * document id must belong to a permission of `role`. The permission of another role may have limits, which
 * its action alone would lose.
 *
 * @throws `request/invalid-parameter`
 */
export async function resolvePermissions(
  { database, model }: RoleContext,
  role: RoleRecord | null,
  permissions: readonly string[],
): Promise<readonly string[]> {
  if (permissions.every(isAction)) return permissions;
  const { permission, roleField } = roleTables(model);
  const rows =
    role === null
      ? []
      : await database.transact((tx) =>
          tx
            .table(permission.version)
            .find({ [roleField]: role.documentId }, { fields: ['documentId', 'action'] }),
        );
  const actionsById = new Map(rows.map(({ documentId, action }) => [documentId, String(action)]));
  return permissions.map((name) => {
    const action = isAction(name) ? name : actionsById.get(name);
    if (action === undefined)
      throw createError('request/invalid-parameter', {
        parameter: 'permissions',
        reason:
          `the role has no permission ${name.slice(0, MAX_QUOTED_LENGTH)};` +
          ' name others by their action, like api::tag.tag.find.',
      });
    return action;
  });
}
