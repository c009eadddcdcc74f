import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVersionTable } from '../../../../src/documents/versions/keep-versions.js';
import { chooseContent } from '../../../../src/documents/write/choose-content.js';
import { NO_LOCALE } from '../../../../src/model/model.js';
import { typeOf } from '../../../../src/model/lookup.js';
import { populateAll } from '../../../../src/query/parse/server-queries.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi, uidOf } from '../service.js';
import type { Api } from '../service.js';

const relation = (name: string, options: object = {}) => ({ type: 'relation', relation: name, ...options });
const toTag = { target: 'api::tag.tag' };

const PROJECT = {
  components: {
    'shared.inner': {
      attributes: {
        text: { type: 'string' },
        secret: { type: 'string', private: true },
        tags: relation('oneToMany', toTag),
      },
    },
    'shared.part': {
      attributes: {
        label: { type: 'string' },
        at: { type: 'timestamp' },
        tag: relation('oneToOne', toTag),
        inner: { type: 'component', component: 'shared.inner', repeatable: true },
      },
    },
  },
  types: {
    tag: { draftAndPublish: true, attributes: { name: { type: 'string' } } },
    shelf: {
      attributes: {
        name: { type: 'string' },
        pages: relation('oneToMany', { target: 'api::page.page', mappedBy: 'shelf' }),
      },
    },
    page: {
      draftAndPublish: true,
      attributes: {
        title: { type: 'string' },
        big: { type: 'biginteger' },
        share: { type: 'decimal' },
        isOld: { type: 'boolean' },
        day: { type: 'date' },
        hour: { type: 'time' },
        at: { type: 'datetime' },
        seen: { type: 'timestamp' },
        extra: { type: 'json' },
        secret: { type: 'string', private: true },
        code: { type: 'password' },
        tags: relation('manyToMany', toTag),
        shelf: relation('manyToOne', { target: 'api::shelf.shelf', inversedBy: 'pages' }),
        main: relation('morphToOne'),
        mentioned: relation('morphToMany'),
        part: { type: 'component', component: 'shared.part' },
        parts: { type: 'component', component: 'shared.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.part', 'shared.inner'] },
      },
    },
  },
} as const;

describe.each(databases)('the kept content on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    environment = await createTestEnvironment({ model: PROJECT, database });
    api = createApi(environment);
  });
  afterAll(() => environment.close());

  /** Keeps both versions of a document. Returns their contents, the draft's first. */
  const keep = async (documentId: string) => {
    const { model, database: opened } = environment;
    const table = createVersionTable(opened, model);
    const name = { type: uidOf(environment, 'page'), locale: NO_LOCALE };
    const now = new Date('2026-01-02T03:04:05.678Z');
    await opened.transact(async (tx) => {
      for (const status of ['draft', 'published'] as const)
        await table.add(
          tx,
          { ...name, documentIds: [documentId, 'missing'], status, now, author: 'ada' },
          10,
        );
    });
    const kept = await Promise.all([1, 2].map((number) => table.find({ ...name, documentId }, number)));
    expect(await table.list({ ...name, documentId: 'missing' })).toEqual([]);
    expect(kept[0]).toMatchObject({ publishedAt: now.toISOString(), author: 'ada' });
    return kept.map((version) => ({ ...version, content: JSON.parse(version?.content ?? '') as unknown }));
  };

  /** What a read shows of a version, chosen as it is where a version is restored. */
  const shown = async (documentId: string, status: 'draft' | 'published') => {
    const { model } = environment;
    const type = typeOf(model, uidOf(environment, 'page'));
    const record = await api.one('page', documentId, { status, populate: populateAll(model, type) });
    return chooseContent(model, type, record ?? {}, { keepsLink: () => true, onGone: () => undefined });
  };

  it('is what a read shows, as it can be written', async () => {
    const [red, blue] = await Promise.all(
      [{}, { status: 'draft' }].map((params) => api.create('tag', { name: 'tag' }, params)),
    );
    const ids = [blue?.documentId ?? '', red?.documentId ?? ''];
    const shelf = await api.create('shelf', { name: 'top' });
    const inner = { text: 'in', secret: 'hidden', tags: ids };
    const part = { label: 'a "part"', at: '2026-05-06T07:08:09.012Z', tag: ids[0], inner: [inner, {}] };
    const link = (documentId: string | undefined) => ({ __type: 'api::tag.tag', documentId });
    const data = {
      title: 'one',
      big: '9007199254740993',
      share: 0.1,
      isOld: false,
      day: '2026-05-06',
      hour: '07:08:09',
      at: '2026-05-06T07:08:09.012Z',
      seen: '2026-05-06T07:08:09.012Z',
      extra: { b: [1, null], a: 1.5e300 },
      secret: 'hidden',
      code: 'pass-word-1',
      tags: ids,
      shelf: shelf.documentId,
      main: link(ids[1]),
      mentioned: [link(ids[1]), { __type: 'api::shelf.shelf', documentId: shelf.documentId }, link(ids[0])],
      part,
      parts: [part, {}],
      zone: [
        { __component: 'shared.inner', ...inner },
        { __component: 'shared.part', ...part },
      ],
    };
    const { documentId } = await api.create('page', data);
    const [draft, published] = await keep(documentId);
    expect(draft?.content).toEqual(await shown(documentId, 'draft'));
    expect(published?.content).toEqual(await shown(documentId, 'published'));
    const { secret: _secret, code: _code, ...written } = data;
    expect(Object.keys(draft?.content ?? {}).toSorted()).toEqual(Object.keys(written).toSorted());
    expect(draft?.content).toMatchObject({ tags: ids, shelf: shelf.documentId, mentioned: data.mentioned });
    expect(published?.content).toMatchObject({ tags: [ids[1]], part: { tag: null } });
    const read = await api.one('page', documentId);
    expect(published?.publishedAt).toBe(read?.['publishedAt']);
  });

  it('is complete where nothing was written', async () => {
    const { documentId } = await api.create('page', {});
    const [draft, published] = await keep(documentId);
    expect(draft?.content).toEqual(await shown(documentId, 'draft'));
    expect(published?.content).toEqual(draft?.content);
    expect(draft?.content).toMatchObject({ title: null, main: null, mentioned: [], part: null, zone: [] });
  });
});
