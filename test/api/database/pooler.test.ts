import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { isPgBouncerMissing, startPgBouncer } from '../../support/pgbouncer.js';
import type { PgBouncer } from '../../support/pgbouncer.js';
import { createSubscriber } from '../graphql/support/subscriber.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const PASSWORD = 'secret123';
const ROUNDS = 6;
const CLIENTS = 12;

/** With and without what a pooler cannot keep: the schema of the session, and where else to listen. */
const CASES = [
  { title: 'by its URL alone', query: '', schema: 'public', isDirectKnown: false },
  {
    title: 'in a schema of its own, with a direct URL',
    query: '?schema=editorial&pgbouncer=true',
    schema: 'editorial',
    isDirectKnown: true,
  },
];

const POSTGRES = databases.find(({ name }) => name === 'postgresql');

describe.runIf(POSTGRES !== undefined && !isPgBouncerMissing).each(CASES)(
  'behind PgBouncer in transaction mode, $title',
  ({ query, schema, isDirectKnown }) => {
    let bouncer: PgBouncer;
    let site: Site;
    let directUrl: string;

    beforeAll(async () => {
      bouncer = await startPgBouncer(inject('postgresServer') ?? '');
      const database = await POSTGRES?.create();
      if (database === undefined) throw new TypeError('PostgreSQL is not selected');
      const { url, drop } = database;
      directUrl = url;
      site = await createSite({
        project: 'magazine',
        database: {
          name: 'postgresql',
          create: async () => ({ url: `${bouncer.through(url)}${query}`, drop }),
        },
        config: isDirectKnown ? { database: { directUrl } } : {},
      });
    });
    // Both are run, even if one of them fails.
    afterAll(() => bouncer.stop());
    afterAll(() => site.close());

    const send = async (path: string, body?: unknown, token: string | null = 'full'): Promise<number> => {
      const response = await fetch(`${site.server.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${site.tokens[token]}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await response.text();
      return response.status;
    };

    /** What one client does. Statements are asked for often enough to be given names. */
    const useEverything = async (client: number): Promise<readonly number[]> => {
      const account = { username: `user${client}`, email: `user${client}@example.com`, password: PASSWORD };
      const statuses = [await send('/api/auth/local/register', account, null)];
      for (let round = 0; round < ROUNDS; round += 1) {
        const name = `tag ${client} ${round}`;
        statuses.push(
          await send('/api/auth/local', { identifier: account.username, password: PASSWORD }, null),
          await send('/api/tags', { data: { name, weight: round } }),
          await send(`/api/tags?filters[name][$containsi]=${round}&populate=*&sort=name`),
          await send('/api/articles', { data: { title: name, tags: { connect: [] } } }),
          await send('/graphql', { query: '{ tags_connection { nodes { name } pageInfo { total } } }' }),
          await send('/graphql', {
            query: `mutation { createTag(data: { name: "${name} too" }) { documentId } }`,
          }),
        );
      }
      return statuses;
    };

    it('serves every request of many concurrent clients', async () => {
      const statuses = await Promise.all(
        Array.from({ length: CLIENTS }, (_, client) => useEverything(client)),
      );
      expect(new Set(statuses.flat())).toEqual(new Set([200, 201]));
      // It says once what it does without.
      const unheard = expect.stringContaining('Cached responses need a database session') as string;
      expect(site.log).toEqual(isDirectKnown ? [] : [unheard]);
    });

    it('keeps its tables in the schema', async () => {
      const client = new pg.Client({ connectionString: directUrl });
      await client.connect();
      const { rows } = await client.query<{ readonly schema: string }>(
        `select schemaname as schema from pg_tables where tablename in ('tags', '_prisma_migrations')`,
      );
      const { rows: tags } = await client.query(`select 1 from "${schema}".tags`);
      await client.end();
      expect(rows.map((row) => row.schema)).toEqual([schema, schema]);
      expect(tags).toHaveLength(2 * ROUNDS * CLIENTS);
    });

    it('notices changes, on the direct URL or by polls', async () => {
      const subscriber = createSubscriber({ url: site.server.url, as: site.tokens['full'] ?? '' });
      const { data, errors } = subscriber.subscribe('subscription { tagCreated { name } }');
      const createdUntilReceived = async (): Promise<number> => {
        await send('/api/tags', { data: { name: crypto.randomUUID() } });
        return data.length;
      };
      await expect.poll(createdUntilReceived, { timeout: 20_000 }).toBeGreaterThan(0);
      expect(errors).toEqual([]);
      subscriber.close();
    });
  },
);
