import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRateCounter } from '../../../src/access/accounts/attempts.js';
import { databases } from '../../support/databases.js';
import { createTestbed, PASSWORD } from './testbed.js';
import type { Testbed } from './testbed.js';

const AUTH = 'plugin::users-permissions.auth';

describe.each(databases)('limits of attempts on $name', (database) => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await createTestbed({
      database,
      rateLimit: true,
      usersPermissions: { ratelimit: { max: 3, interval: 60 } },
    });
    await testbed.grant('public', AUTH, {
      callback: true,
      forgotPassword: true,
      resetPassword: true,
      register: true,
    });
  });
  afterAll(() => testbed.site.close());

  const attempt = async (
    bodies: readonly unknown[],
    path = '/api/auth/local',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (const body of bodies) statuses.push((await testbed.request('POST', path, { body, headers })).status);
    return statuses;
  };
  const guess = (identifier: string, extra = {}) => ({ identifier, password: 'wrong-one', ...extra });

  it("stop guessing one account's password, with any body and spelling", async () => {
    await testbed.request('POST', '/api/users', {
      as: testbed.site.tokens['full'] ?? '',
      body: { username: 'target', email: 'target@example.com', password: PASSWORD },
    });
    const bodies = [
      guess('target'),
      guess('target', { email: 'a@example.com' }),
      guess(' TARGET ', { email: 'b@example.com' }),
      guess('target', { email: 'c@example.com' }),
      guess('Target', { username: 'x' }),
    ];
    expect(await attempt(bodies)).toEqual([400, 400, 400, 429, 429]);
    expect(await attempt([guess('target')], '/api/auth/local', { 'x-forwarded-for': '10.9.8.7' })).toEqual([
      429,
    ]);
    // A parameter that the endpoint does not take is refused before any password is compared.
    const right = { identifier: 'target', password: PASSWORD };
    expect(await attempt([guess('target'), right], '/api/auth/local?x=1')).toEqual([400, 400]);
    expect(await attempt([guess('target')], '/api/auth/local/')).toEqual([429]);
    const refused = await testbed.request('POST', '/api/auth/local', { body: guess('target') });
    expect(refused).toMatchObject({
      status: 429,
      body: { data: null, error: { status: 429, name: 'RateLimitError' } },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await attempt([right])).toEqual([429]);
  });

  it('count failures, so that colleagues behind one address sign up and in', async () => {
    const people = Array.from({ length: 6 }, (_item, index) => `colleague${index}`);
    const signUps = people.map((username) => ({
      username,
      email: `${username}@example.com`,
      password: PASSWORD,
    }));
    expect(await attempt(signUps, '/api/auth/local/register')).toEqual(people.map(() => 200));
    const signIns = Array.from({ length: 8 }, () => ({ identifier: 'colleague1', password: PASSWORD }));
    const [first, second, third] = [guess('colleague1'), guess('colleague1'), guess('colleague1')];
    expect(await attempt([...signIns, first, second, ...signIns, third, guess('colleague1')])).toEqual([
      ...signIns.map(() => 200),
      400,
      400,
      ...signIns.map(() => 200),
      400,
      429,
    ]);
  });

  it('stop guessing many accounts from one address', async () => {
    const statuses = await attempt(Array.from({ length: 40 }, (_item, index) => guess(`name${index}`)));
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(30);
  });

  it('stop requesting and guessing codes', async () => {
    expect(
      await attempt(
        Array.from({ length: 4 }, () => ({ email: 'target@example.com' })),
        '/api/auth/forgot-password',
      ),
    ).toEqual([200, 200, 200, 429]);
    const code = (index: number) => ({
      code: String(index),
      password: PASSWORD,
      passwordConfirmation: PASSWORD,
    });
    const guesses = await attempt(
      Array.from({ length: 31 }, (_item, index) => code(index)),
      '/api/auth/reset-password',
    );
    expect(guesses).toEqual([...Array.from({ length: 30 }, () => 400), 429]);
  });

  it('are shared by all processes, and reset when their window ends', async () => {
    let time = 1_000_000;
    const [here, there] = [
      createRateCounter(testbed.context.database, () => time),
      createRateCounter(testbed.context.database, () => time),
    ];
    const hits = async () => [(await here.hit('key', 1000)).hits, (await there.hit('key', 1000)).hits];
    expect(await hits()).toEqual([1, 2]);
    expect(await hits()).toEqual([3, 4]);
    time += 400;
    expect((await here.hit('key', 1000)).ttl).toBe(600);
    time += 600;
    expect(await hits()).toEqual([1, 2]);
    const many = await Promise.all(
      Array.from({ length: 20 }, (_item, index) => (index % 2 === 0 ? here : there).hit('other', 1000)),
    );
    expect(Math.max(...many.map((count) => count.hits))).toBe(20);
    const rows = await testbed.context.database.transact((tx) => tx.model('RateLimit').findMany({}));
    for (const row of rows) expect(row['key']).toMatch(/^[0-9a-f]{64}$/);
  });
});
