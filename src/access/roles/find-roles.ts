import { createError } from '../../errors/catalogue.js';
import { parseRecordId } from '../../lib/record-id.js';
import type { RoleContext, RoleRecord } from '../access.js';
import { ROLE_SELECT, toRoleRecord } from '../rows.js';
import { readRoles, roleTables } from './role-tables.js';

/** Returns all roles in the order in which they were created. */
export async function listRoles({ database, model }: RoleContext): Promise<readonly RoleRecord[]> {
  return database.transact((tx) => readRoles(tx, roleTables(model)));
}

/** Returns the role with the numeric id a client names. Throws `request/not-found`. */
export async function requireRoleById({ database, model }: RoleContext, id: unknown): Promise<RoleRecord> {
  const recordId = parseRecordId(id);
  const row =
    recordId === null
      ? null
      : await database.transact((tx) =>
          tx
            .model(roleTables(model).role.version.model)
            .findUnique({ where: { id: recordId }, select: ROLE_SELECT }),
        );
  if (row === null) throw createError('request/not-found');
  return toRoleRecord(row);
}
