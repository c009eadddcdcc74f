import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Access, Caller, Grants } from '../../../../src/access/access.js';
import { accessOf, authorise } from '../../../../src/access/decide.js';
import type { PeopleContext } from '../../../../src/access/people/people.js';
import { createProjectGraphql } from '../../../../src/app/graphql-extension.js';
import type { ProjectGraphql } from '../../../../src/app/graphql-extension.js';
import type { Project } from '../../../../src/app/open-project.js';
import { createDocumentService } from '../../../../src/documents/create-document-service.js';
import { fail } from '../../../../src/errors/catalogue.js';
import { graphqlOptionsOf } from '../../../../src/graphql/graphql-options.js';
import { createGraphqlPlugin } from '../../../../src/graphql/http/graphql-plugin.js';
import type { MediaLibrary } from '../../../../src/media/media.js';
import { createLogger } from '../../../../src/server/logger.js';
import { createServer } from '../../../../src/server/create-server.js';
import { toGalleyError } from '../../../../src/server/to-galley-error.js';
import type { World } from '../../../support/world.js';

export interface GraphqlAnswer {
  readonly status: number;
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly { readonly message: string; readonly path?: readonly unknown[]; readonly extensions: Readonly<Record<string, unknown>> }[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  };
  /** SQL statements of reads that the request caused. */
  readonly statements: number;
}

export interface AskOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
  /** Default: everything is granted. */
  readonly as?: string;
}

/** The GraphQL endpoint of a world, in this process. */
export interface Endpoint {
  readonly fastify: FastifyInstance;
  readonly ask: (query: string, options?: AskOptions) => Promise<GraphqlAnswer>;
  readonly inject: (options: InjectOptions) => Promise<GraphqlAnswer>;
  readonly log: readonly string[];
  readonly locales: string[];
  readonly close: () => Promise<void>;
}

export interface EndpointOptions {
  readonly world: World;
  /** `plugins.graphql.config` */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly environment?: 'development' | 'production';
  /** What callers other than `full` may do, by the credential. */
  readonly callers?: Readonly<Record<string, Grants>>;
  /** What `register` of a project does with GraphQL. */
  readonly extend?: (graphql: ProjectGraphql) => void;
  /** The project's own documents. */
  readonly loadPersisted?: () => Promise<ReadonlyMap<string, string>>;
  /** The folder of that project. */
  readonly root?: string;
}

const localeRecord = (code: string, index: number) => ({ id: index + 1, documentId: `l${index}`, code, name: code.toUpperCase(), isDefault: index === 0, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' });

const nothing = (name: string) => (): never => {
  throw new Error(`${name} is not there`);
};

/** No accounts and no files: these conversations are about content. */
const absent = <T extends object>(name: string): T => new Proxy({}, { get: nothing(name) }) as T;

export async function createEndpoint({ world, config = {}, environment = 'development', callers = {}, extend, loadPersisted, root = '/nowhere' }: EndpointOptions): Promise<Endpoint> {
  const { model } = world;
  let statements = 0;
  const counted = <Args extends unknown[], T>(read: (...args: Args) => T) => (...args: Args): T => {
    statements += 1;
    return read(...args);
  };
  const database = { ...world.database, readTexts: counted(world.database.readTexts), readNumber: counted(world.database.readNumber) };
  const locales = ['en', 'fr', 'de'];
  const callerOf = (header: string | undefined): Caller => {
    if (header === undefined) return { kind: 'anonymous', grants: { kind: 'actions', actions: new Set(), rules: new Map() } };
    if (header === 'full') return { kind: 'token', tokenId: 1, grants: { kind: 'all' } };
    const grants = callers[header];
    if (grants === undefined) throw fail('request/unauthorized');
    return { kind: 'token', tokenId: 2, grants };
  };
  const access: Access = {
    ...absent<Access>('access'),
    authenticate: async (header) => callerOf(header),
    authorise,
    accessOf: (caller) => accessOf(model, caller),
    locales: { all: () => locales.map(localeRecord), defaultCode: () => 'en', has: (code) => locales.includes(code) },
  };
  const options = graphqlOptionsOf({ plugins: { graphql: { enabled: true, config } }, environment });
  if (options === null) throw new Error('switched off');
  const log: string[] = [];
  const documents = createDocumentService({ model, database, locales: access.locales });
  const logger = createLogger({ level: 'error', stream: { write: (line) => void log.push(line) } });
  const graphql = createProjectGraphql({ project: { root, model, config: {} } as unknown as Project, documents, defaultLocale: access.locales.defaultCode, log: logger });
  extend?.(graphql);
  const fastify = await createServer({
    config: { host: '', port: 0, bodyLimit: 100_000, cors: { origin: false, credentials: false }, proxy: false },
    logger,
    plugins: [createGraphqlPlugin({
      ...(loadPersisted === undefined ? {} : { loadPersisted }),
      model, documents, access, options, maxNodes: 500, describe: toGalleyError,
      ...(extend === undefined ? {} : { extension: graphql.extension }),
      people: absent<PeopleContext>('people'), media: absent<MediaLibrary>('media'), tries: { hit: nothing('tries') },
    })],
  });
  const inject = async (request: InjectOptions): Promise<GraphqlAnswer> => {
    statements = 0;
    const response = await fastify.inject(request);
    return { status: response.statusCode, body: response.json(), statements };
  };
  const ask: Endpoint['ask'] = (query, { variables, operationName, as = 'full' } = {}) => inject({
    method: 'POST', url: options.endpoint, payload: { query, variables, operationName }, headers: as === 'none' ? {} : { authorization: as },
  });
  return { fastify, ask, inject, log, locales, close: () => fastify.close() };
}
