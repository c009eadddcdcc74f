import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createClub, PASSWORD } from '../security/club.js';
import type { Club } from '../security/club.js';

/** Documents are compiled when they come again, which they do here. */
const RUNS = 6;

const LOGIN = 'mutation($input: UsersPermissionsLoginInput!) { login(input: $input) { jwt user { username } } }';

describe.each(databases)('signing in over GraphQL, with variables, on $name', (database) => {
  let club: Club;
  beforeAll(async () => {
    club = await createClub({ database });
    await club.join('ann');
    await club.grant('public', 'plugin::users-permissions.auth', { callback: true });
  });
  afterAll(() => club.site.close());

  it('works however often the document comes, also where fields with defaults are left out', async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const { data } = await club.query(LOGIN, { variables: { input: { identifier: 'ann', password: PASSWORD } } });
      expect([run, data]).toEqual([run, { login: { jwt: expect.any(String), user: { username: 'ann' } } }]);
      const refused = await club.query(LOGIN, { variables: { input: { identifier: 'ann', password: 'wrong' } } });
      expect([run, refused.status, refused.errors[0]?.extensions.error.name]).toEqual([run, 200, 'ValidationError']);
      expect((await club.query(LOGIN, { variables: { input: { identifier: 'ann' } } })).status).toBe(400);
    }
    expect(club.site.log).toEqual([]);
  });
});
