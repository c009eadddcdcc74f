import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, dumpContent, issuesOf } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

describe.each(databases)('relations on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  let tags: readonly ReturnedRecord[];
  let article: string;

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    api = createApi(testEnvironment);
    tags = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => api.create('tag', { name })));
    article = (await api.create('article', { title: 'A' })).documentId;
  });
  afterAll(() => testEnvironment.close());

  const tag = (name: string): string => tags['abcde'.indexOf(name)]?.documentId ?? '';
  const tagId = (name: string): number => tags['abcde'.indexOf(name)]?.id ?? 0;
  const populate = { tags: { fields: ['name'] } };
  const namesOf = (value: unknown): string =>
    (value as readonly ReturnedRecord[]).map(({ name }) => name).join('');
  const setTags = async (value: unknown): Promise<string> => {
    await api.update('article', article, { tags: value });
    const [draft, published] = [
      await api.one('article', article, { status: 'draft', populate }),
      await api.one('article', article, { populate }),
    ];
    expect(namesOf(draft?.['tags'])).toBe(namesOf(published?.['tags']));
    return namesOf(published?.['tags']);
  };

  it.each<[string, (at: typeof tag, id: typeof tagId) => unknown, string]>([
    ['a list', (at) => [at('c'), at('a')], 'ca'],
    ['numbers', (_, id) => [id('b'), id('a')], 'ba'],
    ['objects', (at, id) => [{ documentId: at('d') }, { id: id('a') }, { id: String(id('b')) }], 'dab'],
    ['duplicates in different spellings', (at, id) => [at('d'), id('d'), { documentId: at('d') }], 'd'],
    ['one', (at) => at('e'), 'e'],
    ['set', (at) => ({ set: [at('b'), at('c')], connect: [at('a')] }), 'bc'],
    ['null', () => null, ''],
    ['an empty change', () => ({ connect: [] }), 'abc'],
    ['connect', (at) => ({ connect: [at('d'), at('e')] }), 'abcde'],
    ['connect twice', (at, id) => ({ connect: [at('d'), at('e'), { id: id('d') }] }), 'abcde'],
    ['connect what is linked', (at) => ({ connect: [at('a')] }), 'bca'],
    [
      'connect at the start',
      (at) => ({ connect: [{ documentId: at('d'), position: { start: true } }] }),
      'dabc',
    ],
    [
      'connect before and after',
      (at, id) => ({
        connect: [
          { documentId: at('d'), position: { before: at('b') } },
          { id: id('e'), position: { after: id('c') } },
        ],
      }),
      'adbce',
    ],
    [
      'connect beside what is connected later',
      (at) => ({
        connect: [
          { documentId: at('d'), position: { before: at('e') } },
          { documentId: at('e'), position: { start: true } },
        ],
      }),
      'deabc',
    ],
    ['move', (at) => ({ connect: [{ documentId: at('c'), position: { before: at('a') } }] }), 'cab'],
    ['disconnect', (at, id) => ({ disconnect: [at('b'), { id: id('a') }] }), 'c'],
    [
      'disconnect what is not linked or is nowhere',
      (at) => ({ disconnect: [at('e'), 'nowhere', 987_654_321, { documentId: 'nowhere' }] }),
      'abc',
    ],
    ['both', (at) => ({ disconnect: [at('a')], connect: [at('e')] }), 'bce'],
  ])('%s', async (_, value, expected) => {
    expect(await setTags(['a', 'b', 'c'].map(tag))).toBe('abc');
    expect(await setTags(value(tag, tagId))).toBe(expected);
  });

  it('lists keep their order when they are changed', async () => {
    await setTags([]);
    for (const name of 'abcde')
      await setTags({ connect: [{ documentId: tag(name), position: { start: true } }] });
    expect(await setTags({ disconnect: [tag('c')] })).toBe('edba');
    expect(await setTags({ connect: [tag('c')] })).toBe('edbac');
    expect(await setTags({ connect: [{ documentId: tag('c'), position: { after: tag('e') } }] })).toBe(
      'ecdba',
    );
  });

  it.each<[string, unknown]>([
    ['a document that is nowhere', ['nowhere']],
    ['a number that is nobody’s', [987_654_321]],
    ['a number beyond every id', [Number.MAX_SAFE_INTEGER]],
    ['one good and one bad', { connect: ['nowhere'] }],
    ['a document of another type', 'article'],
    [
      'a position beside what is not linked',
      { connect: [{ documentId: 'tag', position: { before: 'nowhere' } }] },
    ],
    [
      'two positions for one document',
      { connect: [{ documentId: 'tag', position: { start: true } }, 'tag'] },
    ],
    ['a position beside itself', { connect: [{ documentId: 'tag', position: { before: 'tag' } }] }],
    ['an id with strange letters', ['%_\'"\\; drop table tags']],
    ['a long id', ['x'.repeat(255)]],
  ])('%s is refused and changes nothing', async (_, value) => {
    await setTags([tag('a'), tag('b')]);
    const before = await dumpContent(testEnvironment);
    const known: Readonly<Record<string, string>> = { article, tag: tag('c') };
    const filled = JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
      typeof item === 'string' ? (known[item] ?? item) : item,
    ) as unknown;
    expect(await issuesOf(api.update('article', article, { tags: filled }))).toBe('request/invalid-relation');
    expect(await dumpContent(testEnvironment)).toEqual(before);
  });

  it('the id of any version identifies the document', async () => {
    const target = await api.create('article', { title: 'target' });
    const draft = await api.one('article', target.documentId, { status: 'draft' });
    for (const id of [target.id, draft?.id]) {
      expect(
        (await api.update('article', article, { related: [id] }, { populate: 'related' }))?.['related'],
      ).toMatchObject([{ documentId: target.documentId }]);
    }
  });

  it('a document may be linked to itself', async () => {
    expect(
      (await api.update('article', article, { related: [article] }, { populate: 'related' }))?.['related'],
    ).toMatchObject([{ documentId: article }]);
    const category = await api.create('category', { name: 'self' });
    expect(
      await api.update(
        'category',
        category.documentId,
        { parent: category.documentId },
        { populate: ['parent', 'children'] },
      ),
    ).toMatchObject({ parent: { name: 'self' }, children: [{ name: 'self' }] });
  });

  it('a tree can be written from both sides of its relation', async () => {
    const [root, left, right] = [
      await api.create('category', { name: 'root' }),
      await api.create('category', { name: 'left' }),
      await api.create('category', { name: 'right' }),
    ];
    const middle = await api.create(
      'category',
      { name: 'middle', parent: root.documentId, children: [right.documentId, left.documentId] },
      { populate: ['parent', 'children'] },
    );
    expect(middle).toMatchObject({
      parent: { name: 'root' },
      children: [{ name: 'right' }, { name: 'left' }],
    });
    await api.update('category', root.documentId, {
      children: { connect: [{ documentId: left.documentId, position: { start: true } }] },
    });
    const tree = await api.one('category', root.documentId, {
      populate: { children: { fields: ['name'], populate: { children: { fields: ['name'] } } } },
    });
    expect(tree?.['children']).toMatchObject([
      { name: 'left', children: [] },
      { name: 'middle', children: [{ name: 'right' }] },
    ]);
  });

  it('media keep their order and are identified by numeric id, also as a string', async () => {
    const file = (name: string) =>
      api.create('file', {
        name,
        hash: name,
        mime: 'image/png',
        size: 1,
        url: `/${name}`,
        provider: 'local',
      });
    const [one, two] = [await file('one'), await file('two')];
    const params = { populate: { gallery: { fields: ['name'] }, cover: { fields: ['name'] } } };
    expect(
      await api.update(
        'article',
        article,
        { gallery: [two.id, String(one.id)], cover: String(one.id) },
        params,
      ),
    ).toMatchObject({ gallery: [{ name: 'two' }, { name: 'one' }], cover: { name: 'one' } });
    expect(
      await api.update(
        'article',
        article,
        { gallery: { connect: [{ id: one.id, position: { start: true } }] }, cover: two.documentId },
        params,
      ),
    ).toMatchObject({ gallery: [{ name: 'one' }, { name: 'two' }], cover: { name: 'two' } });
    expect(await issuesOf(api.update('article', article, { cover: 987_654 }))).toBe(
      'request/invalid-relation',
    );
    await api.remove('file', two.documentId);
    expect(await api.one('article', article, params)).toMatchObject({
      gallery: [{ name: 'one' }],
      cover: null,
    });
  });

  it('a deleted document is removed from all lists', async () => {
    const { documentId } = await api.create('tag', { name: 'gone' });
    await api.update('article', article, {
      tags: [documentId, tag('a')],
      links: [{ label: 'l', tag: documentId }],
      sections: [{ __component: 'sections.related', tags: [tag('b'), documentId] }],
    });
    const profile = await api.create('profile', { nickname: 'gone', favouriteTags: [documentId, tag('c')] });
    await api.remove('tag', documentId);
    const populated = await api.one('article', article, {
      populate: {
        tags: true,
        links: { populate: 'tag' },
        sections: { on: { 'sections.related': { populate: 'tags' } } },
      },
    });
    expect(populated).toMatchObject({
      tags: [{ name: 'a' }],
      links: [{ tag: null }],
      sections: [{ tags: [{ name: 'b' }] }],
    });
    expect(
      (await api.one('profile', profile.documentId, { populate: 'favouriteTags' }))?.['favouriteTags'],
    ).toMatchObject([{ name: 'c' }]);
    expect(await api.update('article', article, { sections: [] })).toMatchObject({ title: 'A' });
  });

  it('thousands of links can be set, moved and removed in one write', async () => {
    const ids: string[] = [];
    for (let start = 0; start < 1200; start += 60) {
      const some = await Promise.all(
        Array.from({ length: 60 }, (_, index) => api.create('tag', { name: `many ${start + index}` })),
      );
      ids.push(...some.map(({ documentId }) => documentId));
    }
    const seen = async (): Promise<readonly string[]> =>
      (
        ((await api.one('article', article, { populate: { tags: { fields: ['name'] } } }))?.['tags'] ??
          []) as readonly ReturnedRecord[]
      ).map(({ documentId }) => documentId);
    await api.update('article', article, { tags: ids });
    expect(await seen()).toEqual(ids);
    await api.update('article', article, {
      tags: {
        connect: [{ documentId: ids.at(-1), position: { start: true } }],
        disconnect: ids.slice(0, 600),
      },
    });
    expect(await seen()).toEqual([ids.at(-1), ...ids.slice(600, -1)]);
    await api.update('article', article, { tags: [] });
    expect(await seen()).toEqual([]);
  });

  describe('permissions', () => {
    it('linking requires the permission to find the target', async () => {
      const write = (data: unknown) =>
        api.documents.update({
          type: 'api::article.article',
          documentId: article,
          data,
          selection: { fields: [], populate: [] },
          access: { canFind: (uid) => uid !== 'api::tag.tag' },
        });
      expect(await issuesOf(write({ tags: [tag('a')] }))).toBe('request/invalid-key');
      expect(await issuesOf(write({ links: [{ label: 'x', tag: tag('a') }] }))).toBe('request/invalid-key');
      expect(await write({ title: 'allowed' })).not.toBeNull();
    });
  });
});
