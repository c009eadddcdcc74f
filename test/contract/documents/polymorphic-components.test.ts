import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi } from './service.js';
import type { Api, ReturnedRecord } from './service.js';

const HOLDERS = {
  box: { type: 'component', component: 'parts.box' },
  boxes: { type: 'component', component: 'parts.box', repeatable: true },
  zone: { type: 'dynamiczone', components: ['parts.box'] },
} as const;

const PROJECT = {
  types: {
    page: { draftAndPublish: true, attributes: HOLDERS },
    note: { attributes: { name: { type: 'string' }, ...HOLDERS } },
    tag: { attributes: { name: { type: 'string' } } },
  },
  components: {
    'parts.box': {
      attributes: {
        title: { type: 'string' },
        subject: { type: 'relation', relation: 'morphToOne' },
        things: { type: 'relation', relation: 'morphToMany' },
      },
    },
  },
} as const;

const EVERYTHING = { populate: '*' } as const;
const POPULATE = { box: EVERYTHING, boxes: EVERYTHING, zone: { on: { 'parts.box': EVERYTHING } } };

describe.each(databases)('polymorphic relations in components on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  let [a, b, note]: readonly ReturnedRecord[] = [];
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    api = createApi(testEnvironment);
    [a, b] = [await api.create('tag', { name: 'a' }), await api.create('tag', { name: 'b' })];
    note = await api.create('note', { name: 'n' });
  });
  afterAll(() => testEnvironment.close());

  const to = (type: string, record: ReturnedRecord | undefined) => ({
    __type: `api::${type}.${type}`,
    documentId: record?.documentId ?? '',
  });
  const names = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((item: ReturnedRecord) => `${String(item['__type'])} ${String(item['name'])}`)
      : value;
  const linksOf = (record: ReturnedRecord | null): unknown => {
    const items = [record?.['box'], record?.['boxes'], record?.['zone']].flat() as ReturnedRecord[];
    return items.map(({ subject, things }) => [names([subject].filter(Boolean)), names(things)]);
  };
  const read = async (type: string, { documentId }: ReturnedRecord, status: 'draft' | 'published') =>
    linksOf(await api.one(type, documentId, { status, populate: POPULATE }));

  const box = () => ({
    subject: to('tag', b),
    things: [to('tag', a), to('note', note), { __type: 'api::tag.tag', id: b?.id }],
  });
  const content = () => ({
    box: box(),
    boxes: [box(), { title: 'empty' }],
    zone: [{ __component: 'parts.box', ...box() }],
  });
  const FULL = [['api::tag.tag b'], ['api::tag.tag a', 'api::note.note n', 'api::tag.tag b']];
  const NONE = [[], []];

  it('are written and read in components, lists of them and zones, of several types in order', async () => {
    const made = await api.create('note', { name: 'owner', ...content() });
    expect(await read('note', made, 'published')).toEqual([FULL, FULL, NONE, FULL]);
    const some = await api.one('note', made.documentId, {
      populate: { box: { populate: { things: { on: { 'api::tag.tag': { fields: ['name'] } } } } } },
    });
    expect(some?.['box']).toEqual({
      id: expect.any(Number),
      title: null,
      things: [
        { __type: 'api::tag.tag', id: a?.id, documentId: a?.documentId, name: 'a' },
        { __type: 'api::tag.tag', id: b?.id, documentId: b?.documentId, name: 'b' },
      ],
    });
  });

  it('are changed by set, connect and disconnect, and stay where nothing is sent', async () => {
    const made = await api.create('note', content(), { populate: POPULATE });
    const { id } = made['box'] as ReturnedRecord;
    const change = async (data: object): Promise<unknown> => {
      const changed = await api.update(
        'note',
        made.documentId,
        { box: { id, ...data } },
        { populate: POPULATE },
      );
      return names((changed?.['box'] as ReturnedRecord | undefined)?.['things']);
    };
    expect(await change({ title: 'z' })).toEqual(FULL[1]);
    expect(await change({ things: { disconnect: [to('tag', a)] } })).toEqual([
      'api::note.note n',
      'api::tag.tag b',
    ]);
    const before = { ...to('tag', a), position: { before: to('tag', b) } };
    expect(await change({ things: { connect: [before] } })).toEqual([
      'api::note.note n',
      'api::tag.tag a',
      'api::tag.tag b',
    ]);
    expect(await change({ things: { set: [to('tag', b)] } })).toEqual(['api::tag.tag b']);
    expect(await change({ things: null, subject: null })).toEqual([]);
  });

  it('show in drafts, and not in what is published', async () => {
    const made = await api.create('page', content());
    expect(await read('page', made, 'draft')).toEqual([FULL, FULL, NONE, FULL]);
    expect(await read('page', made, 'published')).toEqual([NONE, NONE, NONE, NONE]);
  });

  it('lose what is deleted', async () => {
    const gone = await api.create('tag', { name: 'gone' });
    const made = await api.create('note', { box: { things: [to('tag', gone), to('tag', a)] } });
    await api.remove('tag', gone.documentId);
    expect(await read('note', made, 'published')).toEqual([[[], ['api::tag.tag a']]]);
  });

  it.each([
    ['an unknown document', [{ __type: 'api::tag.tag', documentId: 'nope' }], /there is no api::tag\.tag/],
    ['no type', [{ documentId: 'x' }], /needs a "__type"/],
    ['an unknown type', [{ __type: 'api::x.x', documentId: 'x' }], /needs a "__type"/],
    ['a bare id', ['x'], /needs a "__type"/],
  ])('refuse %s', async (_what, things, message) => {
    await expect(api.create('note', { box: { things } })).rejects.toMatchObject({
      code: 'request/invalid-relation',
      message: expect.stringMatching(message),
    });
  });

  it('cannot be filtered by', async () => {
    for (const filter of [{ name: 'a' }, { $null: true }])
      await expect(api.list('note', { filters: { box: { things: filter } } })).rejects.toMatchObject({
        code: 'request/invalid-parameter',
      });
  });
});
