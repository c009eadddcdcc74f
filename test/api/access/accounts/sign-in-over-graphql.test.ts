import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { createTestbed, PASSWORD } from '../../security/testbed.js';
import type { Testbed } from '../../security/testbed.js';

/** Repeated documents are compiled, so each is sent several times. */
const RUNS = 6;

const LOGIN =
  'mutation($input: UsersPermissionsLoginInput!) { login(input: $input) { jwt user { username } } }';

describe.each(databases)('signing in over GraphQL, with variables, on $name', (database) => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await createTestbed({ database });
    await testbed.createUser('ann');
    await testbed.grant('public', 'plugin::users-permissions.auth', { callback: true });
  });
  afterAll(() => testbed.site.close());

  it('works for repeated documents, also without fields that have defaults', async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const { data } = await testbed.query(LOGIN, {
        variables: { input: { identifier: 'ann', password: PASSWORD } },
      });
      expect([run, data]).toEqual([run, { login: { jwt: expect.any(String), user: { username: 'ann' } } }]);
      const refused = await testbed.query(LOGIN, {
        variables: { input: { identifier: 'ann', password: 'wrong' } },
      });
      expect([run, refused.status, refused.errors[0]?.extensions.error.name]).toEqual([
        run,
        200,
        'ValidationError',
      ]);
      expect((await testbed.query(LOGIN, { variables: { input: { identifier: 'ann' } } })).status).toBe(400);
    }
    expect(testbed.site.log).toEqual([]);
  });
});
