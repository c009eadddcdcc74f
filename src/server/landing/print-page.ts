import { createHash } from 'node:crypto';
import { escapeHtml } from '../../lib/escape-html.js';
import type { EndpointOverview, Overview, TypeOverview } from './overview.js';
import { STYLE } from './style.js';
import { countNoun } from '../../lib/count-noun.js';

/** Columns of the table of types: actions and their headings. */
const COLUMNS = [
  ['find', 'List'],
  ['findOne', 'Read one'],
  ['create', 'Create'],
  ['update', 'Update'],
  ['delete', 'Delete'],
] as const;

const DOCS = [
  ['https://docs.strapi.io/cms/api/rest', 'REST API (as in Strapi 5)'],
  ['https://docs.strapi.io/cms/api/graphql', 'GraphQL API (as in Strapi 5)'],
] as const;

/** The page loads nothing and runs nothing. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const printRole = (role: string, isLimited = false): string => {
  const mark = isLimited ? ' <small title="Some documents or attributes only">limited</small>' : '';
  return `<span class="role${role === 'public' ? ' public' : ''}">${escapeHtml(role)}${mark}</span>`;
};

const printCallers = ({ roles, limited }: EndpointOverview): string => {
  if (roles === null) return printRole('everybody');
  if (roles.length === 0) return '<span class="none">tokens only</span>';
  return roles.map((role) => printRole(role, limited.includes(role))).join('');
};

/** Addresses are relative to the page, because a proxy may serve it below a path. */
const relative = (path: string): string => escapeHtml(`.${path}`);

/** Reading the document of a single type takes the action that lists those of others. */
const endpointOf = ({ kind, endpoints }: TypeOverview, action: string): EndpointOverview | undefined => {
  if (kind === 'collectionType') return endpoints.find((endpoint) => endpoint.action === action);
  return action === 'find'
    ? undefined
    : endpoints.find((endpoint) => endpoint.action === (action === 'findOne' ? 'find' : action));
};

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

const printLinks = ({ graphql, reference }: Overview): string => {
  const links: (readonly [href: string, text: string])[] = [['./_ready', 'Health of the server']];
  if (graphql?.hasPlayground === true) links.unshift([`.${graphql.path}`, 'GraphQL playground']);
  if (reference !== null) links.unshift([`.${reference}`, 'API reference']);
  return [...links, ...DOCS]
    .map(([href, text]) => `<li><a href="${escapeHtml(href)}">${text}</a></li>`)
    .join('');
};

/**
 * Prints the page that a browser gets at the root of a server in development.
 *
 * @param origin where the browser has reached the server: `http://127.0.0.1:1337`
 */
export function printPage(overview: Overview, origin: string): string {
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
