import { beforeAll, describe, expect, it } from 'vitest';
import Api from '../../src/commands/api.js';
import PermissionsSet from '../../src/commands/permissions/set.js';
import RoleCreate from '../../src/commands/role/create.js';
import TokenCreate from '../../src/commands/token/create.js';
import UserBlock from '../../src/commands/user/block.js';
import UserCreate from '../../src/commands/user/create.js';
import { createSharedSite } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';
import type { TempProject } from './support/temp-project.js';

type Command = Parameters<typeof runCommand>[0];
type Json = Readonly<Record<string, unknown>>;

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

let site: TempProject;

const run = (command: Command, ...argv: readonly string[]) => runCommand(command, argv, { cwd: site.root });

const api = (...argv: readonly string[]) => run(Api, ...argv);

/** The response to a request with any status. */
const respond = async (...argv: readonly string[]): Promise<Response> =>
  (await api(...argv, '--json')).json<Response>();

const titlesOf = ({ body }: Response): readonly unknown[] =>
  (body['data'] as readonly Json[]).map(({ title }) => title);

const mustRun = async (command: Command, ...argv: readonly string[]): Promise<void> => {
  const { exitCode, stderr } = await run(command, ...argv);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
};

beforeAll(async () => {
  site = await createSharedSite();
  for (const title of ['Lamp', 'Chair', 'Table', 'Shelf', 'Rug'])
    await mustRun(Api, '/tags', '-X', 'POST', '-f', `data[title]=${title}`);
});

describe('cms api', () => {
  it('serves a request without a server, with all rights', async () => {
    const found = await api('/tags', '-f', 'filters[title][$eq]=Lamp');
    expect(found).toMatchObject({ exitCode: 0, stderr: '' });
    expect(found.json<{ data: Json[] }>().data).toMatchObject([{ title: 'Lamp' }]);
  });

  it.each(['tags?sort=title', '/tags?sort=title', '/api/tags?sort=title'])(
    'accepts the path %s',
    async (path) => {
      expect(titlesOf(await respond(path))).toEqual(['Chair', 'Lamp', 'Rug', 'Shelf', 'Table']);
    },
  );

  it('prints the body of a failed request, and exits with 1', async () => {
    const refused = await api('/tags', '--as', 'public');
    expect(refused.exitCode).toBe(1);
    expect(refused.json()).toMatchObject({ data: null, error: { status: 403 } });
    expect(refused.stderr).toContain('GET /tags failed with status 403.');
    expect((await respond('/tags/nothing')).status).toBe(404);
  });

  it('prints the status and the headers with --include', async () => {
    const { stdout } = await api('/tags', '--include');
    expect(stdout).toMatch(/^HTTP 200\n(?:[\w-]+: .*\n)*content-type: application\/json.*\n/);
    expect(stdout.slice(stdout.indexOf('\n\n'))).toContain('"data":[');
  });

  it('sends fields of POST and PUT as nested, typed JSON', async () => {
    site.write({ 'title.txt': 'from a file' });
    const { body } = await respond('/articles', '-X', 'POST', '-F', 'data[title]=@title.txt');
    const { documentId, title } = body['data'] as Json;
    expect(title).toBe('from a file');
    const cleared = await respond(`/articles/${String(documentId)}`, '-X', 'PUT', '-F', 'data[title]=null');
    expect(cleared).toMatchObject({ status: 200, body: { data: { title: null } } });
  });

  it('sends a file or standard input as the body', async () => {
    site.write({ 'tag.json': { data: { title: 'Desk' } } });
    expect(await respond('/tags', '--input', 'tag.json')).toMatchObject({
      status: 201,
      body: { data: { title: 'Desk' } },
    });
    const piped = await runCommand(Api, ['/tags', '--input', '-', '--json'], {
      cwd: site.root,
      stdin: '{"data":{"title":"Bench"}}',
    });
    const { status, body } = piped.json<Response>();
    expect(status).toBe(201);
    for (const title of ['Desk', 'Bench']) {
      const [{ documentId } = {}] = (await respond('/tags', '-f', `filters[title]=${title}`)).body[
        'data'
      ] as Json[];
      expect((await api(`/tags/${String(documentId)}`, '-X', 'DELETE')).exitCode).toBe(0);
    }
    expect(body['data']).toMatchObject({ title: 'Bench' });
  });

  it('sends headers', async () => {
    const { status } = await respond('/tags', '--input', '-', '-H', 'Content-Type: text/plain');
    expect(status).toBe(415);
  });

  it.each([
    ['pages', 'pagination[pageSize]=2'],
    ['pages without counts', 'pagination[pageSize]=2&pagination[withCount]=false'],
    ['offsets', 'pagination[start]=0&pagination[limit]=2'],
  ])('reads all %s as one list', async (_style, query) => {
    const all = await respond(`/tags?sort=title&${query}`, '--paginate');
    expect(titlesOf(all)).toEqual(['Chair', 'Lamp', 'Rug', 'Shelf', 'Table']);
    expect(all.body['meta']).toEqual({ pagination: { total: 5 } });
  });

  it('sends GraphQL with variables', async () => {
    const query =
      'query ($title: String, $n: Int) { ' +
      'tags(filters: { title: { eq: $title } }, pagination: { limit: $n }) { title } }';
    const fields = ['-f', 'title=Lamp', '-F', 'n=3'];
    const expected = { status: 200, body: { data: { tags: [{ title: 'Lamp' }] } } };
    expect(await respond('--graphql', query, ...fields)).toMatchObject(expected);
    site.write({ 'tags.graphql': query });
    expect(await respond('--graphql', '@tags.graphql', ...fields)).toMatchObject(expected);
  });

  it.each([
    [['https://example.com/api/tags'], 'is not a path'],
    [['/tags', '-H', 'Authorization: Bearer abc'], 'can see a token in the arguments'],
    [['/tags', '-H', 'nothing'], 'is not a header'],
    [['/tags', '-f', 'nothing'], 'is not a field'],
    [['/tags', '-X', 'GET', '--input', 'tag.json'], 'A GET request has no body.'],
    [['/tags', '--input', 'missing.json'], 'missing.json cannot be read.'],
    [['/tags', '--graphql', '{ tags { title } }'], '--graphql has its own endpoint.'],
    [['--graphql', '{ tags { title } }', '-X', 'GET'], '--graphql sends POST requests.'],
    [['/tags', '--as', 'somebody'], 'somebody is not a caller.'],
    [['/tags', '--as', 'role:'], 'role: is not a caller.'],
    [[], 'Missing <path>.'],
  ])('rejects %j', async (argv, message) => {
    expect(await api(...argv)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });
});

describe('cms api --as', () => {
  beforeAll(async () => {
    await mustRun(RoleCreate, 'Editor');
    await mustRun(PermissionsSet, 'editor', 'tag', 'find');
    await mustRun(PermissionsSet, 'authenticated', 'plugin::users-permissions.user', 'me');
    for (const name of ['ada', 'bob'])
      await mustRun(UserCreate, name, '--email', `${name}@example.com`, '--password', 'correct horse');
    await mustRun(UserBlock, 'bob');
    const token = (name: string, ...argv: readonly string[]) => mustRun(TokenCreate, '--name', name, ...argv);
    await token('reader', '--type', 'read-only');
    await token('writer', '--type', 'custom', '--permission', 'tag.create');
  });

  it.each([
    ['public', 403, 403, 403],
    ['role:editor', 200, 403, 403],
    ['role:authenticated', 403, 403, 401],
    ['user:ada', 403, 403, 200],
    ['user:ada@example.com', 403, 403, 200],
    ['user:bob', 401, 401, 401],
    ['token:reader', 200, 403, 403],
    ['token:writer', 403, 400, 403],
  ])(
    '%s finds tags: %i, creates one without data: %i, reads its account: %i',
    async (caller, find, create, me) => {
      const statuses = [
        await respond('/tags', '--as', caller),
        await respond('/tags', '-X', 'POST', '--as', caller),
        await respond('/users/me', '--as', caller),
      ].map(({ status }) => status);
      expect(statuses.slice(0, 2)).toEqual([find, create]);
      expect(statuses[2]).toBe(me);
    },
  );

  it('limits GraphQL in the same way', async () => {
    const read = (caller: string) => respond('--graphql', '{ tags { title } }', '--as', caller);
    expect((await read('role:editor')).body['errors']).toBeUndefined();
    expect(JSON.stringify((await read('public')).body['errors'])).toContain('Forbidden');
  });

  it.each([
    ['role:editr', 'Did you mean editor?'],
    ['token:reder', 'Did you mean reader?'],
    ['user:nobody', 'There is no user nobody.'],
  ])('rejects %s', async (caller, message) => {
    expect(await api('/tags', '--as', caller)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(message) as string,
    });
  });
});
