import type { AccessContext, RoleRecord } from '../access.js';
import { readRoles, roleTables } from '../role-tables.js';

/** All roles in the order in which they were created. */
export async function listRoles({ database, model }: AccessContext): Promise<readonly RoleRecord[]> {
  return database.transact((tx) => readRoles(tx, roleTables(model)));
}
