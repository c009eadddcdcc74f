import type { FastifyRequest } from 'fastify';
import { createRole } from '../../access/operations/create-role.js';
import { removeRole } from '../../access/operations/remove-role.js';
import { updateRole } from '../../access/operations/update-role.js';
import { listPermissions } from '../../access/operations/list-permissions.js';
import { listActionGroups } from '../../access/actions.js';
import type { AccessContext } from '../../access/access.js';
import { ROLE_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { parseReadQuery } from '../../query/parse-read-query.js';
import type { ReadQuery } from '../../query/query.js';
import { parsePermissionTree, printPermissionTree } from './permission-tree.js';
import type { RestParts } from '../rest-parts.js';
import { sendJson } from '../send-json.js';
import type { PeopleHandlers } from './route.js';

type RoleJson = Readonly<Record<string, unknown>>;

const rolesQuery = ({ model, limits }: RestParts, id: number | null): ReadQuery =>
  parseReadQuery(
    model,
    ROLE_UID,
    { populate: { users: { count: true } }, sort: 'id', ...(id === null ? {} : { filters: { id } }) },
    { limits, access: { canFind: () => true }, defaultLocale: '', paginated: false },
  );

/** A role as it is answered: with the number of its users instead of them. */
const roleJson = (text: string): RoleJson => {
  const { users, ...role } = JSON.parse(text) as RoleJson;
  return { ...role, nb_users: isRecord(users) ? users['count'] : 0 };
};

const readRoles = async (parts: RestParts, id: number | null = null): Promise<readonly RoleJson[]> => (await parts.documents.findMany(rolesQuery(parts, id))).records.map(roleJson);

/** The role of the number in the path. Throws `request/not-found`. */
const requireRole = async (parts: RestParts, request: FastifyRequest): Promise<RoleJson & { readonly type: string }> => {
  const { id = '' } = request.params as { readonly id?: string };
  const [role] = /^[1-9]\d{0,14}$/.test(id) ? await readRoles(parts, Number(id)) : [];
  if (role === undefined) throw fail('request/not-found');
  return { ...role, type: String(role['type']) };
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const roleInput = (body: unknown) => {
  if (!isRecord(body)) throw fail('request/no-body');
  const { name, description, type, permissions } = body;
  return { name: textOf(name), description: textOf(description), type: textOf(type), actions: permissions === undefined ? undefined : parsePermissionTree(permissions) };
};

const OK = JSON.stringify({ ok: true });

const readHandlers = (parts: RestParts, context: AccessContext) => ({
  findRoles: async (_request, reply) => sendJson(reply, 200, JSON.stringify({ roles: await readRoles(parts) })),
  findRole: async (request, reply) => {
    const role = await requireRole(parts, request);
    const [{ actions } = { actions: [] }] = await listPermissions(context, role.type);
    return sendJson(reply, 200, JSON.stringify({ role: { ...role, permissions: printPermissionTree(listActionGroups(parts.model), actions) } }));
  },
  getPermissions: async (_request, reply) => sendJson(reply, 200, JSON.stringify({ permissions: printPermissionTree(listActionGroups(parts.model), []) })),
} satisfies PeopleHandlers);

const writeHandlers = (parts: RestParts, context: AccessContext) => ({
  createRole: async (request, reply) => {
    const { name = '', ...rest } = roleInput(request.body);
    await createRole(context, { name, ...rest });
    return sendJson(reply, 200, OK);
  },
  updateRole: async (request, reply) => {
    const { type } = await requireRole(parts, request);
    const { name, description, actions } = roleInput(request.body);
    await updateRole(context, { role: type, name, description, actions });
    return sendJson(reply, 200, OK);
  },
  deleteRole: async (request, reply) => {
    const { type } = await requireRole(parts, request);
    await removeRole(context, { role: type, acceptDataLoss: true });
    return sendJson(reply, 200, OK);
  },
} satisfies PeopleHandlers);

/** Roles and what may be granted to them, as the peer's clients know them. */
export function roleHandlers(parts: RestParts, context: AccessContext) {
  return { ...readHandlers(parts, context), ...writeHandlers(parts, context) };
}
