import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { announceChanges, createTagDemand } from '../../../../src/documents/changes/announce-changes.js';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import { createResponseTagger } from '../../../../src/documents/tags/response-tags.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import type { ReadQuery } from '../../../../src/query/query.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi, watchDatabase } from '../service.js';
import type { Api, WatchedDatabase } from '../service.js';

const MANY = 1001;

const OPTIONS = {
  limits: { defaultLimit: 100, maxLimit: 100, populateDepth: 20, maxNodes: 1000 },
  access: { canFind: () => true },
  defaultLocale: 'en',
};

describe.each(databases)('the tags of writes on $name', (database) => {
  let environment: TestEnvironment;
  let watched: WatchedDatabase;
  let api: Api;
  let isListening = true;
  const announced: string[] = [];

  beforeAll(async () => {
    environment = await createTestEnvironment({ model: 'magazine', database });
    watched = watchDatabase(environment.database);
    const hooks = createDocumentHooks({ onError: () => undefined });
    announceChanges({
      database: environment.database,
      model: environment.model,
      hooks,
      tags: {
        locales: () => ['en', 'fr'],
        listeners: [
          {
            isListening: async () => isListening,
            announce: async (_tx, tags) => void announced.push(...tags),
          },
        ],
        demand: createTagDemand(),
      },
    });
    api = createApi({ model: environment.model, database: watched.database }, { hooks });
  });
  const tagsOfList = (query: ReadQuery, records: readonly unknown[]): readonly string[] => {
    const tag = createResponseTagger({
      model: environment.model,
      locales: () => ['en', 'fr'],
      maxLength: 7500,
      maxTags: 128,
    });
    return tag([{ query, documentId: null, records }]) ?? [];
  };
  beforeEach(() => {
    isListening = true;
    announced.length = 0;
  });
  afterAll(() => environment.close());

  it('name the document, its list and its values, in its locale only', async () => {
    const { documentId } = await api.create('article', { title: 'One', slug: 'one' }, { locale: 'fr' });
    expect(announced).toEqual(expect.arrayContaining([`article@fr:${documentId}`, 'article@fr', 'article*']));
    expect(announced.filter((tag) => tag.startsWith('article@fr?')).length).toBeGreaterThan(0);
    expect(announced.join()).not.toContain('@en');
    announced.length = 0;
    await api.update('article', documentId, { title: 'Two' }, { locale: 'fr' });
    expect(announced).toContain('article@fr.title');
    expect(announced).not.toContain('article@fr');
    expect(announced).not.toContain('article@fr.summary');
  });

  it('name the list of the other end, but not its document, when a relation changes', async () => {
    const tag = await api.create('tag', { name: 'a tag' });
    announced.length = 0;
    await api.create('article', { title: 'Tagged', tags: [tag.documentId] });
    expect(announced).toContain(`tag:${tag.documentId}.articles`);
    expect(announced).not.toContain(`tag:${tag.documentId}`);
    expect(announced).not.toContain('tag');
  });

  it('select lists by a linked document, from either side of a relation', async () => {
    const [shown, other] = [
      await api.create('tag', { name: 'shown' }),
      await api.create('tag', { name: 'other' }),
    ];
    const { documentId } = await api.create('article', { title: 'Linking', tags: [shown.documentId] });
    const filters = { articles: { documentId: { $eq: documentId } } };
    const query = parseReadQuery(environment.model, 'api::tag.tag', { filters, sort: 'name' }, OPTIONS);
    const tags = tagsOfList(query, []);
    const isAnnounced = (): boolean => tags.some((tag) => announced.includes(tag));
    const isStaleAfter = async (write: () => Promise<unknown>): Promise<boolean> => {
      announced.length = 0;
      await write();
      return isAnnounced();
    };
    expect(await isStaleAfter(() => api.update('tag', other.documentId, { name: 'a' }))).toBe(false);
    expect(await isStaleAfter(() => api.create('tag', { name: 'b' }))).toBe(false);
    expect(await isStaleAfter(() => api.update('tag', shown.documentId, { name: 'c' }))).toBe(true);
    const link = (links: unknown) => api.update('article', documentId, { tags: links });
    expect(await isStaleAfter(() => link({ connect: [other.documentId] }))).toBe(true);
    expect(await isStaleAfter(() => api.update('tag', other.documentId, { name: 'd' }))).toBe(true);
    expect(await isStaleAfter(() => api.act('unpublish', 'article', documentId))).toBe(true);
    expect(await isStaleAfter(() => api.act('publish', 'article', documentId))).toBe(true);
    expect(await isStaleAfter(() => api.remove('tag', shown.documentId))).toBe(true);
  });

  it('of sorted values concern only lists that are longer than their page', () => {
    const tagsOfPage = (pageSize: number): readonly string[] => {
      const params = { sort: 'name', pagination: { pageSize } };
      return tagsOfList(parseReadQuery(environment.model, 'api::tag.tag', params, OPTIONS), [
        { documentId: 'one' },
      ]);
    };
    expect(tagsOfPage(1)).toContain('tag.name');
    expect(tagsOfPage(2)).not.toContain('tag.name');
    expect(tagsOfPage(2)).toEqual(expect.arrayContaining(['tag', 'tag:one']));
  });

  it('are not computed for drafts, nor while nobody listens', async () => {
    const article = await api.create('article', { title: 'Draft' }, { status: 'draft' });
    await api.update('article', article.documentId, { title: 'Still a draft' }, { status: 'draft' });
    expect(announced).toEqual([]);
    const statementsOf = async (title: string): Promise<number> => {
      await api.update('article', article.documentId, { title });
      return watched.statements.length;
    };
    await statementsOf('Published');
    const whileListening = await statementsOf('Listening');
    expect(announced).not.toEqual([]);
    isListening = false;
    announced.length = 0;
    // The published versions and links, before and after.
    expect(await statementsOf('Not listening')).toBe(whileListening - 4);
    expect(announced).toEqual([]);
  });

  it('stay few for a document with very many links, unless these change', { timeout: 120_000 }, async () => {
    const author = await api.create('author', { name: 'Prolific' });
    const items = Array.from({ length: MANY }, (_, index) => ({
      action: 'create' as const,
      params: {
        type: 'api::article.article',
        selection: { fields: [], populate: [] },
        data: { title: `Article ${index}`, author: author.documentId },
        status: 'published' as const,
      },
    }));
    await api.documents.bulk({ items, atomic: true });
    announced.length = 0;
    await api.update('author', author.documentId, { name: 'Renamed' });
    expect(announced).toContain('author.name');
    expect(announced.length).toBeLessThan(20);
    expect(announced).not.toContain('author!');
    announced.length = 0;
    const other = await api.create('article', { title: 'Another' });
    await api.update('author', author.documentId, { articles: { connect: [other.documentId] } });
    expect(announced).toContain('author!');
    announced.length = 0;
    await api.remove('author', author.documentId);
    expect(announced).toEqual(['author!', 'author*']);
  });
});
