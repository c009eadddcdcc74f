import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { createTestbed } from '../../security/testbed.js';
import type { Testbed } from '../../security/testbed.js';

const HASH = /\$2[aby]\$/;
const SECRET = 'a-secret-to-find';

/** Every place of a GraphQL document in which a hidden attribute could be compared, sorted by or selected. */
const ATTEMPTS: readonly string[] = [
  '{ articles(filters: { secret: { startsWith: "$2" } }) { title } }',
  '{ articles(filters: { not: { secret: { null: true } } }) { title } }',
  '{ articles(filters: { or: [{ title: { eq: "x" } }, { and: [{ secret: { contains: "$2" } }] }] }) ' +
    '{ title } }',
  '{ articles(filters: { tags: { articles: { secret: { notNull: true } } } }) { title } }',
  '{ articles(filters: { internalNote: { eq: "x" } }) { title } }',
  '{ articles(sort: "secret") { title } }',
  '{ articles(sort: ["title", "internalNote:desc"]) { title } }',
  '{ articles(sort: "tags.articles.secret") { title } }',
  '{ articles_connection(filters: { secret: { ne: "x" } }) { pageInfo { total } } }',
  '{ articles_connection(sort: "internalNote") { nodes { title } } }',
  '{ tags { articles(filters: { secret: { startsWith: "$2" } }) { title } } }',
  '{ tags { articles(sort: "secret") { title } } }',
  '{ tags { articles_connection(filters: { internalNote: { eq: "x" } }) { nodes { title } } } }',
  '{ articles { internalNote } }',
  '{ usersPermissionsUsers(filters: { password: { startsWith: "$2" } }) { username } }',
  '{ usersPermissionsUsers(filters: { resetPasswordToken: { notNull: true } }) { username } }',
  '{ usersPermissionsUsers(filters: { role: { users: { password: { contains: "a" } } } }) { username } }',
  '{ usersPermissionsUsers(sort: "password") { username } }',
  '{ usersPermissionsUsers(sort: "confirmationToken") { username } }',
  '{ usersPermissionsUsers(sort: "role_document_id") { username } }',
  '{ usersPermissionsUsers { password } }',
  '{ me { password } }',
];

describe.each(databases)('attributes hidden from GraphQL on $name', (database) => {
  let testbed: Testbed;
  let full: string;
  beforeAll(async () => {
    testbed = await createTestbed({ database });
    full = testbed.site.tokens['full'] ?? '';
    const tag = (await testbed.request('POST', '/api/tags', { as: full, body: { data: { name: 'tag' } } }))
      .body as {
      data: { documentId: string };
    };
    const created = await testbed.request('POST', '/api/articles', {
      as: full,
      body: {
        data: {
          title: 'With secrets',
          secret: 'a-password',
          internalNote: SECRET,
          tags: [tag.data.documentId],
        },
      },
    });
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    await testbed.createUser('hidden');
  });
  afterAll(() => testbed.site.close());

  const request = (query: string) => testbed.request('POST', '/graphql', { as: full, body: { query } });

  it.each(ATTEMPTS)('cannot be used in %s', async (query) => {
    const { status, body } = await request(query);
    expect(status).toBeLessThan(500);
    expect(body).toHaveProperty('errors');
    expect(JSON.stringify(body)).not.toMatch(HASH);
    expect(JSON.stringify(body)).not.toContain(SECRET);
    expect(JSON.stringify(body)).not.toContain('With secrets');
  });

  it('are missing from selections, also of mutations', async () => {
    expect((await request('{ articles { title secret tags { articles { secret } } } }')).body).toEqual({
      data: { articles: [{ title: 'With secrets', secret: null, tags: [{ articles: [{ secret: null }] }] }] },
    });
    const { body } = await request(
      `mutation {
        createArticle(data: { title: "Another", secret: "another-password", internalNote: "n" }) {
            title secret
          }
      }`,
    );
    expect(body).toEqual({ data: { createArticle: { title: 'Another', secret: null } } });
  });
});
