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
