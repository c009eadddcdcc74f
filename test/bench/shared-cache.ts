/**
 * `node --import jiti/register test/bench/shared-cache.ts [seconds]`: Varnish in front of `cms start` with
 * the blog, under random edits. It reads pages through Varnish and compares them with those of the server.
 * Prints the share of hits, and the pages that were stale a second after the edit. Needs `varnishd`.
 * `--pause` sets the milliseconds between edits.
 *
 * `--site FOLDER --run COMMAND` puts the server of a framework in its place, with the code of
 * docs/caching.md. The shell command may build the site first. It gets `CMS_URL`, `WEBHOOK_SECRET`, `HOST`
 * and `PORT`. `POST /api/revalidate` receives tags. `/pages/<path>` shows the response to a path of the API,
 * which is encoded as base64url, as `<pre>{encodeURIComponent(JSON.stringify(response))}</pre>`.
 */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../support/free-port.js';
import { createRandom } from '../support/random.js';
import { printLine } from './print.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BINARY = join(ROOT, 'bin/run.js');
const {
  positionals: [seconds = '300'],
  values: { site: FRONT_FOLDER, run: FRONT_COMMAND, pause },
} = parseArgs({
  allowPositionals: true,
  options: { site: { type: 'string' }, run: { type: 'string' }, pause: { type: 'string', default: '100' } },
});
const SECONDS = Number(seconds);
const READERS = 8;
const EDIT_PAUSE_MS = Number(pause);
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
  unset resp.http.Cache-Tag;
}
`;

const configOf = (webhook: object): string =>
  `export default ${JSON.stringify({
    cache: { tags: ['Cache-Tag'], control: { '*': { maxAge: 0, sMaxAge: 86_400 } } },
    webhooks: [{ name: 'cache', events: ['cache.purge'], ...webhook }],
  })};\n`;

const waitFor = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 1800; attempt++) {
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

/** A cache that is being started in front of the server. */
interface StartedCache {
  readonly child: ChildProcess;
  readonly end: () => void;
  /** Returns the address of the page that shows a response of the API. */
  readonly pageOf: (path: string) => string;
  /** Returns the response that a page shows. Null: an error. */
  readonly responseIn: (page: Response) => Promise<string | null>;
}

/** Returns the JSON text of a response. Null: an error. */
const jsonOf = async (response: Response): Promise<string | null> =>
  response.ok ? JSON.stringify(await response.json()) : (await response.text(), null);

const startVarnish = (folder: string, port: number, originPort: number): StartedCache => {
  const vcl = join(folder, 'site.vcl');
  writeFileSync(vcl, vclOf(originPort));
  const argv = [
    '-F',
    '-a',
    `127.0.0.1:${port}`,
    '-f',
    vcl,
    '-n',
    join(folder, 'varnish'),
    '-s',
    'malloc,64m',
  ];
  const child = spawn('varnishd', argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  return {
    child,
    end: () => child.kill('SIGTERM'),
    pageOf: (path) => `http://127.0.0.1:${port}${path}`,
    responseIn: jsonOf,
  };
};

const startFramework = (
  { folder, command }: { readonly folder: string; readonly command: string },
  { port, origin, secret }: { readonly port: number; readonly origin: string; readonly secret: string },
): StartedCache => {
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    // Errors of pages, such as those of deleted documents, are not of interest.
    stdio: 'ignore',
    // Its group includes the processes that the command starts.
    detached: true,
    env: { ...process.env, CMS_URL: origin, WEBHOOK_SECRET: secret, HOST: '127.0.0.1', PORT: String(port) },
  });
  return {
    child,
    end: () => process.kill(-(child.pid ?? Number.NaN), 'SIGTERM'),
    pageOf: (path) =>
      `http://127.0.0.1:${port}/pages/${Buffer.from(path.replace('/api/', '')).toString('base64url')}`,
    responseIn: async (page) => {
      const [, shown] = /<pre>([^<]*)<\/pre>/.exec(await page.text()) ?? [];
      return shown === undefined ? null : decodeURIComponent(shown.replaceAll(/&#(?:39|x27);/g, "'"));
    },
  };
};

/** Forwards requests to the server, and counts them. */
const startCounter = async (origin: string): Promise<{ readonly server: Server; count: number }> => {
  const counter = {
    count: 0,
    server: createServer((incoming, outgoing) => {
      counter.count += 1;
      const { method, headers, url = '' } = incoming;
      const forwarded = request(origin + url, { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      incoming.pipe(forwarded);
    }),
  };
  counter.server.listen(await freePort(), '127.0.0.1');
  await once(counter.server, 'listening');
  return counter;
};

/** A blog behind a cache. */
interface CachedBlog extends Omit<StartedCache, 'child' | 'end'> {
  readonly origin: string;
  readonly token: string;
  /** Returns the number of requests of the cache. */
  readonly reached: () => number;
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
  const [port, cachePort] = [await freePort(), await freePort()];
  const cacheUrl = `http://127.0.0.1:${cachePort}`;
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const isFramework = FRONT_FOLDER !== undefined && FRONT_COMMAND !== undefined;
  writeFileSync(
    join(site, 'cms.config.ts'),
    configOf(
      isFramework ? { url: `${cacheUrl}/api/revalidate`, secret } : { url: `${cacheUrl}/`, purge: 'varnish' },
    ),
  );
  cms(site, 'migrate', '--yes');
  const token = cms(site, 'token', 'create', '--name', 'editor', '--type', 'full-access', '--force');
  const server = spawn(process.execPath, [BINARY, 'start', '--port', String(port), '--host', '127.0.0.1'], {
    cwd: site,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, LOG_LEVEL: 'error' },
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(`${origin}/_ready`);
  const counter = await startCounter(origin);
  const { port: counterPort } = counter.server.address() as AddressInfo;
  const counted = `http://127.0.0.1:${counterPort}`;
  const { child, end, ...cache } = isFramework
    ? startFramework(
        { folder: FRONT_FOLDER, command: FRONT_COMMAND },
        { port: cachePort, origin: counted, secret },
      )
    : startVarnish(folder, cachePort, counterPort);
  const stop = async (): Promise<void> => {
    const ended = [child, server].map(async (each) => each.exitCode ?? once(each, 'exit'));
    end();
    server.kill('SIGTERM');
    await Promise.all(ended);
    counter.server.closeAllConnections();
    counter.server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  await waitFor(cache.pageOf('/api/articles'));
  return { ...cache, origin, token, reached: () => counter.count, stop };
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

/** Articles that the editor creates come after these, and are deleted again. */
const INITIAL_ARTICLES = 3;
const MAX_ARTICLES = 8;

/** A random editor of the blog. */
interface Editor {
  readonly edit: () => Promise<Response>;
  /** Returns the path of a random response that edits change. */
  readonly page: () => string;
}

const createEditor = async (origin: string, token: string): Promise<Editor> => {
  const random = createRandom(1);
  const send = (method: string, path: string, data?: unknown): Promise<Response> =>
    fetch(`${origin}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
  const list = async (plural: string): Promise<Document[]> =>
    (
      (await (await send('GET', `${plural}?pagination[pageSize]=100`)).json()) as {
        readonly data: Document[];
      }
    ).data;
  const documents = Object.fromEntries(
    await Promise.all(TYPES.map(async (plural) => [plural, await list(plural)] as const)),
  );
  const articles = documents['articles'] ?? [];
  const idIn = (plural: string): string => random.pick(documents[plural] ?? []).documentId;
  const update = (plural: string, data: unknown): Promise<Response> =>
    send('PUT', `${plural}/${idIn(plural)}`, data);
  const bulk = (action: string): Promise<Response> =>
    send('POST', 'articles/bulk', [{ action, documentId: idIn('articles') }]);
  let count = 0;
  const create = async (): Promise<Response> => {
    const data = {
      title: `New ${count}`,
      slug: `new-${count}`,
      author: idIn('authors'),
      tags: [idIn('tags')],
    };
    const response = await send('POST', 'articles', data);
    articles.push(((await response.clone().json()) as { readonly data: Document }).data);
    return response;
  };
  const remove = (): Promise<Response> => {
    const [{ documentId } = { documentId: idIn('articles') }] = articles.splice(INITIAL_ARTICLES, 1);
    return send('DELETE', `articles/${documentId}`);
  };
  const edits: readonly (() => Promise<Response>)[] = [
    () => update('articles', { title: `Title ${count}` }),
    () => update('articles', { summary: `Summary ${count}` }),
    () => send('PUT', `articles/${idIn('articles')}?status=draft`, { title: `Draft ${count}` }),
    () => update('articles', { author: idIn('authors') }),
    () => update('articles', { tags: { connect: [idIn('tags')] } }),
    () => update('articles', { tags: { disconnect: [idIn('tags')] } }),
    () => update('categories', { articles: { connect: [idIn('articles')] } }),
    () => update('authors', { bio: `Bio ${count}` }),
    () => update('authors', { name: `Author ${count}` }),
    () => update('tags', { name: `Tag ${count}` }),
    () => send('PUT', 'homepage', { title: `Home ${count}` }),
    () => bulk('unpublish'),
    () => bulk('publish'),
    () => (articles.length < MAX_ARTICLES ? create() : remove()),
    () => (articles.length > INITIAL_ARTICLES ? remove() : create()),
  ];
  return {
    edit: () => {
      count += 1;
      return random.pick(edits)();
    },
    page: () => random.pick(pathsOf(documents)),
  };
};

const run = async ({ origin, token, reached, pageOf, responseIn }: CachedBlog): Promise<void> => {
  const { edit, page } = await createEditor(origin, token);
  const counts = { edits: 0, failed: 0, reads: 0, compared: 0, stale: 0 };
  const reachedBefore = reached();
  const end = Date.now() + SECONDS * 1000;
  const write = async (): Promise<void> => {
    while (Date.now() < end) {
      const { status } = await edit();
      counts.edits += 1;
      if (status >= 400) counts.failed += 1;
      await sleep(EDIT_PAUSE_MS);
    }
  };
  const readCached = async (path: string): Promise<string | null> => {
    counts.reads += 1;
    return responseIn(await fetch(pageOf(path)));
  };
  const read = async (): Promise<void> => {
    while (Date.now() < end) {
      await readCached(page());
      await sleep(2);
    }
  };
  const readOrigin = async (path: string): Promise<string | null> => jsonOf(await fetch(origin + path));
  /** Returns the response of the server if it stays the same for a second. Undefined: it changed. */
  const unchanged = async (path: string): Promise<string | null | undefined> => {
    const before = await readOrigin(path);
    for (let step = 0; step < STEPS; step++) {
      await sleep(TOLERANCE_MS / STEPS);
      if ((await readOrigin(path)) !== before) return undefined;
    }
    return before;
  };
  /** A page whose response has not changed for a second must show it. */
  const compare = async (): Promise<void> => {
    while (Date.now() < end) {
      const path = page();
      const before = await unchanged(path);
      if (before === undefined) continue;
      const cached = await readCached(path);
      if ((await readOrigin(path)) !== before) continue;
      counts.compared += 1;
      if (cached === before) continue;
      counts.stale += 1;
      printLine(`stale: ${path}\n  ${cached}\n  ${before}`);
      const noticed = Date.now();
      while (Date.now() < end && (await readCached(path)) === cached) await sleep(TOLERANCE_MS / STEPS);
      printLine(`  for another ${Date.now() - noticed} ms`);
    }
  };
  const comparers = Array.from({ length: 20 }, compare);
  await Promise.all([write(), ...comparers, ...Array.from({ length: READERS }, read)]);
  const hits = 1 - (reached() - reachedBefore) / counts.reads;
  printLine(
    `${SECONDS} s: ${counts.edits} edits (${counts.failed} rejected), ${counts.reads} pages read, ` +
      `${(100 * hits).toFixed(1)} % without a request to the server; ` +
      `${counts.compared} pages compared, ${counts.stale} stale a second after the edit`,
  );
};

const blog = await openBlog();
try {
  await run(blog);
} finally {
  await blog.stop();
}
