import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXTENSION_EXAMPLE } from '../fixtures/extension-example.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const USAGE = `
import type {
  GraphqlExtensionService,
  Middleware,
  MiddlewareFactory,
  Policy,
  RegisterContext,
  ResolverConfig,
  Resolvers,
} from 'galley';

const isOwner: Policy = ({ state, args, http }, config, { strapi }) =>
  state.user?.['username'] === args['name'] &&
  http.request.method === 'POST' &&
  config['x'] !== strapi.model.types.length;
const note: Middleware = async (next, parent, args, context, info) => {
  info.cacheControl.setCacheHint({ maxAge: 60, scope: 'PUBLIC' });
  return [await next(parent, args, context, info), info.fieldName];
};
const trim: MiddlewareFactory = ({ length }, { app }) => async (next) =>
  String(await next()).slice(0, Number(length) + app.model.types.length);
const rules: Record<string, ResolverConfig> = {
  'Query.x': {
    auth: { scope: ['api::x.x.find'] },
    policies: ['a', { name: 'b', config: { c: 1 } }, (context, { strapi }) => context.parent !== strapi],
    middlewares: [note, 'c', { name: 'd', options: {} }],
  },
  'Query.y': { auth: false },
};
const resolvers: Resolvers = { Query: { x: async (_parent: unknown, { id }: { id: string }) => id } };
const switches = (graphql: GraphqlExtensionService): boolean =>
  graphql.shadowCRUD('api::x.x').disable().field('a').disableInput().hasInputEnabled();

export const register = ({ graphql, policies, middlewares, strapi }: RegisterContext): void => {
  policies.set('is-owner', isOwner);
  middlewares.set('trim', trim);
  middlewares.set('note', note);
  graphql
    .use({ typeDefs: ['type Query { x: Int }'], resolvers, resolversConfig: rules })
    .use(() => ({ typeDefs: '' }));
  strapi.plugin('graphql').service('extension').use({});
  // @ts-expect-error
  graphql.use({ typeDef: 'type Query { x: Int }' });
  // @ts-expect-error
  graphql.use({ resolversConfig: { 'Query.x': { auth: true } } });
  // @ts-expect-error
  graphql.shadowCRUD('api::x.x').disableEverything();
  switches(graphql);
};
`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'types-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const compile = async (text: string): Promise<string> => {
  await writeFile(join(folder, 'index.ts'), text);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const options = {
    strict: true,
    noEmit: true,
    module: 'NodeNext',
    target: 'ES2023',
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    skipLibCheck: true,
    paths: { galley: [join(ROOT, 'src/index.ts')] },
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['index.ts'] }),
  );
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'],
      (_, stdout) =>
        resolve(
          stdout
            .split('\n')
            .filter((line) => /(?:^|\/)index\.ts\(/.test(line) && !line.includes('src/index.ts'))
            .join('\n'),
        ),
    );
  });
};

describe('a project in TypeScript', () => {
  it('compiles the example of the README', async () => {
    expect(await compile(EXTENSION_EXAMPLE)).toBe('');
  });

  it('compiles with every exported type of extensions, and not with mistakes', async () => {
    expect(await compile(USAGE)).toBe('');
    expect(await compile(USAGE.replaceAll('// @ts-expect-error', ''))).not.toBe('');
  });
});
