import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binaryPath, plainEnvironment, runBinary } from './support/binary.js';
import { startProcess } from './support/server-process.js';
import { createTempFolder } from './support/temp-project.js';

interface HttpResponse {
  readonly status: number;
  readonly body: unknown;
}

const request = async (
  url: string,
  options: { readonly key?: string; readonly data?: unknown } = {},
): Promise<HttpResponse> => {
  const headers = {
    ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
    ...(options.data === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(
    url,
    options.data === undefined
      ? { headers }
      : { method: 'POST', headers, body: JSON.stringify({ data: options.data }) },
  );
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
};

/** Runs the real program and fails loudly with what it said. */
const cms = async (cwd: string, ...argv: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await runBinary(argv, { cwd });
  if (exitCode !== 0) throw new Error(`cms ${argv.join(' ')} ended with ${String(exitCode)}:\n${stderr}`);
  return stdout.trim();
};

/** A project without installed packages: everything comes from the program itself. */
const scaffold = async (...flags: string[]): Promise<string> => {
  const folder = createTempFolder();
  return cms(folder, 'new', 'site', '--yes', '--no-install', '--no-git', ...flags);
};

describe('from nothing to a running API', () => {
  it('scaffolds, adds types, migrates, serves and responds', async () => {
    const site = await scaffold();
    expect(await cms(site, 'type', 'add', 'author', '--attribute', 'name:string:required')).toBe(
      'api::author.author',
    );
    await cms(
      site,
      'type',
      'add',
      'article',
      '--draft-publish',
      '-a',
      'title:string:required,maxLength=20',
      '-a',
      'author:relation:manyToOne,target=author,inversedBy=articles',
    );
    await cms(site, 'generate', '--check');
    const key = await cms(site, 'token', 'create', '--name', 'journey', '--type', 'full-access');
    await cms(site, 'permissions', 'set', 'public', 'article', 'find');
    const server = await startProcess(['start', '--port', '0'], { cwd: site });
    const author = await request(`${server.url}/api/authors`, { key, data: { name: 'Ada' } });
    expect(author).toMatchObject({ status: 201, body: { data: { name: 'Ada' } } });
    const { documentId } = (author.body as { data: { documentId: string } }).data;
    expect(
      await request(`${server.url}/api/articles`, { key, data: { title: 'Hello', author: documentId } }),
    ).toMatchObject({ status: 201 });
    expect(
      await request(`${server.url}/api/articles`, { key, data: { title: 'This title is far too long' } }),
    ).toMatchObject({ status: 400 });
    expect(await request(`${server.url}/api/articles`)).toMatchObject({
      status: 200,
      body: { data: [{ title: 'Hello' }], meta: { pagination: { total: 1 } } },
    });
    expect(await request(`${server.url}/api/authors`)).toMatchObject({ status: 403 });
    expect(await request(`${server.url}/api/authors?populate=articles`, { key })).toMatchObject({
      body: { data: [{ name: 'Ada', articles: [{ title: 'Hello' }] }] },
    });
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.stdout()).toBe(`${server.url}\n`);
  });

  it('serves the first request of a blog, and imports its documents once', async () => {
    const site = await scaffold('--template', 'blog');
    await cms(site, 'migrate');
    await cms(site, 'migrate');
    const server = await startProcess(['start', '--port', '0'], { cwd: site });
    expect(await request(`${server.url}/api/articles?populate=author&sort=slug`)).toMatchObject({
      status: 200,
      body: {
        data: [
          { slug: 'a-starter-that-keeps', author: { name: 'Ada Marsh' } },
          { slug: 'cooking-in-a-space-of-two-metres' },
          { slug: 'nine-islands-one-ferry' },
        ],
        meta: { pagination: { total: 3 } },
      },
    });
    const page = await request(`${server.url}/api/homepage?populate[sections][populate]=*`);
    expect(page).toMatchObject({
      status: 200,
      body: {
        data: {
          title: 'The Galley',
          sections: [
            { __component: 'sections.hero', links: [{ label: 'Read on' }] },
            { articles: [{ slug: 'cooking-in-a-space-of-two-metres' }, { slug: 'a-starter-that-keeps' }] },
            { __component: 'sections.quote' },
          ],
        },
      },
    });
    expect(await request(`${server.url}/api/authors?fields=email`)).toMatchObject({ status: 400 });
    expect(JSON.stringify((await request(`${server.url}/api/authors`)).body)).not.toContain(
      'ada@example.org',
    );
  });

  it('finishes what it has begun when interrupted, and leaves nothing half done', async () => {
    const site = await scaffold();
    const child = spawn(process.execPath, [binaryPath, 'type', 'add', 'note', '-a', 'title:string'], {
      cwd: site,
      env: plainEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (text.includes('Migrating')) child.kill('SIGINT');
    });
    await new Promise((resolve) => {
      child.on('close', resolve);
    });
    expect(output).toContain('Migrating');
    expect(JSON.parse(await cms(site, 'type', 'list', '--json'))).toMatchObject([{ uid: 'api::note.note' }]);
    expect(JSON.parse(await cms(site, 'migrate', 'status', '--json'))).toMatchObject({ upToDate: true });
    await cms(site, 'generate', '--check');
  });

  it('refuses to serve what is not migrated, and says what to run', async () => {
    const site = await scaffold('--template', 'blog');
    const { exitCode, stdout, stderr } = await runBinary(['start', '--port', '0'], { cwd: site });
    expect(exitCode).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('cms migrate');
    rmSync(join(site, '.env'));
    await cms(site, 'migrate');
    const unsafe = await runBinary(['start', '--port', '0', '--json'], { cwd: site });
    expect(unsafe.exitCode).toBe(1);
    expect(JSON.parse(unsafe.stdout)).toMatchObject({
      error: { code: 'config/unsafe-secrets', message: expect.stringContaining('JWT_SECRET') as string },
    });
  });
});
