import type { AccessContext } from '../../../src/access/access.js';
import { setPermissions } from '../../../src/access/permissions/role-permissions.js';
import type { PermissionRule } from '../../../src/access/permissions/rules.js';
import type { LogLevel } from '../../../src/config/config.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const schemaFile = (
  name: string,
  draftAndPublish: boolean,
  attributes: Readonly<Record<string, unknown>>,
): readonly [string, string] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish },
    attributes,
  }),
];

const USER = 'plugin::users-permissions.user';

/** Notes with owners in folders, posts with drafts, and users with teams. */
const FILES = Object.fromEntries([
  schemaFile('note', false, {
    title: { type: 'string' },
    body: { type: 'text' },
    team: { type: 'string' },
    hidden: { type: 'string', private: true },
    pin: { type: 'password' },
    owner: { type: 'relation', relation: 'manyToOne', target: USER },
    folder: { type: 'relation', relation: 'manyToOne', target: 'api::folder.folder', inversedBy: 'notes' },
  }),
  schemaFile('folder', false, {
    name: { type: 'string' },
    notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'folder' },
  }),
  schemaFile('post', true, {
    title: { type: 'string' },
    owner: { type: 'relation', relation: 'manyToOne', target: USER },
  }),
  [
    'src/extensions/users-permissions/content-types/user/schema.json',
    JSON.stringify({
      attributes: { team: { type: 'string' }, secretNote: { type: 'string', private: true } },
    }),
  ],
]);

export interface TestResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface TestUser {
  readonly id: number;
  readonly documentId: string;
  readonly jwt: string;
}

/** A parsed response of the GraphQL endpoint. */
export interface GraphqlResponse {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions: { readonly code: string; readonly error: { readonly name: string } };
  }[];
  /** The whole body. */
  readonly body: unknown;
}

/** A site with functions that create users and send requests as them. */
export interface Testbed {
  readonly site: Site;
  readonly context: AccessContext;
  readonly request: (
    method: string,
    path: string,
    options?: {
      readonly as?: string | null;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ) => Promise<TestResponse>;
  readonly query: (
    document: string,
    options?: { readonly as?: string | null; readonly variables?: Readonly<Record<string, unknown>> },
  ) => Promise<GraphqlResponse>;
  /** Creates a user and signs it in. */
  readonly createUser: (username: string, extra?: Readonly<Record<string, unknown>>) => Promise<TestUser>;
  readonly grant: (
    role: string,
    uid: string,
    rules: Readonly<Record<string, Partial<PermissionRule> | true>>,
  ) => Promise<void>;
}

export const PASSWORD = 'secret123';

const read = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

interface TestbedOptions {
  readonly database: TestDatabaseKind;
  readonly usersPermissions?: Readonly<Record<string, unknown>>;
  readonly rateLimit?: boolean;
  readonly server?: Readonly<Record<string, unknown>>;
  readonly api?: Readonly<Record<string, unknown>>;
  readonly logLevel?: LogLevel;
  readonly files?: Readonly<Record<string, string>>;
}

export async function createTestbed({
  database,
  usersPermissions = {},
  rateLimit = false,
  server = {},
  api = {},
  logLevel = 'warn',
  files = {},
}: TestbedOptions): Promise<Testbed> {
  const config = {
    server,
    api,
    mcp: { enabled: 'always', allowDelete: true },
    plugins: { 'users-permissions': { config: usersPermissions }, email: { config: { provider: 'folder' } } },
  };
  const site = await createSite({
    project: 'magazine',
    database,
    rateLimit,
    config,
    logLevel,
    files: { ...FILES, ...files },
  });
  const { app } = site.server;
  const context: AccessContext = { database: app.database, model: site.project.model, salt: 'salt' };
  const request: Testbed['request'] = async (method, path, { as = null, body, headers = {} } = {}) => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...headers,
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await read(response), headers: response.headers };
  };
  const query: Testbed['query'] = async (document, { as = null, variables = {} } = {}) => {
    const { status, body } = await request('POST', '/graphql', { as, body: { query: document, variables } });
    const { data = null, errors = [] } = body as Partial<GraphqlResponse>;
    return { status, data, errors, body };
  };
  const createUser: Testbed['createUser'] = async (username, extra = {}) => {
    const created = await request('POST', '/api/users', {
      as: site.tokens['full'] ?? '',
      body: {
        username,
        email: `${username}@example.com`,
        password: PASSWORD,
        confirmed: true,
        role: await roleId(),
        ...extra,
      },
    });
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    const { id, documentId } = created.body as TestUser;
    const login = await request('POST', '/api/auth/local', {
      body: { identifier: username, password: PASSWORD },
    });
    return { id, documentId, jwt: (login.body as { jwt: string }).jwt };
  };
  const roleId = async (): Promise<unknown> => {
    const { body } = await request('GET', '/api/users-permissions/roles', { as: site.tokens['full'] ?? '' });
    return (body as { roles: { id: number; type: string }[] }).roles.find(
      ({ type }) => type === 'authenticated',
    )?.id;
  };
  const grant: Testbed['grant'] = async (role, uid, rules) => {
    await setPermissions(context, { role, uid, actions: [] });
    for (const [action, rule] of Object.entries(rules)) {
      await setPermissions(context, {
        role,
        uid,
        actions: [action],
        keepOthers: true,
        rule: { fields: null, where: null, ...(rule === true ? {} : rule) },
      });
    }
    await app.access.refresh();
  };
  return { site, context, request, query, createUser: createUser, grant };
}
