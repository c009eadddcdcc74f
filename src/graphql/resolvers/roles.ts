import type { AccessContext } from '../../access/access.js';
import { createRole } from '../../access/operations/create-role.js';
import { removeRole } from '../../access/operations/remove-role.js';
import { updateRole } from '../../access/operations/update-role.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { parseReadQuery } from '../../query/parse-read-query.js';
import type { ServiceCall } from '../graphql-parts.js';
import { parseRecord } from './root-field.js';

const ROLE_UID = 'plugin::users-permissions.role';

interface RoleValues {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly type: string | undefined;
}

const accessContext = ({ context: { parts } }: ServiceCall): AccessContext => ({ database: parts.people.database, model: parts.model, salt: null });

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Grants and users are changed where they are kept, not by listing the ids of their records. */
const valuesOf = ({ args }: ServiceCall): RoleValues => {
  const data = isRecord(args['data']) ? args['data'] : {};
  for (const field of ['permissions', 'users']) if (data[field] !== undefined) throw fail('graphql/not-available', { field });
  return { name: textOf(data['name']), description: textOf(data['description']), type: textOf(data['type']) };
};

/** The type of the role with that numeric id. Throws `request/not-found`. */
const roleTypeOf = async ({ args, context }: ServiceCall): Promise<string> => {
  const { parts: { model, documents }, limits } = context;
  const { id } = args;
  if (typeof id !== 'string' || !/^[1-9]\d{0,14}$/.test(id)) throw fail('request/not-found');
  const query = parseReadQuery(model, ROLE_UID, { filters: { id }, fields: ['type'] }, { limits, access: { canFind: () => true }, defaultLocale: '', paginated: false });
  const [record] = (await documents.findMany(query)).records;
  const role = record === undefined ? undefined : parseRecord(record);
  if (!isRecord(role)) throw fail('request/not-found');
  return String(role['type']);
};

const OK = { ok: true };

export async function addRole(call: ServiceCall): Promise<typeof OK> {
  const { name = '', ...rest } = valuesOf(call);
  await createRole(accessContext(call), { name, ...rest });
  return OK;
}

export async function changeRole(call: ServiceCall): Promise<typeof OK> {
  const { name, description } = valuesOf(call);
  await updateRole(accessContext(call), { role: await roleTypeOf(call), name, description });
  return OK;
}

export async function deleteRole(call: ServiceCall): Promise<typeof OK> {
  await removeRole(accessContext(call), { role: await roleTypeOf(call), acceptDataLoss: true });
  return OK;
}
