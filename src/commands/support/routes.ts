import type { TokenRecord } from '../../access/access.js';
import { listPermissions } from '../../access/operations/list-permissions.js';
import type { RolePermissions } from '../../access/operations/list-permissions.js';
import { listTokens } from '../../access/operations/list-tokens.js';
import type { Project } from '../../app/open-project.js';
import { peopleSettings } from '../../config/people.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { graphqlOptionsOf } from '../../graphql/graphql-options.js';
import { compileContentRoutes } from '../../rest/content-routes.js';
import { PEOPLE_ROUTES, peopleOperations } from '../../rest/people/route-facts.js';
import { UPLOAD_UID } from '../../rest/upload/upload-parts.js';
import { SERVED_UPLOADS, UPLOAD_ROUTES } from '../../rest/upload/upload-routes.js';
import { withAccess } from './with-access.js';

export interface RouteSummary {
  readonly method: string;
  readonly path: string;
  /** `api::article.article.find`; null: open to everybody, whatever is granted. */
  readonly action: string | null;
  /** Types of the roles that were granted the action. */
  readonly roles: readonly string[];
  /** Names of the tokens that may call it and have not expired. */
  readonly tokens: readonly string[];
}

export interface Callers {
  readonly roles: readonly RolePermissions[];
  readonly tokens: readonly TokenRecord[];
}

/** Who was granted what. Without a database that is up to date nobody was, which is said. */
export async function loadCallers(project: Project, warn: (text: string) => void): Promise<Callers> {
  try {
    return await withAccess(project, async (access) => ({ roles: await listPermissions(access), tokens: await listTokens(access) }));
  } catch (error) {
    if (!isGalleyError(error) || (error.code !== 'project/pending-migrations' && error.code !== 'database/unreachable')) throw error;
    warn(`Who may call them is not known. ${error.message} ${error.hint ?? ''}`.trim());
    return { roles: [], tokens: [] };
  }
}

const READS: ReadonlySet<string> = new Set(['find', 'findOne']);

const mayCall = ({ type, permissions, expiresAt }: TokenRecord, action: string, now: number): boolean => {
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return false;
  if (type === 'custom') return permissions.includes(action);
  return type === 'full-access' || READS.has(action.slice(action.lastIndexOf('.') + 1));
};

/** The endpoint takes everybody; what an operation asks for is decided field by field. */
const graphqlRoutes = (config: Project['config']): readonly RouteSummary[] => {
  const endpoint = graphqlOptionsOf(config)?.endpoint;
  return endpoint === undefined ? [] : ['POST', 'GET'].map((method) => ({ method, path: endpoint, action: null, roles: [], tokens: [] }));
};

/** Every route of the API, in the order of the model, with who may call it. */
export function listRoutes({ model, config }: Project, { roles, tokens }: Callers): readonly RouteSummary[] {
  const { prefix } = config.api.rest;
  const now = Date.now();
  const people = peopleOperations(peopleSettings(config)).map((name) => PEOPLE_ROUTES[name]);
  const open = people.filter(({ grant }) => grant === null || grant === 'credential').map(({ method, path }) => ({ method, path: `${prefix}${path}`, action: null, roles: [], tokens: [] }));
  const guarded = [
    ...compileContentRoutes(model, prefix).map(({ method, path, uid, action }) => ({ method, path, action: `${uid}.${action}` })),
    { method: 'GET', path: `${prefix}/i18n/locales`, action: 'plugin::i18n.locales.listLocales' },
    ...UPLOAD_ROUTES.map(({ method, path, action }) => ({ method, path: `${prefix}${path}`, action: `${UPLOAD_UID}.${action}` })),
    ...people.flatMap(({ method, path, grant }) => (grant === null || grant === 'credential' ? [] : [{ method, path: `${prefix}${path}`, action: `${grant.uid}.${grant.action}` }])),
  ];
  return [
    ...guarded.map((route) => ({
      ...route,
      roles: roles.filter(({ actions }) => actions.includes(route.action)).map(({ role }) => role.type),
      tokens: tokens.filter((token) => mayCall(token, route.action, now)).map(({ name }) => name),
    })),
    ...open,
    ...graphqlRoutes(config),
    { method: 'GET', path: `${SERVED_UPLOADS}/*`, action: null, roles: [], tokens: [] },
    { method: 'GET', path: '/_health', action: null, roles: [], tokens: [] },
  ];
}
