import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createClub } from '../security/club.js';
import type { Club } from '../security/club.js';

const HASH = /\$2[aby]\$/;
const SECRET = 'a-secret-to-find';

/** Ways to compare, order or select by something hidden, wherever GraphQL has a place for a name. */
const ATTEMPTS: readonly string[] = [
  '{ articles(filters: { secret: { startsWith: "$2" } }) { title } }',
  '{ articles(filters: { not: { secret: { null: true } } }) { title } }',
  '{ articles(filters: { or: [{ title: { eq: "x" } }, { and: [{ secret: { contains: "$2" } }] }] }) { title } }',
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

describe.each(databases)('what is hidden from GraphQL on $name', (database) => {
  let club: Club;
  let full: string;
  beforeAll(async () => {
    club = await createClub({ database });
    full = club.site.tokens['full'] ?? '';
    const tag = (await club.ask('POST', '/api/tags', { as: full, body: { data: { name: 'tag' } } })).body as { data: { documentId: string } };
    const made = await club.ask('POST', '/api/articles', { as: full, body: { data: { title: 'With secrets', secret: 'a-password', internalNote: SECRET, tags: [tag.data.documentId] } } });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    await club.join('hidden');
  });
  afterAll(() => club.site.close());

  const ask = (query: string) => club.ask('POST', '/graphql', { as: full, body: { query } });

  it.each(ATTEMPTS)('is not reached by %s', async (query) => {
    const { status, body } = await ask(query);
    expect(status).toBeLessThan(500);
    expect(body).toHaveProperty('errors');
    expect(JSON.stringify(body)).not.toMatch(HASH);
    expect(JSON.stringify(body)).not.toContain(SECRET);
    expect(JSON.stringify(body)).not.toContain('With secrets');
  });

  it('is nothing where it is selected, in answers to writes, too', async () => {
    expect((await ask('{ articles { title secret tags { articles { secret } } } }')).body).toEqual({ data: { articles: [{ title: 'With secrets', secret: null, tags: [{ articles: [{ secret: null }] }] }] } });
    const { body } = await ask('mutation { createArticle(data: { title: "Another", secret: "another-password", internalNote: "n" }) { title secret } }');
    expect(body).toEqual({ data: { createArticle: { title: 'Another', secret: null } } });
  });
});
