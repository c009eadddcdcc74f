import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, steppingClock } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const DRAFT = { status: 'draft' };
const FR = { locale: 'fr' };

const PROJECT = {
  types: {
    page: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
        rank: { type: 'integer' },
        notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'page' },
        related: {
          type: 'relation',
          relation: 'manyToMany',
          target: 'api::page.page',
          inversedBy: 'relating',
        },
        relating: { type: 'relation', relation: 'manyToMany', target: 'api::page.page', mappedBy: 'related' },
        parent: { type: 'relation', relation: 'manyToOne', target: 'api::page.page', inversedBy: 'children' },
        children: { type: 'relation', relation: 'oneToMany', target: 'api::page.page', mappedBy: 'parent' },
      },
    },
    note: {
      attributes: {
        text: { type: 'string' },
        page: { type: 'relation', relation: 'manyToOne', target: 'api::page.page', inversedBy: 'notes' },
      },
    },
  },
} as const;

describe.each(databases)('unpublished edits of relations on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    api = createApi(testEnvironment, { clock: steppingClock() });
  });
  afterAll(() => testEnvironment.close());

  const notesOf = async (documentId: string, params: object = {}): Promise<readonly unknown[]> => {
    const page = (await api.one('page', documentId, { ...params, populate: 'notes' })) as ReturnedRecord & {
      readonly notes: readonly ReturnedRecord[];
    };
    return page.notes.map((note) => note.documentId);
  };

  it.each(['related', 'relating', 'children'])(
    'give a document that is published later its place from the draft of the list: %s',
    async (name) => {
      const create = async (title: string, params = {}): Promise<string> =>
        (await api.create('page', { title }, params)).documentId;
      const [a, b, c, d] = [await create('a'), await create('b'), await create('c'), await create('d')];
      const [e, f, g] = [await create('e', DRAFT), await create('f', DRAFT), await create('g', DRAFT)];
      const list = await create('list');
      const listed = async (params = {}): Promise<string> => {
        const page = await api.one('page', list, { ...params, populate: { [name]: { fields: ['title'] } } });
        return ((page?.[name] ?? []) as readonly ReturnedRecord[]).map(({ title }) => String(title)).join('');
      };
      await api.update('page', list, { [name]: [c, a, b, d] });
      await api.update('page', list, { [name]: [f, c, e, a, b, d, g] }, DRAFT);
      expect([await listed(), await listed(DRAFT)]).toEqual(['cabd', 'fceabdg']);
      await api.act('publish', 'page', e);
      expect(await listed()).toBe('ceabd');
      await api.act('publish', 'page', g);
      await api.act('publish', 'page', f);
      expect([await listed(), await listed(DRAFT)]).toEqual(['fceabdg', 'fceabdg']);
    },
  );

  it.each(['related', 'relating', 'children'])(
    'keep their order where one place is taken again and again: %s',
    async (name) => {
      const create = async (): Promise<string> =>
        (await api.create('page', { title: 'p' }, DRAFT)).documentId;
      const [list, first, last] = [await create(), await create(), await create()];
      const inserted: string[] = [];
      const expectOrder = async (params: object): Promise<void> => {
        const page = await api.one('page', list, { ...params, populate: { [name]: { fields: [] } } });
        const ids = ((page?.[name] ?? []) as readonly ReturnedRecord[]).map(({ documentId }) => documentId);
        expect(ids).toEqual([first, ...inserted.toReversed(), last]);
      };
      await api.update('page', list, { [name]: [first, last] }, DRAFT);
      for (let count = 0; count < 50; count += 1) {
        const documentId = await create();
        const position = { after: first };
        await api.update('page', list, { [name]: { connect: [{ documentId, position }] } }, DRAFT);
        inserted.push(documentId);
      }
      await expectOrder(DRAFT);
      for (const documentId of [last, ...inserted, first, list]) await api.act('publish', 'page', documentId);
      await expectOrder({});
      await expectOrder(DRAFT);
    },
  );

  it('of a document to itself are published while they are written from the other side', async () => {
    const { documentId: other } = await api.create('page', { title: 'other' });
    const { documentId: self } = await api.create('page', { title: 'self' }, DRAFT);
    await api.update('page', self, { related: [self] }, DRAFT);
    await api.update('page', self, { relating: [other, self] });
    const populate = { related: { fields: ['title'] }, relating: { fields: ['title'] } };
    for (const params of [{}, DRAFT])
      expect(await api.one('page', self, { ...params, populate })).toMatchObject({
        related: [{ title: 'self' }],
        relating: [{ title: 'other' }, { title: 'self' }],
      });
  });

  it('of a document to itself are not published where the other side removes them', async () => {
    const { documentId } = await api.create('page', { title: 'self' }, DRAFT);
    await api.update('page', documentId, { related: [documentId], parent: documentId }, DRAFT);
    await api.update('page', documentId, { relating: [], children: { disconnect: [documentId] } });
    const populate = ['related', 'relating', 'parent', 'children'];
    for (const params of [{}, DRAFT])
      expect(await api.one('page', documentId, { ...params, populate })).toMatchObject({
        related: [],
        relating: [],
        parent: null,
        children: [],
      });
  });

  it('stay unpublished when another locale publishes a shared value', async () => {
    const note = await api.create('note', { text: 'n' });
    const { documentId } = await api.create('page', { title: 'en', rank: 1 });
    await api.update('page', documentId, { title: 'fr' }, FR);
    await api.update('page', documentId, { rank: 2 }, { ...FR, ...DRAFT });
    await api.update('page', documentId, { notes: [note.documentId] }, DRAFT);
    await api.act('publish', 'page', documentId, FR);
    expect(await api.one('page', documentId)).toMatchObject({ rank: 2 });
    expect([await notesOf(documentId), await notesOf(documentId, DRAFT)]).toEqual([[], [note.documentId]]);
    await api.update('page', documentId, { title: 'en 2' });
    expect(await notesOf(documentId)).toEqual([note.documentId]);
  });
});
