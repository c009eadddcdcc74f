import type { Transaction } from '../../database/database.js';
import { fail } from '../../errors/catalogue.js';
import { isStorableText, UNSTORABLE_MESSAGE } from '../../fields/text-value.js';
import { resolveActionNames } from '../actions.js';
import type { AccessContext, ChangeOptions, RoleRecord } from '../access.js';
import { change } from '../change.js';
import { compareRules, findRole, insertDocuments, readRoles, roleTables, writeRoleRules } from '../role-tables.js';
import type { RoleRules, RoleTables } from '../role-tables.js';
import { writeRoleUsers } from '../role-users.js';
import type { RoleUsers } from '../role-users.js';
import { UNLIMITED } from '../rules.js';

export interface NewRole {
  readonly name: string;
  readonly description?: string | undefined;
  /** What commands call it; made from the name where it is not said. */
  readonly type?: string | undefined;
  /** Full names of what it may do from the start. */
  readonly actions?: readonly string[] | undefined;
  /** Who has it from the start, whatever role they had before. */
  readonly users?: RoleUsers | undefined;
}

const MIN_LENGTH = 3;
const MAX_LENGTH = 100;

const typeOfName = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');

const MAX_DESCRIPTION_LENGTH = 2000;

/** A role's name without the space around it. Throws `access/invalid-role`. */
export function checkRoleName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length < MIN_LENGTH || trimmed.length > MAX_LENGTH) throw fail('access/invalid-role', { reason: `A role's name has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`, remedy: 'Give it another name.' });
  if (!isStorableText(trimmed)) throw fail('access/invalid-role', { reason: `A role's name ${UNSTORABLE_MESSAGE}.`, remedy: 'Give it another name.' });
  return trimmed;
}

/** Throws `access/invalid-role`. */
export function assertRoleDescription(description: string): void {
  if (description.length > MAX_DESCRIPTION_LENGTH) throw fail('access/invalid-role', { reason: `A role's description has at most ${MAX_DESCRIPTION_LENGTH} characters.`, remedy: 'Say it in fewer words.' });
  if (!isStorableText(description)) throw fail('access/invalid-role', { reason: `A role's description ${UNSTORABLE_MESSAGE}.`, remedy: 'Leave those out.' });
}

const checked = ({ name, type, description }: NewRole): { readonly name: string; readonly type: string } => {
  const trimmed = checkRoleName(name);
  if (description !== undefined) assertRoleDescription(description);
  const wanted = type ?? typeOfName(trimmed);
  if (!/^[a-z0-9][a-z0-9_-]{0,99}$/.test(wanted)) throw fail('access/invalid-role', { reason: `${wanted === '' ? 'The role' : wanted} needs a type of small letters, digits, - and _.`, remedy: 'Say it with --type.' });
  return { name: trimmed, type: wanted };
};

/** Writes a new role inside a transaction. Throws `access/role-exists`. */
export async function insertRole(tx: Transaction, tables: RoleTables, role: { readonly name: string; readonly type: string; readonly description: string | null }, rules: RoleRules): Promise<RoleRecord> {
  await tx.lock('roles');
  const wanted = role.name.toLowerCase();
  if ((await readRoles(tx, tables)).some(({ type, name }) => type === role.type || name.toLowerCase() === wanted)) throw fail('access/role-exists', { role: role.type });
  await insertDocuments(tx, tables.role, [role]);
  const created = await findRole(tx, tables, role.type);
  await writeRoleRules(tx, tables, created, compareRules(new Map(), rules), rules);
  return created;
}

/** Makes a role. Throws `access/invalid-role`, `access/role-exists`, `access/unknown-action`, `access/unknown-user`. */
export async function createRole({ database, model }: AccessContext, input: NewRole, options: ChangeOptions = {}): Promise<RoleRecord> {
  const { name, type } = checked(input);
  const rules: RoleRules = new Map(resolveActionNames(model, input.actions ?? []).map((action) => [action, UNLIMITED]));
  const description = input.description === undefined || input.description === '' ? null : input.description;
  return change(
    database,
    async (tx) => {
      const role = await insertRole(tx, roleTables(model), { name, type, description }, rules);
      if (input.users !== undefined) await writeRoleUsers(tx, model, role, input.users);
      return role;
    },
    options,
  );
}
