import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Access, Caller, Grants } from '../../../../src/access/access.js';
import { readAccessOf, authorise } from '../../../../src/access/permissions/authorise.js';
import type { AccountContext } from '../../../../src/access/accounts/account-context.js';
import type { LogLevel } from '../../../../src/config/config.js';
import { parseConfig } from '../../../../src/config/parse-config.js';
import { createProjectGraphql } from '../../../../src/project/open/graphql-extension.js';
import type { ProjectGraphql } from '../../../../src/project/open/graphql-extension.js';
import type { Project } from '../../../../src/project/open/open-project.js';
import { createDocumentService } from '../../../../src/documents/create-document-service.js';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import { createProjectDocuments } from '../../../../src/documents/create-repository.js';
import { createError } from '../../../../src/errors/catalogue.js';
import { graphqlOptionsOf } from '../../../../src/api/graphql/graphql-options.js';
import { createGraphqlPlugin } from '../../../../src/api/graphql/http/graphql-plugin.js';
import type { MediaLibrary } from '../../../../src/media/media.js';
import { parseJsonBody } from '../../../../src/api/rest/parse-json-body.js';
import { createLogger } from '../../../../src/server/logger.js';
import { createServer } from '../../../../src/server/create-server.js';
import { toGalleyError } from '../../../../src/server/request-errors.js';
import type { TestEnvironment } from '../../../support/test-environment.js';

export interface GraphqlResult {
  readonly status: number;
  readonly body: {
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly {
      readonly message: string;
      readonly path?: readonly unknown[];
      readonly extensions: Readonly<Record<string, unknown>>;
    }[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  };
  /** Number of SQL statements that the request read with. */
  readonly statements: number;
}

interface AskOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
  /** Key of `callers`. Default: `full`, who may do everything. */
  readonly as?: string;
}

/** The GraphQL endpoint of a test environment, in this process. */
export interface Endpoint {
  readonly fastify: FastifyInstance;
  readonly ask: (query: string, options?: AskOptions) => Promise<GraphqlResult>;
  readonly inject: (options: InjectOptions) => Promise<GraphqlResult>;
  readonly log: readonly string[];
  readonly locales: string[];
  readonly close: () => Promise<void>;
}

export interface EndpointOptions {
  readonly testEnvironment: TestEnvironment;
  /** `plugins.graphql.config` */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly environment?: 'development' | 'production';
  /** Grants of callers other than `full`, by the value of their Authorization header. */
  readonly callers?: Readonly<Record<string, Grants>>;
  /** Extends the schema as a project's `register` would. */
  readonly extend?: (graphql: ProjectGraphql) => void;
  /** Loads the project's persisted documents. */
  readonly loadPersisted?: () => Promise<ReadonlyMap<string, string>>;
  /** Root folder of the project. */
  readonly root?: string;
  /** From which level on `log` has lines. Default: `error`. */
  readonly logLevel?: LogLevel;
}

const localeRecord = (code: string, index: number) => ({
  id: index + 1,
  documentId: `l${index}`,
  code,
  name: code.toUpperCase(),
  isDefault: index === 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  publishedAt: '2026-01-01T00:00:00.000Z',
});

const throwUnavailable = (name: string) => (): never => {
  throw new Error(`${name} is not available in this test`);
};

/** A service that these tests do not use. */
const unavailable = <T extends object>(name: string): T =>
  new Proxy({}, { get: throwUnavailable(name) }) as T;

export async function createEndpoint({
  testEnvironment,
  config = {},
  environment = 'development',
  callers = {},
  extend,
  loadPersisted,
  root = '/nowhere',
  logLevel = 'error',
}: EndpointOptions): Promise<Endpoint> {
  const { model } = testEnvironment;
  let statements = 0;
  const counted =
    <Args extends unknown[], T>(read: (...args: Args) => T) =>
    (...args: Args): T => {
      statements += 1;
      return read(...args);
    };
  const database = {
    ...testEnvironment.database,
    readTexts: counted(testEnvironment.database.readTexts),
    readNumber: counted(testEnvironment.database.readNumber),
  };
  const locales = ['en', 'fr', 'de'];
  const callerOf = (header: string | undefined): Caller => {
    if (header === undefined)
      return { kind: 'anonymous', grants: { kind: 'actions', actions: new Set(), rules: new Map() } };
    if (header === 'full') return { kind: 'token', tokenId: 1, grants: { kind: 'all' } };
    const grants = callers[header];
    if (grants === undefined) throw createError('request/unauthorized');
    return { kind: 'token', tokenId: 2, grants };
  };
  const access: Access = {
    ...unavailable<Access>('access'),
    authenticate: async (header) => callerOf(header),
    authorise,
    readAccessOf: (caller) => readAccessOf(model, caller),
    locales: {
      all: () => locales.map(localeRecord),
      defaultCode: () => 'en',
      has: (code) => locales.includes(code),
    },
  };
  const options = graphqlOptionsOf({ plugins: { graphql: { enabled: true, config } }, environment });
  if (options === null) throw new Error('GraphQL is disabled');
  const log: string[] = [];
  const documents = createDocumentService({ model, database, locales: access.locales });
  const logger = createLogger({ level: logLevel, stream: { write: (line) => void log.push(line) } });
  const graphql = createProjectGraphql({
    project: {
      root,
      model,
      config: parseConfig({ root, file: null, input: {}, environment: {}, overrides: {} }),
      strapiConfig: { values: {} },
    } as unknown as Project,
    documents: createProjectDocuments({
      model,
      documents,
      defaultLocale: access.locales.defaultCode,
      hooks: createDocumentHooks({ onError: () => {} }),
    }),
    log: logger,
  });
  extend?.(graphql);
  const fastify = await createServer({
    config: {
      host: '',
      port: 0,
      bodyLimit: 100_000,
      cors: { origin: false, credentials: false },
      proxy: false,
    },
    logger,
    plugins: [
      createGraphqlPlugin({
        ...(loadPersisted === undefined ? {} : { loadPersisted }),
        model,
        documents,
        access,
        options,
        maxNodes: 500,
        maxBulk: 1000,
        parseBody: parseJsonBody,
        toGalleyError: toGalleyError,
        ...(extend === undefined ? {} : { extension: await graphql.createExtension() }),
        accounts: unavailable<AccountContext>('accounts'),
        media: unavailable<MediaLibrary>('media'),
      }),
    ],
  });
  const inject = async (request: InjectOptions): Promise<GraphqlResult> => {
    statements = 0;
    const response = await fastify.inject(request);
    return { status: response.statusCode, body: response.json(), statements };
  };
  const ask: Endpoint['ask'] = (query, { variables, operationName, as = 'full' } = {}) =>
    inject({
      method: 'POST',
      url: options.endpoint,
      payload: { query, variables, operationName },
      headers: as === 'none' ? {} : { authorization: as },
    });
  return { fastify, ask, inject, log, locales, close: () => fastify.close() };
}
