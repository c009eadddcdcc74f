/**
 * `node --import jiti/register test/bench/shared-cache.ts [seconds]`: Varnish in front of `cms start` with
 * the blog, under random edits. It reads pages through Varnish and compares them with those of the server.
 * Prints the share of hits, and the pages that were stale a second after the edit. Needs `varnishd`.
 */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.js';
import { createRandom } from '../support/random.js';
import { printLine } from './print.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BINARY = join(ROOT, 'bin/run.js');
const SECONDS = Number(process.argv[2] ?? 300);
const READERS = 8;
const EDIT_PAUSE_MS = 100;
/** Pages that are older than the last edit by more than this are stale. */
const TOLERANCE_MS = 1000;
const STEPS = 10;

const cms = (cwd: string, ...argv: readonly string[]): string =>
  execFileSync(process.execPath, [BINARY, ...argv], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

/** The configuration of docs/caching.md. */
const vclOf = (port: number): string => `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${port}"; }
acl purgers { "127.0.0.1"; }
sub vcl_recv {
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) { return (synth(403)); }
    ban("obj.http.Cache-Tag ~ " + req.http.X-Cache-Tags);
    return (synth(200));
  }
  if (req.http.Authorization) { return (pass); }
}
sub vcl_backend_response {
  if (!beresp.http.Cache-Tag) { set beresp.uncacheable = true; }
}
sub vcl_deliver {
  set resp.http.X-Hits = obj.hits;
}
`;

const configOf = (varnish: string): string =>
  `export default ${JSON.stringify({
    cache: { tags: ['Cache-Tag'], control: { '*': { maxAge: 0, sMaxAge: 86_400 } } },
    webhooks: [{ name: 'varnish', url: varnish, events: ['cache.purge'], purge: 'varnish' }],
  })};\n`;

const waitFor = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await sleep(100);
  }
  throw new Error(`${url} does not respond`);
};

type Document = Readonly<Record<string, unknown>> & { readonly documentId: string };

/** A blog behind Varnish. */
interface CachedBlog {
  readonly origin: string;
  readonly varnish: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

const openBlog = async (): Promise<CachedBlog> => {
  const folder = mkdtempSync(join(tmpdir(), 'galley-shared-cache-'));
  // Varnish reads its configuration as another user.
  chmodSync(folder, 0o755);
  cms(
    folder,
    'new',
    'site',
    '--template',
    'blog',
    '--database',
    'sqlite',
    '--no-install',
    '--no-git',
    '--yes',
  );
  const site = join(folder, 'site');
  mkdirSync(join(site, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(site, 'node_modules/galley'), 'dir');
  const [port, varnishPort] = [await freePort(), await freePort()];
  const varnish = `http://127.0.0.1:${varnishPort}`;
  writeFileSync(join(site, 'cms.config.ts'), configOf(`${varnish}/`));
  cms(site, 'migrate', '--yes');
  const token = cms(site, 'token', 'create', '--name', 'editor', '--type', 'full-access', '--force');
  writeFileSync(join(folder, 'site.vcl'), vclOf(port));
  const start = (command: string, argv: readonly string[]): ChildProcess =>
    spawn(command, argv, {
      cwd: site,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, LOG_LEVEL: 'error' },
    });
  const children = [
    start(process.execPath, [BINARY, 'start', '--port', String(port), '--host', '127.0.0.1']),
    start('varnishd', [
      '-F',
      '-a',
      `127.0.0.1:${varnishPort}`,
      '-f',
      join(folder, 'site.vcl'),
      '-n',
      join(folder, 'varnish'),
      '-s',
      'malloc,64m',
    ]),
  ];
  const origin = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    const running = children.filter(({ exitCode }) => exitCode === null);
    const ended = running.map((child) => once(child, 'exit'));
    for (const child of running) child.kill('SIGTERM');
    await Promise.all(ended);
    rmSync(folder, { recursive: true, force: true });
  };
  await waitFor(`${origin}/_ready`);
  await waitFor(`${varnish}/api/articles`);
  return { origin, varnish, token, stop };
};

const TYPES = ['articles', 'authors', 'categories', 'tags'] as const;

/** Returns the addresses of pages: lists with filters, orders and relations, and each document. */
const pathsOf = (documents: Readonly<Record<string, readonly Document[]>>): readonly string[] => [
  '/api/homepage?populate=*',
  '/api/global?populate=*',
  ...TYPES.flatMap((plural) => [`/api/${plural}`, `/api/${plural}?populate=*`]),
  '/api/articles?sort=publishedAt:desc&pagination[pageSize]=3',
  '/api/articles?sort=title&pagination[pageSize]=3&pagination[page]=2&populate=author',
  '/api/articles?populate[author][populate]=avatar&populate[category]=true',
  '/api/categories?populate[articles][sort]=title&populate[articles][pagination][limit]=2',
  '/api/authors?populate[articles][populate]=tags',
  ...['authors', 'categories', 'tags'].flatMap((plural) => {
    const name = { authors: 'author', categories: 'category', tags: 'tags' }[plural] ?? '';
    return (documents[plural] ?? []).flatMap(({ documentId, slug }) => [
      `/api/${plural}/${documentId}?populate=*`,
      `/api/articles?filters[${name}][documentId]=${documentId}`,
      `/api/articles?filters[${name}][slug]=${String(slug)}&populate=cover`,
    ]);
  }),
  ...(documents['articles'] ?? []).flatMap(({ documentId, slug }) => [
    `/api/articles/${documentId}`,
    `/api/articles/${documentId}?populate=*`,
    `/api/articles?filters[slug]=${String(slug)}&populate[author][populate]=*`,
  ]),
];

const run = async ({ origin, varnish, token }: CachedBlog): Promise<void> => {
  const random = createRandom(1);
  const send = (method: string, path: string, data?: unknown): Promise<Response> =>
    fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
  const list = async (plural: string): Promise<readonly Document[]> =>
    (
      (await (await send('GET', `/api/${plural}?pagination[pageSize]=100`)).json()) as {
        readonly data: readonly Document[];
      }
    ).data;
  const documents = Object.fromEntries(
    await Promise.all(TYPES.map(async (plural) => [plural, await list(plural)] as const)),
  );
  const paths = pathsOf(documents);
  const idIn = (plural: string): string => random.pick(documents[plural] ?? []).documentId;
  const counts = { edits: 0, failed: 0, reads: 0, hits: 0, compared: 0, stale: 0 };
  const end = Date.now() + SECONDS * 1000;
  const edits: readonly (() => Promise<Response>)[] = [
    () => send('PUT', `/api/articles/${idIn('articles')}`, { title: `Title ${counts.edits}` }),
    () => send('PUT', `/api/articles/${idIn('articles')}`, { summary: `Summary ${counts.edits}` }),
    () => send('PUT', `/api/articles/${idIn('articles')}?status=draft`, { title: `Draft ${counts.edits}` }),
    () => send('PUT', `/api/articles/${idIn('articles')}`, { author: idIn('authors') }),
    () => send('PUT', `/api/articles/${idIn('articles')}`, { tags: { connect: [idIn('tags')] } }),
    () => send('PUT', `/api/articles/${idIn('articles')}`, { tags: { disconnect: [idIn('tags')] } }),
    () => send('PUT', `/api/categories/${idIn('categories')}`, { articles: { connect: [idIn('articles')] } }),
    () => send('PUT', `/api/authors/${idIn('authors')}`, { bio: `Bio ${counts.edits}` }),
    () => send('PUT', `/api/tags/${idIn('tags')}`, { name: `Tag ${counts.edits}` }),
    () => send('PUT', '/api/homepage', { title: `Home ${counts.edits}` }),
    () => send('POST', '/api/articles/bulk', [{ action: 'unpublish', documentId: idIn('articles') }]),
    () => send('POST', '/api/articles/bulk', [{ action: 'publish', documentId: idIn('articles') }]),
  ];
  const edit = async (): Promise<void> => {
    while (Date.now() < end) {
      const { status } = await random.pick(edits)();
      counts.edits += 1;
      if (status >= 400) counts.failed += 1;
      await sleep(EDIT_PAUSE_MS);
    }
  };
  const read = async (): Promise<void> => {
    while (Date.now() < end) {
      const response = await fetch(varnish + random.pick(paths));
      await response.text();
      counts.reads += 1;
      if (Number(response.headers.get('x-hits')) > 0) counts.hits += 1;
      await sleep(2);
    }
  };
  const textOf = async (base: string, path: string): Promise<string> => {
    const response = await fetch(base + path);
    return `${response.status} ${await response.text()}`;
  };
  /** Returns the page of the server if it stays the same for a second. Null: it changed. */
  const unchangedPage = async (path: string): Promise<string | null> => {
    const before = await textOf(origin, path);
    for (let step = 0; step < STEPS; step++) {
      await sleep(TOLERANCE_MS / STEPS);
      if ((await textOf(origin, path)) !== before) return null;
    }
    return before;
  };
  /** A page that the server has not changed for a second must be the one that Varnish sends. */
  const compare = async (): Promise<void> => {
    while (Date.now() < end) {
      const path = random.pick(paths);
      const before = await unchangedPage(path);
      if (before === null) continue;
      const cached = await textOf(varnish, path);
      if ((await textOf(origin, path)) !== before) continue;
      counts.compared += 1;
      if (cached === before) continue;
      counts.stale += 1;
      printLine(`stale: ${path}\n  ${cached}\n  ${before}`);
    }
  };
  const comparers = Array.from({ length: 20 }, compare);
  await Promise.all([edit(), ...comparers, ...Array.from({ length: READERS }, read)]);
  printLine(
    `${SECONDS} s, ${paths.length} pages: ${counts.edits} edits (${counts.failed} rejected), ` +
      `${counts.reads} reads through Varnish, ${((100 * counts.hits) / counts.reads).toFixed(1)} % hits; ` +
      `${counts.compared} pages compared, ${counts.stale} stale a second after the edit`,
  );
};

const blog = await openBlog();
try {
  await run(blog);
} finally {
  await blog.stop();
}
