import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../../../src/access/tokens.js';
import { migrateProject } from '../../../support/migrate-project.js';
import { openProjectDatabase } from '../../../../src/project/open/open-database.js';
import { openProject } from '../../../../src/project/open/open-project.js';
import { startDev } from '../../../../src/project/serve/start-dev.js';
import type { DevEvent, DevServer } from '../../../../src/project/serve/start-dev.js';
import { startServer } from '../../../../src/project/serve/start-server.js';
import { createLogger } from '../../../../src/server/logger.js';
import { EXTENSION_EXAMPLE } from '../../../fixtures/extension-example.js';
import { databases } from '../../../support/databases.js';
import { createSite, createSiteFolder } from '../../support/site.js';
import type { Site } from '../../support/site.js';

const MORE = `
import { register as example } from './example';
export const register = (context) => {
  example(context);
  context.strapi.plugin('graphql').service('extension').use({
    typeDefs: [
      'type Query { whoami: String mine(name: String): String }',
      'extend type UsersPermissionsMe { shout: String }',
    ],
    resolvers: {
      Query: {
        whoami: (_parent, _args, { state: { auth, user } }) =>
          [auth.credentials.username, 'is', user.role.type, 'via', auth.strategy.name].join(' '),
        mine: (_parent, { name }) => name,
      },
      UsersPermissionsMe: { shout: ({ username }) => username.toUpperCase() },
    },
    resolversConfig: { 'Query.mine': { auth: false, policies: ['global::is-owner'], middlewares: ['wrap'] } },
  });
  context.policies.set('unused', () => true);
};
`;

const FILES: Readonly<Record<string, string>> = {
  'src/example.ts': EXTENSION_EXAMPLE,
  'src/index.ts': MORE,
  'src/policies/is-author.ts': `
    import type { Policy } from 'galley';
    const isAuthor: Policy = ({ state }) => state.user?.username === 'ada';
    export default isAuthor;
  `,
  'src/policies/is-owner.js': `
    module.exports = ({ args, state }, config, { strapi }) =>
      args.name === state.user?.username && state.user.password.startsWith('$2') &&
      typeof strapi.documents === 'function';
  `,
  'src/middlewares/trim.ts': `
    import type { MiddlewareFactory } from 'galley';
    const trim: MiddlewareFactory = ({ length }) => async (next) =>
      String(await next()).slice(0, Number(length));
    export default trim;
  `,
  'src/api/tag/middlewares/wrap.mjs': `
    export default () => async (next, parent, args, context, info) =>
      '<' + (await next(parent, args, context, info)) + '>';
  `,
  'src/middlewares/koa.js':
    'module.exports = () => {\n  throw new Error("a middleware that nothing names is not called");\n};\n',
};

interface GraphqlResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string }[];
}

const ask = async (url: string, query: string, key?: string): Promise<GraphqlResult> => {
  const headers = {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return (await (
    await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  ).json()) as GraphqlResult;
};

describe.each(databases)('a project that extends its schema, on $name', (database) => {
  let site: Site;
  const full = (query: string): Promise<GraphqlResult> => ask(site.server.url, query, site.tokens['full']);
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: FILES });
  });
  afterAll(() => site.close());

  const signUp = async (username: string): Promise<string> => {
    const { data } = await ask(
      site.server.url,
      `
        mutation {
          register(
            input: { username: "${username}", email: "${username}@example.org", password: "secret-9" }
          ) {
            jwt
          }
        }
      `,
    );
    return ((data ?? {})['register'] as { jwt: string }).jwt;
  };

  it('runs the example of the README', async () => {
    const made = await full(
      `
        mutation {
          createArticle(data: { title: "${'long '.repeat(20)}", body: "one two three" }) {
            documentId
          }
        }
      `,
    );
    const { documentId } = (made.data ?? {})['createArticle'] as { documentId: string };
    expect((await ask(site.server.url, '{ latest { title words } }')).data).toEqual({
      latest: { title: 'long '.repeat(8), words: 3 },
    });
    expect(
      (await full(`mutation { updateArticle(documentId: "${documentId}", data: { body: "x" }) { words } }`))
        .errors,
    ).toMatchObject([{ message: 'Policy Failed' }]);
    expect(
      (await full('mutation { deleteTag(documentId: "x") { documentId } }')).errors?.[0]?.message,
    ).toContain('deleteTag');
    expect((await full('{ tags(filters: { label: { eq: "x" } }) { name } }')).errors?.[0]?.message).toContain(
      'label',
    );
  });

  it('gives resolvers the signed-in user with the role', async () => {
    const [ada, bob] = [await signUp('ada'), await signUp('bob')];
    expect((await ask(site.server.url, '{ whoami me { shout } }', ada)).data).toMatchObject({
      whoami: 'ada is authenticated via users-permissions',
    });
    expect((await ask(site.server.url, '{ whoami }')).errors).toMatchObject([{ message: 'Forbidden' }]);
    expect((await ask(site.server.url, '{ mine(name: "bob") }', bob)).data).toEqual({ mine: '<bob>' });
    expect((await ask(site.server.url, '{ mine(name: "ada") }', bob)).errors).toMatchObject([
      { message: 'Policy Failed' },
    ]);
    expect((await ask(site.server.url, '{ mine(name: "ada") }')).errors).toMatchObject([
      { message: 'Policy Failed' },
    ]);
  });
});

/** A `register` that extends the schema by these objects, one `use` each. */
const registerWith = (...extensions: readonly object[]): string => `
  export const register = ({ graphql }) => {
    ${extensions.map((extension) => `graphql.use(${JSON.stringify(extension)});`).join('\n    ')}
  };
`;

describe.each(databases.slice(0, 1))('a project whose extension is broken', (database) => {
  it.each([
    [
      'SDL',
      registerWith({}, { typeDefs: 'type Query { now: Clock }' }),
      'graphql/invalid-extension',
      'GraphQL extension 2 (src/index.ts:4), typeDefs: Unknown type "Clock"',
    ],
    [
      'a switch',
      'export const register = ({ graphql }) => { graphql.shadowCRUD("api::nothing.nothing").disable(); };',
      'graphql/unknown-type',
      'register failed at src/index.ts:1: ',
    ],
    [
      'an unknown policy',
      registerWith({ resolversConfig: { 'Query.tags': { policies: ['is-owne'] } } }),
      'graphql/invalid-extension',
      'Did you mean global::is-owner?',
    ],
    [
      'a policy that cannot be loaded',
      registerWith({ resolversConfig: { 'Query.tags': { policies: ['bad'] } } }),
      'project/module-load-failed',
      'src/policies/bad.ts:1 could not be loaded: ParseError',
      { 'src/policies/bad.ts': 'export default (' },
    ],
  ])(
    'does not start: %s',
    async (_name, code, error, message, files: Readonly<Record<string, string>> = {}) => {
      const { root, remove } = await createSiteFolder({
        project: 'magazine',
        database,
        files: {
          'src/index.ts': code,
          'src/policies/is-owner.ts': 'export default () => true;',
          ...files,
        },
      });
      try {
        await migrateProject(await openProject(root), { label: 'model' });
        const starting = startServer(root, {
          overrides: { host: '127.0.0.1', port: 0 },
          logger: createLogger({ level: 'silent' }),
        });
        await expect(starting).rejects.toMatchObject({
          code: error,
          message: expect.stringContaining(message) as string,
        });
      } finally {
        await remove();
      }
    },
  );
});

describe.each(databases.slice(0, 1))(
  'the development server of a project that extends its schema',
  (database) => {
    let root = '';
    let remove: () => Promise<void>;
    let server: DevServer;
    let key = '';
    const events: DevEvent[] = [];
    const next = async (work: () => Promise<void>): Promise<DevEvent> => {
      const seen = events.length;
      await work();
      await expect.poll(() => events.length, { timeout: 20_000, interval: 10 }).toBeGreaterThan(seen);
      return events[events.length - 1] as DevEvent;
    };
    const save = (path: string, text: string): Promise<void> => writeFile(join(root, path), text);

    beforeAll(async () => {
      ({ root, remove } = await createSiteFolder({
        project: 'magazine',
        database,
        files: {
          'src/index.ts': `
            export const register = ({ graphql }) => {
              graphql.use({
                typeDefs: 'type Query { now: String }',
                resolvers: { Query: { now: () => 'noon' } },
                resolversConfig: { 'Query.now': { auth: false, policies: ['gate'] } },
              });
            };
          `,
          'src/policies/gate.ts': 'export default () => true;',
        },
      }));
      server = await startDev(root, {
        overrides: { host: '127.0.0.1', port: 0 },
        logger: createLogger({ level: 'silent' }),
        onEvent: (event) => events.push(event),
      });
      const { context, close } = await openProjectDatabase(await openProject(root));
      key = (await createToken(context, { name: 'dev', type: 'full-access' })).accessKey;
      await close();
    });
    afterAll(async () => {
      await server.close();
      await remove();
    });

    it('reloads policies when they are saved, and finds new ones', async () => {
      expect((await ask(server.url, '{ now }')).data).toEqual({ now: 'noon' });
      expect(await next(() => save('src/policies/gate.ts', 'export default () => false;'))).toMatchObject({
        kind: 'serving',
      });
      expect((await ask(server.url, '{ now }')).errors).toMatchObject([{ message: 'Policy Failed' }]);
      expect(await next(() => save('src/policies/gate.ts', 'export default () => true;'))).toMatchObject({
        kind: 'serving',
      });
    });

    it('serves the previous schema while an extension is broken, and names the extension', async () => {
      const entry = await readFile(join(root, 'src/index.ts'), 'utf8');
      const broken = registerWith({}, { typeDefs: 'type Query { now: Clock }' });
      expect(await next(() => save('src/index.ts', broken))).toMatchObject({
        kind: 'failed',
        error: {
          code: 'graphql/invalid-extension',
          message: expect.stringContaining('2 (src/index.ts:4), typeDefs') as string,
        },
      });
      expect((await ask(server.url, '{ now }')).data).toEqual({ now: 'noon' });
      expect(await next(() => rm(join(root, 'src/policies/gate.ts')))).toMatchObject({ kind: 'failed' });
      expect((await ask(server.url, '{ now }')).data).toEqual({ now: 'noon' });
      expect(await next(() => save('src/index.ts', entry))).toMatchObject({
        kind: 'failed',
        error: { message: expect.stringContaining('there is no policy gate') as string },
      });
      expect((await ask(server.url, '{ now }')).data).toEqual({ now: 'noon' });
      expect(
        await next(() =>
          save('src/index.ts', entry.replace(", policies: ['gate']", '').replace('noon', 'night')),
        ),
      ).toMatchObject({ kind: 'serving' });
      expect((await ask(server.url, '{ now tags { name } }', key)).data).toEqual({ now: 'night', tags: [] });
    });
  },
);
