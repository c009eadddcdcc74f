import type { Scenario } from './comparison.js';
import { nextNumber } from './plugin-operation.js';
import type { Operation } from './plugin-operation.js';

const createRole = async ({ fixture }: Scenario): Promise<number> => {
  await fixture.testbed.request('POST', '/api/users-permissions/roles', {
    as: fixture.full,
    body: { name: `Role ${nextNumber()}` },
  });
  const { body } = await fixture.testbed.request('GET', '/api/users-permissions/roles', { as: fixture.full });
  return (body as { roles: { id: number }[] }).roles.at(-1)?.id ?? 0;
};

export const roleOperations = async (scenario: Scenario): Promise<readonly Operation[]> => {
  const { client } = scenario;
  const [remaining, deletedByRest, deletedByGraphql] = [
    await createRole(scenario),
    await createRole(scenario),
    await createRole(scenario),
  ];
  const name = `Role ${nextNumber()}`;
  return [
    {
      what: 'roles',
      kind: 'role',
      action: 'find',
      send: () => client.rest('GET', '/api/users-permissions/roles'),
    },
    {
      what: 'roles by graphql',
      kind: 'role',
      action: 'find',
      send: () => client.graphql('{ done: usersPermissionsRoles { name type } }'),
    },
    {
      what: 'one role',
      kind: 'role',
      action: 'findOne',
      send: () => client.rest('GET', `/api/users-permissions/roles/${remaining}`),
    },
    {
      what: 'make a role',
      kind: 'role',
      action: 'createRole',
      send: () => client.rest('POST', '/api/users-permissions/roles', { name: `${name} by rest` }),
    },
    {
      what: 'make a role by graphql',
      kind: 'role',
      action: 'createRole',
      send: () =>
        client.graphql(
          `mutation {
            done: createUsersPermissionsRole(
              data: { name: "${name} by graphql", permissions: ["api::story.story.find"] }
            ) { ok }
          }`,
        ),
    },
    {
      what: 'change a role',
      kind: 'role',
      action: 'updateRole',
      send: () => client.rest('PUT', `/api/users-permissions/roles/${remaining}`, { description: 'changed' }),
    },
    {
      what: 'change a role by graphql',
      kind: 'role',
      action: 'updateRole',
      send: () =>
        client.graphql(
          `mutation {
            done: updateUsersPermissionsRole(id: ${remaining}, data: { description: "changed" }) { ok }
          }`,
        ),
    },
    {
      what: 'remove a role',
      kind: 'role',
      action: 'deleteRole',
      send: () => client.rest('DELETE', `/api/users-permissions/roles/${deletedByRest}`),
    },
    {
      what: 'remove a role by graphql',
      kind: 'role',
      action: 'deleteRole',
      send: () =>
        client.graphql(`mutation { done: deleteUsersPermissionsRole(id: ${deletedByGraphql}) { ok } }`),
    },
    {
      what: 'what can be granted',
      kind: 'permissions',
      action: 'getPermissions',
      send: () => client.rest('GET', '/api/users-permissions/permissions'),
    },
  ];
};
