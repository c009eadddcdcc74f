import { PASSWORD } from '../testbed.js';
import type { Scenario } from './comparison.js';
import { nextNumber } from './plugin-operation.js';
import type { Operation } from './plugin-operation.js';

const newUserBody = (): Readonly<Record<string, string>> => {
  const number = nextNumber();
  return { username: `made${number}`, email: `made${number}@example.org`, password: PASSWORD };
};

const createUser = async ({ fixture }: Scenario): Promise<number> => {
  const { body } = await fixture.testbed.request('POST', '/api/users', {
    as: fixture.full,
    body: newUserBody(),
  });
  return (body as { id: number }).id;
};

export const userOperations = async (scenario: Scenario): Promise<readonly Operation[]> => {
  const { client, fixture, caller } = scenario;
  const ann = fixture.users['ann'];
  const byGraphql =
    (field: string, kind = 'mutation') =>
    () =>
      client.graphql(`${kind} { done: ${field} }`);
  const [first, second] = [await createUser(scenario), await createUser(scenario)];
  const data = (): string =>
    Object.entries(newUserBody())
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
      .join(', ');
  // Only users have an account of their own to read.
  const self = caller.username === null ? 'unauthorised' : 'ok';
  const destroyed = await createUser(scenario);
  return [
    { what: 'users', kind: 'user', action: 'find', send: () => client.rest('GET', '/api/users?populate=*') },
    {
      what: 'users by graphql',
      kind: 'user',
      action: 'find',
      send: byGraphql(
        `usersPermissionsUsers_connection(pagination: { limit: -1 }) {
          nodes { username } pageInfo { total }
        }`,
        'query',
      ),
    },
    {
      what: 'one user',
      kind: 'user',
      action: 'findOne',
      send: () => client.rest('GET', `/api/users/${ann?.id ?? 0}`),
    },
    {
      what: 'one user by graphql',
      kind: 'user',
      action: 'findOne',
      send: byGraphql(`usersPermissionsUser(documentId: "${ann?.documentId ?? ''}") { username }`, 'query'),
    },
    { what: 'count', kind: 'user', action: 'count', send: () => client.rest('GET', '/api/users/count') },
    {
      what: 'me',
      kind: 'user',
      action: 'me',
      send: () => client.rest('GET', '/api/users/me?populate=*'),
      expected: self,
    },
    {
      what: 'me by graphql',
      kind: 'user',
      action: 'me',
      send: byGraphql('me { username email role { name } }', 'query'),
      expected: self,
    },
    {
      what: 'make a user',
      kind: 'user',
      action: 'create',
      send: () => client.rest('POST', '/api/users', newUserBody()),
    },
    {
      what: 'make a user by graphql',
      kind: 'user',
      action: 'create',
      send: byGraphql(`createUsersPermissionsUser(data: { ${data()} }) { data { documentId } }`),
    },
    {
      what: 'change a user',
      kind: 'user',
      action: 'update',
      send: () => client.rest('PUT', `/api/users/${first}`, { title: 'changed' }),
    },
    {
      what: 'change a user by graphql',
      kind: 'user',
      action: 'update',
      send: byGraphql(
        `updateUsersPermissionsUser(id: ${first}, data: { title: "changed" }) { data { documentId } }`,
      ),
    },
    {
      what: "change a user's secret",
      kind: 'user',
      action: 'update',
      send: () =>
        client.rest('PUT', `/api/users/${first}`, { note: 'note-of-made', password: 'another-one' }),
    },
    {
      what: 'remove a user',
      kind: 'user',
      action: 'destroy',
      send: () => client.rest('DELETE', `/api/users/${second}`),
    },
    {
      what: 'remove a user by graphql',
      kind: 'user',
      action: 'destroy',
      send: byGraphql(`deleteUsersPermissionsUser(id: ${destroyed}) { data { documentId } }`),
    },
  ];
};
