import type { RolePermissions } from '../../access/permissions/list-permissions.js';
import { isLimited } from '../../access/permissions/rules.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { guardedActions } from '../../api/rest/routes/route.js';
import type { Method, Route } from '../../api/rest/routes/route.js';

/** An endpoint and who may call it. */
export interface EndpointOverview {
  readonly method: Method;
  readonly path: string;
  readonly description: string;
  /** `find`; null: no permission is needed. */
  readonly action: string | null;
  /** The types of the roles that may call it. Full-access tokens always may. Null: everybody may. */
  readonly roles: readonly string[] | null;
  /** Those of the roles whose right is limited to some documents or attributes. */
  readonly limited: readonly string[];
}

/** A content-type of the project with its endpoints. */
export interface TypeOverview {
  readonly uid: string;
  readonly name: string;
  readonly singularName: string;
  readonly kind: ContentType['kind'];
  readonly path: string;
  readonly endpoints: readonly EndpointOverview[];
}

/** Overview of the server's endpoints and their callers. */
export interface Overview {
  readonly types: readonly TypeOverview[];
  /** Endpoints that belong to no content-type of the project. */
  readonly others: readonly EndpointOverview[];
  readonly graphql: { readonly path: string; readonly hasPlayground: boolean } | null;
  /** The path of the page that describes the REST API. Null: there is none. */
  readonly reference: string | null;
}

export interface OverviewSources {
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  readonly graphql: Overview['graphql'];
  readonly reference: Overview['reference'];
}

const toEndpoint = (
  { method, path, description, guard }: Route,
  permissions: readonly RolePermissions[],
): EndpointOverview => {
  const names = guardedActions(guard);
  if (names.length === 0) return { method, path, description, action: null, roles: null, limited: [] };
  const granted = permissions.filter(({ actions }) => names.some((name) => actions.includes(name)));
  const limited = granted.filter(({ rules }) =>
    names.every((name) => {
      const rule = rules.get(name);
      return rule === undefined || isLimited(rule);
    }),
  );
  const typesOf = (list: readonly RolePermissions[]): readonly string[] => list.map(({ role }) => role.type);
  const action = names.map((name) => name.slice(name.lastIndexOf('.') + 1)).join('|');
  return { method, path, description, action, roles: typesOf(granted), limited: typesOf(limited) };
};

/** Describes the endpoints of a project under the permissions of the moment. */
export function createOverview(
  { model, routes, graphql, reference }: OverviewSources,
  permissions: readonly RolePermissions[],
): Overview {
  const projectTypes = model.types.filter(({ origin }) => origin === 'project');
  const types = projectTypes.map(({ uid, displayName, singularName, kind }) => {
    const endpoints = routes
      .filter(({ contentType }) => contentType === uid)
      .map((route) => toEndpoint(route, permissions));
    return { uid, name: displayName, singularName, kind, path: endpoints[0]?.path ?? '', endpoints };
  });
  const uids = new Set<string>(projectTypes.map(({ uid }) => uid));
  const others = routes
    .filter(({ contentType }) => contentType === null || !uids.has(contentType))
    .map((route) => toEndpoint(route, permissions));
  return { types, others, graphql, reference };
}
