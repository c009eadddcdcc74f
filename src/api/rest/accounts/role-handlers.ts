import type { FastifyRequest } from 'fastify';
import type { RoleContext, RoleRecord } from '../../../access/access.js';
import { listActionGroups } from '../../../access/permissions/actions.js';
import type { ActionGroup } from '../../../access/permissions/actions.js';
import { listPermissions } from '../../../access/permissions/role-permissions.js';
import { requireRoleById } from '../../../access/roles/role-tables.js';
import { assertSameType, parseRoleValues } from '../../../access/roles/role-values.js';
import { createRole, removeRole, updateRole } from '../../../access/roles/write-roles.js';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/records.js';
import { lastSegment, withoutLastSegment } from '../../../lib/ids.js';
import { ROLE_UID } from '../../../model/content-types/builtin-types.js';
import { parseReadQuery } from '../../../query/parse/parse-read-query.js';
import type { ReadQuery } from '../../../query/query.js';
import { FULL_ACCESS } from '../../../query/read-access.js';
import { sendJson } from '../envelope.js';
import { idParameterOf } from '../handler.js';
import type { Handlers, RestDependencies } from '../handler.js';

interface ActionState {
  readonly enabled: boolean;
  readonly policy: '';
}

type Controllers = Record<string, Record<string, ActionState>>;

/**
 * Returns all actions that can be granted, in the form that Strapi's clients expect: `{"api::tag":
 * {"controllers": {"tag": {"find": {"enabled": true, "policy": ""}}}}}`.
 */
export function printPermissionTree(
  groups: readonly ActionGroup[],
  granted: readonly string[],
): Readonly<Record<string, { readonly controllers: Controllers }>> {
  const tree: Record<string, { controllers: Controllers }> = {};
  for (const { uid, actions, ownActions = [] } of groups) {
    const isGranted = (action: string): boolean => granted.includes(`${uid}.${action}`);
    const { controllers } = (tree[withoutLastSegment(uid)] ??= { controllers: {} });
    controllers[lastSegment(uid)] = Object.fromEntries(
      [...actions, ...ownActions.filter(isGranted)].map((action) => [
        action,
        { enabled: isGranted(action), policy: '' as const },
      ]),
    );
  }
  return tree;
}

const invalidPermissions = () =>
  createError('request/invalid-parameter', {
    parameter: 'permissions',
    reason: 'it must be a tree like {"api::tag": {"controllers": {"tag": {"find": {"enabled": true}}}}}.',
  });

/** Returns a branch of the tree. Null and an empty list are empty branches, as in Strapi. */
const parseBranch = (value: unknown): Readonly<Record<string, unknown>> => {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return {};
  if (!isRecord(value)) throw invalidPermissions();
  return value;
};

/**
 * Returns the full names (`api::tag.tag.find`) of the actions that a permission tree enables. An empty tree
 * may also be a list. Throws `request/invalid-parameter`.
 */
export function parsePermissionTree(tree: unknown): readonly string[] {
  return Object.entries(parseBranch(tree)).flatMap(([plugin, pluginNode]) =>
    Object.entries(parseBranch(parseBranch(pluginNode)['controllers'])).flatMap(([controller, actions]) =>
      Object.entries(parseBranch(actions)).flatMap(([action, state]) =>
        parseBranch(state)['enabled'] === true ? [`${plugin}.${controller}.${action}`] : [],
      ),
    ),
  );
}

type RoleJson = Readonly<Record<string, unknown>>;

const rolesQuery = ({ model, limits }: RestDependencies, id: number | null): ReadQuery =>
  parseReadQuery(
    model,
    ROLE_UID,
    { populate: { users: { count: true } }, sort: 'id', ...(id === null ? {} : { filters: { id } }) },
    { limits, access: FULL_ACCESS, defaultLocale: '', paginated: false },
  );

/** Returns a role for a response, with the number of its users instead of the users. */
const roleJson = (text: string): RoleJson => {
  const { users, ...role } = JSON.parse(text) as RoleJson;
  return { ...role, nb_users: isRecord(users) ? users['count'] : 0 };
};

const readRoles = async (
  dependencies: RestDependencies,
  id: number | null = null,
): Promise<readonly RoleJson[]> =>
  (await dependencies.documents.findMany(rolesQuery(dependencies, id))).records.map(roleJson);

/** Returns the role whose numeric id is in the path. Throws `request/not-found`. */
const requireRole = (context: RoleContext, request: FastifyRequest): Promise<RoleRecord> =>
  requireRoleById(context, idParameterOf(request));

const roleInput = (body: unknown) => {
  if (!isRecord(body)) throw createError('request/invalid-body');
  const { permissions } = body;
  return {
    ...parseRoleValues(body),
    actions: permissions === undefined ? undefined : parsePermissionTree(permissions),
  };
};

const OK = JSON.stringify({ ok: true });

const readHandlers = (dependencies: RestDependencies, context: RoleContext) =>
  ({
    findRoles: async (_request, reply) =>
      sendJson(reply, 200, JSON.stringify({ roles: await readRoles(dependencies) })),
    findRole: async (request, reply) => {
      const { id, type } = await requireRole(context, request);
      const [role] = await readRoles(dependencies, id);
      if (role === undefined) throw createError('request/not-found');
      const [{ actions } = { actions: [] }] = await listPermissions(context, type);
      return sendJson(
        reply,
        200,
        JSON.stringify({
          role: { ...role, permissions: printPermissionTree(listActionGroups(dependencies.model), actions) },
        }),
      );
    },
    getPermissions: async (_request, reply) =>
      sendJson(
        reply,
        200,
        JSON.stringify({ permissions: printPermissionTree(listActionGroups(dependencies.model), []) }),
      ),
  }) satisfies Handlers;

const writeHandlers = (context: RoleContext) =>
  ({
    createRole: async (request, reply) => {
      const { name = '', ...rest } = roleInput(request.body);
      await createRole(context, { name, ...rest });
      return sendJson(reply, 200, OK);
    },
    updateRole: async (request, reply) => {
      const role = await requireRole(context, request);
      const values = roleInput(request.body);
      assertSameType(role, values);
      const { name, description, actions } = values;
      await updateRole(context, { role: role.type, name, description, actions });
      return sendJson(reply, 200, OK);
    },
    deleteRole: async (request, reply) => {
      const { type } = await requireRole(context, request);
      await removeRole(context, { role: type, acceptDataLoss: true });
      return sendJson(reply, 200, OK);
    },
  }) satisfies Handlers;

/** Returns the handlers of roles and permissions, in the form Strapi's clients expect. */
export function roleHandlers(dependencies: RestDependencies, context: RoleContext) {
  return { ...readHandlers(dependencies, context), ...writeHandlers(context) };
}
