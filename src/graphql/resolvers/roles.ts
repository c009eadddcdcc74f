import type { AccessContext } from '../../access/access.js';
import { createRole } from '../../access/operations/create-role.js';
import { removeRole } from '../../access/operations/remove-role.js';
import { updateRole } from '../../access/operations/update-role.js';
import { PERMISSION_UID, ROLE_UID, USER_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { Uid } from '../../model/model.js';
import { parseReadQuery } from '../../query/parse-read-query.js';
import type { RawReadParams } from '../../query/query.js';
import type { ServiceCall } from '../graphql-parts.js';
import { parseRecord } from './root-field.js';

interface RoleValues {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly type: string | undefined;
  /** Full names of all that it may do; undefined: as before. */
  readonly actions: readonly string[] | undefined;
  /** All who have it; undefined: as before. */
  readonly users: readonly string[] | undefined;
}

const accessContext = ({ context: { parts } }: ServiceCall): AccessContext => ({ database: parts.people.database, model: parts.model, salt: null });

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const textsOf = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined);

/** Records of roles and permissions as the server itself reads them, for what the caller may do with roles. */
const readRecords = async ({ context }: ServiceCall, uid: Uid, raw: RawReadParams): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { parts: { model, documents }, limits } = context;
  const query = parseReadQuery(model, uid, raw, { limits, access: { canFind: () => true }, defaultLocale: '', paginated: false });
  return (await documents.findMany(query)).records.map(parseRecord).filter(isRecord);
};

/** The role with that numeric id. Throws `request/not-found`. */
const requireRole = async (call: ServiceCall): Promise<{ readonly documentId: string; readonly type: string }> => {
  const { id } = call.args;
  if (typeof id !== 'string' || !/^[1-9]\d{0,14}$/.test(id)) throw fail('request/not-found');
  const [role] = await readRecords(call, ROLE_UID, { filters: { id }, fields: ['type'] });
  if (role === undefined) throw fail('request/not-found');
  return { documentId: String(role['documentId']), type: String(role['type']) };
};

/**
 * What permissions stand for, named by their action (`api::tag.tag.find`), or by the id of one that the role has. Those of other roles are no
 * names: they may be limited, and would not be here.
 */
const actionsOf = async (call: ServiceCall, role: string | null): Promise<readonly string[] | undefined> => {
  const data = isRecord(call.args['data']) ? call.args['data'] : {};
  const names = textsOf(data['permissions']);
  if (names === undefined || names.every((name) => name.includes('.'))) return names;
  const own = role === null ? [] : await readRecords(call, PERMISSION_UID, { filters: { role: { documentId: role } }, fields: ['action'] });
  const known = new Map(own.map(({ documentId, action }) => [documentId, String(action)]));
  return names.map((name) => {
    const action = name.includes('.') ? name : known.get(name);
    if (action === undefined) throw fail('request/invalid-parameter', { parameter: 'permissions', reason: `the role has no permission ${name.slice(0, 60)}; name others by their action, like api::tag.tag.find.` });
    return action;
  });
};

/** Who has a role is an attribute of users, so that it takes the right to change all of them. */
const usersOf = ({ args, context }: ServiceCall): readonly string[] | undefined => {
  const users = textsOf(isRecord(args['data']) ? args['data']['users'] : undefined);
  if (users === undefined) return undefined;
  const { parts: { access }, caller, rights } = context;
  access.authorise(caller, USER_UID, 'update');
  if ((rights.limitsOf?.(USER_UID, 'update') ?? null) !== null) throw fail('request/forbidden');
  return users;
};

const valuesOf = async (call: ServiceCall, role: string | null): Promise<RoleValues> => {
  const { name, description, type } = isRecord(call.args['data']) ? call.args['data'] : {};
  return { name: textOf(name), description: textOf(description), type: textOf(type), actions: await actionsOf(call, role), users: usersOf(call) };
};

const OK = { ok: true };

export async function addRole(call: ServiceCall): Promise<typeof OK> {
  const { name = '', ...rest } = await valuesOf(call, null);
  await createRole(accessContext(call), { name, ...rest });
  return OK;
}

export async function changeRole(call: ServiceCall): Promise<typeof OK> {
  const { documentId, type: role } = await requireRole(call);
  const { name, description, actions, users } = await valuesOf(call, documentId);
  await updateRole(accessContext(call), { role, name, description, actions, users });
  return OK;
}

export async function deleteRole(call: ServiceCall): Promise<typeof OK> {
  const { type } = await requireRole(call);
  await removeRole(accessContext(call), { role: type, acceptDataLoss: true });
  return OK;
}
