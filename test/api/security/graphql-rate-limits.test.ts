import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestbed, PASSWORD } from './testbed.js';
import type { Testbed, GraphqlResponse } from './testbed.js';

const AUTH = 'plugin::users-permissions.auth';
const MAX = 3;
const LOGIN = `
  mutation($identifier: String!, $password: String!) {
    login(input: { identifier: $identifier, password: $password }) { jwt user { username } }
  }`;

const codes = ({ errors }: GraphqlResponse): readonly string[] =>
  errors.map(({ extensions }) => extensions.code);

describe.each(databases)('attempts over GraphQL on $name', (database) => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await createTestbed({
      database,
      rateLimit: true,
      usersPermissions: { ratelimit: { max: MAX, interval: 600 } },
    });
    await testbed.grant('public', AUTH, {
      callback: true,
      forgotPassword: true,
      resetPassword: true,
      register: true,
      emailConfirmation: true,
    });
    await testbed.grant('authenticated', AUTH, { callback: true, changePassword: true });
  });
  afterAll(() => testbed.site.close());

  const makeUser = async (username: string): Promise<number> => {
    const { body, status } = await testbed.request('POST', '/api/users', {
      as: testbed.site.tokens['full'] ?? '',
      body: { username, email: `${username}@example.com`, password: PASSWORD, role: 1, confirmed: true },
    });
    expect(status).toBe(201);
    return (body as { id: number }).id;
  };
  const byGraphql = async (identifier: string, password = 'wrong-one'): Promise<string> =>
    codes(await testbed.query(LOGIN, { variables: { identifier, password } }))[0] ?? 'ok';
  const byRest = async (identifier: string, password = 'wrong-one'): Promise<number> =>
    (await testbed.request('POST', '/api/auth/local', { body: { identifier, password } })).status;

  it('share a count with those over REST', async () => {
    await makeUser('target');
    expect([await byRest('target'), await byGraphql('target'), await byRest(' TARGET ')]).toEqual([
      400,
      'BAD_USER_INPUT',
      400,
    ]);
    expect([
      await byGraphql('Target'),
      await byRest('target'),
      await byGraphql('target', PASSWORD),
      await byRest('target', PASSWORD),
    ]).toEqual(['STRAPI_RATE_LIMIT_ERROR', 429, 'STRAPI_RATE_LIMIT_ERROR', 429]);
    await makeUser('other');
    expect([
      await byGraphql('other'),
      await byGraphql(' Other'),
      await byGraphql('OTHER'),
      await byRest('other', PASSWORD),
      await byGraphql('other', PASSWORD),
    ]).toEqual(['BAD_USER_INPUT', 'BAD_USER_INPUT', 'BAD_USER_INPUT', 429, 'STRAPI_RATE_LIMIT_ERROR']);
  });

  it('are rejected with the time to wait, in the usual form of errors', async () => {
    const { status, body } = await testbed.query(LOGIN, {
      variables: { identifier: 'target', password: 'x' },
    });
    expect([status, body]).toMatchObject([
      200,
      {
        data: null,
        errors: [
          {
            message: expect.stringMatching(/^Too many requests; try again in \d+ s\.$/),
            path: ['login'],
            extensions: { code: 'STRAPI_RATE_LIMIT_ERROR', error: { name: 'RateLimitError', details: {} } },
          },
        ],
      },
    ]);
  });

  it('are counted one by one in a document, compiled or not', async () => {
    await makeUser('crowd');
    const guesses = Array.from({ length: 40 }, (_item, index) => {
      const password = index === 39 ? PASSWORD : 'wrong-one';
      return `g${index}: login(input: { identifier: "crowd", password: "${password}" }) { jwt }`;
    }).join(' ');
    for (let run = 0; run < 4; run += 1)
      expect(JSON.stringify((await testbed.query(`mutation { ${guesses} }`)).body)).not.toContain('"jwt":"');
    expect(await byRest('crowd', PASSWORD)).toBe(429);
    const asked = Array.from(
      { length: 20 },
      (_item, index) => `f${index}: forgotPassword(email: "crowd@example.com") { ok }`,
    ).join(' ');
    const reply = await testbed.query(`mutation { ${asked} }`);
    expect(Object.values(reply.data ?? {}).filter((value) => value !== null)).toHaveLength(MAX);
    expect(codes(reply)).toEqual(Array.from({ length: 20 - MAX }, () => 'STRAPI_RATE_LIMIT_ERROR'));
    expect(
      (await testbed.request('POST', '/api/auth/forgot-password', { body: { email: 'Crowd@example.com' } }))
        .status,
    ).toBe(429);
  });

  it('at codes are counted over both transports', async () => {
    const guess = async (code: string) =>
      codes(
        await testbed.query(
          `mutation($code: String!) {
            resetPassword(code: $code, password: "secret123", passwordConfirmation: "secret123") { jwt }
          }`,
          { variables: { code } },
        ),
      )[0];
    const guessByRest = async (code: string) =>
      (
        await testbed.request('POST', '/api/auth/reset-password', {
          body: { code, password: PASSWORD, passwordConfirmation: PASSWORD },
        })
      ).status;
    for (let round = 0; round < 5 * MAX; round += 1)
      expect([await guess('a'), await guessByRest('b')]).toEqual(['BAD_USER_INPUT', 400]);
    expect([await guess('d'), await guessByRest('e')]).toEqual(['STRAPI_RATE_LIMIT_ERROR', 429]);
    const confirm = async () =>
      codes(await testbed.query('mutation { emailConfirmation(confirmation: "x") { jwt } }'))[0];
    const confirmByRest = async () =>
      (await testbed.request('GET', '/api/auth/email-confirmation?confirmation=y')).status;
    for (let round = 0; round < 5 * MAX; round += 1)
      expect([await confirm(), await confirmByRest()]).toEqual(['BAD_USER_INPUT', 400]);
    expect([await confirm(), await confirmByRest()]).toEqual(['STRAPI_RATE_LIMIT_ERROR', 429]);
  });
});

describe.each(databases)('attempts of signed-in users on $name', (database) => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await createTestbed({
      database,
      rateLimit: true,
      usersPermissions: { ratelimit: { max: MAX, interval: 600 } },
    });
    await testbed.grant('public', AUTH, { callback: true });
    await testbed.grant('authenticated', AUTH, { callback: true, changePassword: true });
  });
  afterAll(() => testbed.site.close());

  it("at another user's password count for that user, with any credential", async () => {
    await testbed.createUser('victim');
    const thieves = [await testbed.createUser('tom'), await testbed.createUser('tim')];
    const guess = async (as: string | null) =>
      (
        await testbed.request('POST', '/api/auth/local', {
          as,
          body: { identifier: 'victim', password: 'wrong-one' },
        })
      ).status;
    const guessByGraphql = async (as: string) =>
      codes(
        await testbed.query(LOGIN, { as, variables: { identifier: 'victim', password: 'wrong-one' } }),
      )[0];
    expect([
      await guess(thieves[0]?.jwt ?? ''),
      await guess(null),
      await guessByGraphql(thieves[1]?.jwt ?? ''),
    ]).toEqual([400, 400, 'BAD_USER_INPUT']);
    expect([
      await guess(thieves[0]?.jwt ?? ''),
      await guess(thieves[1]?.jwt ?? ''),
      await guessByGraphql(thieves[1]?.jwt ?? ''),
      await guess(null),
    ]).toEqual([429, 429, 'STRAPI_RATE_LIMIT_ERROR', 429]);
  });

  it('at their own password are counted over both transports', async () => {
    const { jwt } = await testbed.createUser('paul');
    const change = async () =>
      (
        await testbed.request('POST', '/api/auth/change-password', {
          as: jwt,
          body: { currentPassword: 'wrong-one', password: 'new-secret', passwordConfirmation: 'new-secret' },
        })
      ).status;
    const changeByGraphql = async () =>
      codes(
        await testbed.query(
          `mutation {
            changePassword(
              currentPassword: "wrong-one", password: "new-secret", passwordConfirmation: "new-secret"
            ) { jwt }
          }`,
          { as: jwt },
        ),
      )[0];
    expect([
      await change(),
      await changeByGraphql(),
      await change(),
      await changeByGraphql(),
      await change(),
    ]).toEqual([400, 'BAD_USER_INPUT', 400, 'STRAPI_RATE_LIMIT_ERROR', 429]);
  });
});
