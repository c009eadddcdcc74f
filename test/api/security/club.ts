import type { AccessContext } from '../../../src/access/access.js';
import { setPermissions } from '../../../src/access/operations/set-permissions.js';
import type { PermissionRule } from '../../../src/access/rules.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const schema = (name: string, draftAndPublish: boolean, attributes: Readonly<Record<string, unknown>>): readonly [string, string] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  JSON.stringify({ kind: 'collectionType', collectionName: `${name}s`, info: { singularName: name, pluralName: `${name}s`, displayName: name }, options: { draftAndPublish }, attributes }),
];

const USER = 'plugin::users-permissions.user';

/** Notes that belong to people and lie in folders, posts with drafts, and people with teams. */
const FILES = Object.fromEntries([
  schema('note', false, {
    title: { type: 'string' }, body: { type: 'text' }, team: { type: 'string' }, hidden: { type: 'string', private: true }, pin: { type: 'password' },
    owner: { type: 'relation', relation: 'manyToOne', target: USER },
    folder: { type: 'relation', relation: 'manyToOne', target: 'api::folder.folder', inversedBy: 'notes' },
  }),
  schema('folder', false, { name: { type: 'string' }, notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'folder' } }),
  schema('post', true, { title: { type: 'string' }, owner: { type: 'relation', relation: 'manyToOne', target: USER } }),
  ['src/extensions/users-permissions/content-types/user/schema.json', JSON.stringify({ attributes: { team: { type: 'string' }, secretNote: { type: 'string', private: true } } })],
]);

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface Person {
  readonly id: number;
  readonly documentId: string;
  readonly jwt: string;
}

/** An answer of the GraphQL endpoint, read. */
export interface GraphqlReply {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly { readonly message: string; readonly path?: readonly unknown[]; readonly extensions: { readonly code: string; readonly error: { readonly name: string } } }[];
  /** The answer as it came. */
  readonly body: unknown;
}

/** A site whose people can be made and spoken for. */
export interface Club {
  readonly site: Site;
  readonly context: AccessContext;
  readonly ask: (method: string, path: string, options?: { readonly as?: string | null; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }) => Promise<Answer>;
  readonly query: (document: string, options?: { readonly as?: string | null; readonly variables?: Readonly<Record<string, unknown>> }) => Promise<GraphqlReply>;
  /** Signs somebody up and in. */
  readonly join: (username: string, extra?: Readonly<Record<string, unknown>>) => Promise<Person>;
  readonly grant: (role: string, uid: string, rules: Readonly<Record<string, Partial<PermissionRule> | true>>) => Promise<void>;
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

interface ClubOptions {
  readonly database: TestDatabaseKind;
  readonly people?: Readonly<Record<string, unknown>>;
  readonly rateLimit?: boolean;
  readonly files?: Readonly<Record<string, string>>;
}

export async function createClub({ database, people = {}, rateLimit = false, files = {} }: ClubOptions): Promise<Club> {
  const config = { plugins: { 'users-permissions': { config: people }, email: { config: { provider: 'folder' } } } };
  const site = await createSite({ project: 'magazine', database, rateLimit, config, files: { ...FILES, ...files } });
  const { app } = site.server;
  const context: AccessContext = { database: app.database, model: site.project.model, salt: 'salt' };
  const ask: Club['ask'] = async (method, path, { as = null, body, headers = {} } = {}) => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(as === null ? {} : { authorization: `Bearer ${as}` }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await read(response), headers: response.headers };
  };
  const query: Club['query'] = async (document, { as = null, variables = {} } = {}) => {
    const { status, body } = await ask('POST', '/graphql', { as, body: { query: document, variables } });
    const { data = null, errors = [] } = body as Partial<GraphqlReply>;
    return { status, data, errors, body };
  };
  const joinClub: Club['join'] = async (username, extra = {}) => {
    const made = await ask('POST', '/api/users', { as: site.tokens['full'] ?? '', body: { username, email: `${username}@example.com`, password: PASSWORD, confirmed: true, role: await roleId(), ...extra } });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const { id, documentId } = made.body as Person;
    const login = await ask('POST', '/api/auth/local', { body: { identifier: username, password: PASSWORD } });
    return { id, documentId, jwt: (login.body as { jwt: string }).jwt };
  };
  const roleId = async (): Promise<unknown> => {
    const { body } = await ask('GET', '/api/users-permissions/roles', { as: site.tokens['full'] ?? '' });
    return (body as { roles: { id: number; type: string }[] }).roles.find(({ type }) => type === 'authenticated')?.id;
  };
  const grant: Club['grant'] = async (role, uid, rules) => {
    await setPermissions(context, { role, uid, actions: [] });
    for (const [action, rule] of Object.entries(rules)) {
      await setPermissions(context, { role, uid, actions: [action], keepsOthers: true, rule: { fields: null, where: null, ...(rule === true ? {} : rule) } });
    }
    await app.access.refresh();
  };
  return { site, context, ask, query, join: joinClub, grant };
}
