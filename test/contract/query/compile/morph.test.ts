import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import type { ProjectLiteral } from '../../../support/models.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { runQuery } from './run-query.js';
import { seed } from './seed.js';

const name = { type: 'string' };

const PROJECT: ProjectLiteral = {
  types: {
    note: {
      attributes: {
        name,
        about: { type: 'relation', relation: 'morphToOne' },
        mentions: { type: 'relation', relation: 'morphToMany' },
      },
    },
    post: {
      draftAndPublish: true,
      attributes: {
        name,
        note: { type: 'relation', relation: 'morphOne', target: 'api::note.note', morphBy: 'about' },
        notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'mentions' },
      },
    },
    person: {
      attributes: {
        name,
        notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'mentions' },
        note: { type: 'relation', relation: 'morphOne', target: 'api::note.note', morphBy: 'about' },
      },
    },
  },
};

const NOTE = 'api::note.note';
const POST = 'api::post.post';
const PERSON = 'api::person.person';

describe.each(databases)('polymorphic relations on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    await seed(testEnvironment, PERSON, [{ documentId: 'ann', values: { name: 'Ann' } }]);
    await seed(testEnvironment, POST, [
      { documentId: 'post', values: { name: 'Post' }, status: 'draft' },
      { documentId: 'post', values: { name: 'Post' } },
      { documentId: 'draft', values: { name: 'Draft' }, status: 'draft' },
    ]);
    await seed(testEnvironment, NOTE, [
      {
        documentId: 'n1',
        values: { name: 'one' },
        links: { about: `${PERSON}=ann`, mentions: [`${POST}=post`, `${PERSON}=ann`, `${POST}=draft`] },
      },
      {
        documentId: 'n2',
        values: { name: 'two' },
        links: { about: `${POST}=draft`, mentions: [`${PERSON}=ann`] },
      },
      { documentId: 'n3', values: { name: 'three' } },
    ]);
  });
  afterAll(() => testEnvironment.close());

  it('return records of each type', async () => {
    const notes = await runQuery(testEnvironment, NOTE, {
      fields: [],
      populate: {
        about: { on: { [PERSON]: { fields: ['name'] }, [POST]: { fields: ['name'] } } },
        mentions: { on: { [PERSON]: { fields: ['name'] }, [POST]: { fields: [] } } },
      },
    });
    const ann = { __type: PERSON, id: 1, documentId: 'ann', name: 'Ann' };
    expect(notes).toEqual([
      { id: 1, documentId: 'n1', about: ann, mentions: [{ __type: POST, id: 2, documentId: 'post' }, ann] },
      { id: 2, documentId: 'n2', about: null, mentions: [ann] },
      { id: 3, documentId: 'n3', about: null, mentions: [] },
    ]);
  });

  it('leave out types that are not populated', async () => {
    const [first] = await runQuery(testEnvironment, NOTE, {
      fields: [],
      populate: { about: { on: { [POST]: true } }, mentions: { on: { [POST]: { fields: ['name'] } } } },
      status: 'draft',
    });
    expect(first).toEqual({
      id: 1,
      documentId: 'n1',
      about: null,
      mentions: [
        { __type: POST, id: 1, documentId: 'post', name: 'Post' },
        { __type: POST, id: 3, documentId: 'draft', name: 'Draft' },
      ],
    });
    const [none] = await runQuery(testEnvironment, NOTE, {
      fields: [],
      populate: { about: { on: {} }, mentions: { on: {} } },
    });
    expect(none).toEqual({ id: 1, documentId: 'n1', about: null, mentions: [] });
  });

  it('can be populated from the inverse side', async () => {
    const fields = { fields: ['name'] };
    expect(
      await runQuery(testEnvironment, PERSON, { fields: [], populate: { note: fields, notes: fields } }),
    ).toEqual([
      {
        id: 1,
        documentId: 'ann',
        note: { id: 1, documentId: 'n1', name: 'one' },
        notes: [
          { id: 1, documentId: 'n1', name: 'one' },
          { id: 2, documentId: 'n2', name: 'two' },
        ],
      },
    ]);
    expect(
      await runQuery(testEnvironment, POST, {
        fields: [],
        populate: { note: fields, notes: { count: true } },
        status: 'draft',
      }),
    ).toEqual([
      { id: 1, documentId: 'post', note: null, notes: { count: 1 } },
      { id: 3, documentId: 'draft', note: { id: 2, documentId: 'n2', name: 'two' }, notes: { count: 1 } },
    ]);
  });

  it('can be filtered by from the inverse side', async () => {
    expect(
      (await runQuery(testEnvironment, PERSON, { filters: { notes: { name: 'two' } } })).map(
        ({ documentId }) => documentId,
      ),
    ).toEqual(['ann']);
    expect(await runQuery(testEnvironment, PERSON, { filters: { note: { name: 'two' } } })).toEqual([]);
  });
});
