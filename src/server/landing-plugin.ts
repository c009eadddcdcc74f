import { createHash } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { RolePermissions } from '../access/permissions/role-permissions.js';
import { isLimited } from '../access/permissions/rules.js';
import { sendJson } from '../api/rest/envelope.js';
import { guardedActions } from '../api/rest/routes/route.js';
import type { Method, Route } from '../api/rest/routes/route.js';
import { countNoun, escapeHtml } from '../lib/text.js';
import type { ContentModel, ContentType } from '../model/model.js';

/** An endpoint and who may call it. */
interface EndpointOverview {
  readonly method: Method;
  readonly path: string;
  readonly description: string;
  /** `find`; null: no permission is needed. */
  readonly action: string | null;
  /** The types of the roles that may call it. Full-access tokens always may. Null: everybody may. */
  readonly roles: readonly string[] | null;
  /** The roles with permission for some documents or attributes only. */
  readonly limited: readonly string[];
}

/** A content-type of the project with its endpoints. */
interface TypeOverview {
  readonly uid: string;
  readonly name: string;
  readonly singularName: string;
  readonly kind: ContentType['kind'];
  readonly path: string;
  readonly endpoints: readonly EndpointOverview[];
}

/** Overview of the server's endpoints and their callers. */
interface Overview {
  readonly types: readonly TypeOverview[];
  /** Endpoints that belong to no content-type of the project. */
  readonly others: readonly EndpointOverview[];
  readonly graphql: { readonly path: string; readonly hasPlayground: boolean } | null;
  /** The path of the page that describes the REST API. Null: there is none. */
  readonly reference: string | null;
}

interface OverviewSources {
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

/** Describes the endpoints of a project under the current permissions. */
function createOverview(
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

/** The style of the page: no images, no fonts to load; readable in light and dark, wide and narrow. */
const STYLE = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1d2430, #e4e8ef);
  --muted: light-dark(#5b6472, #9aa4b4);
  --page: light-dark(#f6f7f9, #12161d);
  --card: light-dark(#ffffff, #1a2029);
  --line: light-dark(#dfe3e9, #2d3542);
  --accent: light-dark(#0b5cad, #7cb8ff);
  --open: light-dark(#0a6b3d, #6fdba6);
  --open-back: light-dark(#e2f5ea, #143426);
  --role-back: light-dark(#e8effa, #1d2d47);
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 3rem 1.25rem 4rem;
  background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif;
}
main { max-width: 66rem; margin: 0 auto; }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.125rem; }
p { margin: 0 0 .75rem; max-width: 46rem; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, pre:focus-visible, .scroll:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px;
}
code, pre { font-family: ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace; font-size: .875em; }
pre {
  margin: 0 0 .75rem; padding: .75rem 1rem; overflow-x: auto;
  background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
}
.lead, .kind, .none { color: var(--muted); }
.links { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; padding: 0; margin: 1rem 0 0; list-style: none; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .625rem .875rem; text-align: left; vertical-align: top; }
thead th { color: var(--muted); font-size: .8125rem; font-weight: 600; border-bottom: 1px solid var(--line); }
tbody tr + tr > * { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; white-space: nowrap; }
td code { white-space: nowrap; }
.kind { display: block; font-size: .8125rem; font-weight: 400; }
.none { font-size: .875rem; }
.role {
  display: inline-block; margin: 0 .25rem .25rem 0; padding: .0625rem .5rem; border-radius: 1rem;
  background: var(--role-back); color: var(--accent); font-size: .8125rem; white-space: nowrap;
}
.public { background: var(--open-back); color: var(--open); }
summary { cursor: pointer; margin-bottom: .75rem; }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr, tbody th, td { display: block; }
  tbody tr { padding: .5rem 0; }
  tbody tr + tr > * { border-top: 0; }
  tbody tr + tr { border-top: 1px solid var(--line); }
  th, td { padding: .1875rem .875rem; }
  td[data-label]::before { content: attr(data-label) ': '; color: var(--muted); font-size: .8125rem; }
}
`;

const printRole = (role: string, hasLimit = false): string => {
  const mark = hasLimit ? ' <small title="Some documents or attributes only">limited</small>' : '';
  return `<span class="role${role === 'public' ? ' public' : ''}">${escapeHtml(role)}${mark}</span>`;
};

const printCallers = ({ roles, limited }: EndpointOverview): string => {
  if (roles === null) return printRole('everybody');
  if (roles.length === 0) return '<span class="none">tokens only</span>';
  return roles.map((role) => printRole(role, limited.includes(role))).join('');
};

/** Addresses are relative to the page, because a proxy may serve it below a path. */
const relative = (path: string): string => escapeHtml(`.${path}`);

/** Returns the endpoint of an action. For single types, the column `findOne` shows `find`. */
const endpointOf = ({ kind, endpoints }: TypeOverview, action: string): EndpointOverview | undefined => {
  if (kind === 'collectionType') return endpoints.find((endpoint) => endpoint.action === action);
  return action === 'find'
    ? undefined
    : endpoints.find((endpoint) => endpoint.action === (action === 'findOne' ? 'find' : action));
};

/** Columns of the table of types: actions and their headings. */
const COLUMNS = [
  ['find', 'List'],
  ['findOne', 'Read one'],
  ['create', 'Create'],
  ['update', 'Update'],
  ['delete', 'Delete'],
] as const;

const printTypeRow = (type: TypeOverview): string => {
  const cells = COLUMNS.map(([action, heading]) => {
    const endpoint = endpointOf(type, action);
    const callers = endpoint === undefined ? '<span class="none">–</span>' : printCallers(endpoint);
    return `<td data-label="${heading}">${callers}</td>`;
  });
  const kind = type.kind === 'singleType' ? 'single type' : 'collection type';
  return `<tr><th scope="row">${escapeHtml(type.name)}<span class="kind">${kind}</span></th>
<td><a href="${relative(type.path)}"><code>${escapeHtml(type.path)}</code></a></td>${cells.join('')}</tr>`;
};

const printTypes = ({ types }: Overview): string => {
  if (types.length === 0)
    return '<p>There is none yet. Create the first one with <code>npx cms type add</code>.</p>';
  const headings = ['Type', 'Address', ...COLUMNS.map(([, heading]) => heading)];
  return `<div class="scroll" role="region" aria-labelledby="types" tabindex="0"><table>
<thead><tr>${headings.map((heading) => `<th scope="col">${heading}</th>`).join('')}</tr></thead>
<tbody>${types.map(printTypeRow).join('\n')}</tbody></table></div>`;
};

const printOthers = ({ others }: Overview): string => {
  const rows = others.map(
    (endpoint) => `<tr><td><code>${endpoint.method} ${escapeHtml(endpoint.path)}</code></td>
<td>${escapeHtml(endpoint.description)}</td><td data-label="Callers">${printCallers(endpoint)}</td></tr>`,
  );
  return `<details><summary>${countNoun(others.length, 'endpoint')}</summary>
<div class="scroll" role="region" aria-labelledby="others" tabindex="0"><table>
<thead><tr><th scope="col">Address</th><th scope="col">Does</th><th scope="col">Callers</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></details>`;
};

const printCommands = ({ types }: Overview, origin: string): string => {
  const type = types.find(({ kind }) => kind === 'collectionType') ?? types[0];
  if (type === undefined) return '';
  const isOpen = type.endpoints[0]?.roles?.includes('public') === true;
  const address = `'${origin}${type.path}'`;
  const actions = type.kind === 'singleType' ? 'find' : 'find findOne';
  const lines = isOpen
    ? [`curl ${address}`]
    : [
        'TOKEN=$(npx cms token create --name dev --type full-access)',
        `curl ${address} -H "Authorization: Bearer $TOKEN"`,
        '',
        '# or let everybody read it:',
        `npx cms permissions set public ${type.singularName} ${actions}`,
      ];
  return `<h2 id="try">Try it</h2>
<pre tabindex="0" aria-labelledby="try"><code>${escapeHtml(lines.join('\n'))}</code></pre>`;
};

const DOCS = [
  ['https://docs.strapi.io/cms/api/rest', 'REST API (as in Strapi 5)'],
  ['https://docs.strapi.io/cms/api/graphql', 'GraphQL API (as in Strapi 5)'],
] as const;

const printLinks = ({ graphql, reference }: Overview): string => {
  const links: (readonly [href: string, text: string])[] = [['./_ready', 'Health of the server']];
  if (graphql?.hasPlayground === true) links.unshift([`.${graphql.path}`, 'GraphQL playground']);
  if (reference !== null) links.unshift([`.${reference}`, 'API reference']);
  return [...links, ...DOCS]
    .map(([href, text]) => `<li><a href="${escapeHtml(href)}">${text}</a></li>`)
    .join('');
};

/**
 * Prints the page at the root of a server in development.
 *
 * @param origin of the server as the browser addressed it: `http://127.0.0.1:1337`
 */
function printPage(overview: Overview, origin: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Content API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Content API</h1>
<p class="lead">The server is running. This page is shown in development only.</p>
<nav aria-label="Links"><ul class="links">${printLinks(overview)}</ul></nav>
<h2 id="types">Content-types and who may call them</h2>
<p>Grant permissions to roles with <code>npx cms permissions set</code>.
Full-access tokens may call everything.</p>
${printTypes(overview)}
${printCommands(overview, origin)}
<h2 id="others">Files, users and the rest</h2>
${printOthers(overview)}
</main>
</body>
</html>
`;
}

/** The page loads and runs nothing. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface LandingDependencies extends OverviewSources {
  /** `/api` */
  readonly prefix: string;
  /** Returns the current permissions, which commands change while the server runs. */
  readonly permissions: () => Promise<readonly RolePermissions[]>;
}

const acceptsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;

/**
 * Creates the plugin that lists the endpoints and their callers in development: a page at `/` for browsers,
 * and JSON there and at the prefix of the API.
 */
export function createLandingPlugin(dependencies: LandingDependencies): FastifyPluginAsync {
  const overview = async () => createOverview(dependencies, await dependencies.permissions());
  const sendOverview = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendJson(reply.header('cache-control', 'no-store'), 200, JSON.stringify({ data: await overview() }));
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!acceptsHtml(request)) return sendOverview(request, reply);
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': CONTENT_SECURITY_POLICY,
      })
      .send(printPage(await overview(), `${request.protocol}://${request.host}`));
  };
  return async (fastify) => {
    // The project's routes come first.
    if (!fastify.hasRoute({ method: 'GET', url: '/' })) fastify.get('/', sendPage);
    const { prefix } = dependencies;
    if (!fastify.hasRoute({ method: 'GET', url: prefix })) fastify.get(prefix, sendOverview);
  };
}
