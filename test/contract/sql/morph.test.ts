import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral } from '../../support/models.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { ask } from './ask.js';
import { seed } from './seed.js';

const name = { type: 'string' };

const PROJECT: ProjectLiteral = {
  types: {
    note: { attributes: { name, about: { type: 'relation', relation: 'morphToOne' }, mentions: { type: 'relation', relation: 'morphToMany' } } },
    post: {
      draftAndPublish: true,
      attributes: {
        name,
        note: { type: 'relation', relation: 'morphOne', target: 'api::note.note', morphBy: 'about' },
        notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'mentions' },
      },
    },
    person: { attributes: { name, notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'mentions' }, note: { type: 'relation', relation: 'morphOne', target: 'api::note.note', morphBy: 'about' } } },
  },
};

const NOTE = 'api::note.note';
const POST = 'api::post.post';
const PERSON = 'api::person.person';

describe.each(databases)('polymorphic relations on $name', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ model: PROJECT, database });
    await seed(world, PERSON, [{ documentId: 'ann', values: { name: 'Ann' } }]);
    await seed(world, POST, [
      { documentId: 'post', values: { name: 'Post' }, status: 'draft' }, { documentId: 'post', values: { name: 'Post' } },
      { documentId: 'draft', values: { name: 'Draft' }, status: 'draft' },
    ]);
    await seed(world, NOTE, [
      { documentId: 'n1', values: { name: 'one' }, links: { about: `${PERSON}=ann`, mentions: [`${POST}=post`, `${PERSON}=ann`, `${POST}=draft`] } },
      { documentId: 'n2', values: { name: 'two' }, links: { about: `${POST}=draft`, mentions: [`${PERSON}=ann`] } },
      { documentId: 'n3', values: { name: 'three' } },
    ]);
  });
  afterAll(() => world.close());

  it('answer records of each type', async () => {
    const notes = await ask(world, NOTE, { fields: [], populate: { about: { on: { [PERSON]: { fields: ['name'] }, [POST]: { fields: ['name'] } } }, mentions: { on: { [PERSON]: { fields: ['name'] }, [POST]: { fields: [] } } } } });
    const ann = { __type: PERSON, id: 1, documentId: 'ann', name: 'Ann' };
    expect(notes).toEqual([
      { id: 1, documentId: 'n1', about: ann, mentions: [{ __type: POST, id: 2, documentId: 'post' }, ann] },
      { id: 2, documentId: 'n2', about: null, mentions: [ann] },
      { id: 3, documentId: 'n3', about: null, mentions: [] },
    ]);
  });

  it('leave out the types that are not asked for', async () => {
    const [first] = await ask(world, NOTE, { fields: [], populate: { about: { on: { [POST]: true } }, mentions: { on: { [POST]: { fields: ['name'] } } } }, status: 'draft' });
    expect(first).toEqual({ id: 1, documentId: 'n1', about: null, mentions: [{ __type: POST, id: 1, documentId: 'post', name: 'Post' }, { __type: POST, id: 3, documentId: 'draft', name: 'Draft' }] });
    const [none] = await ask(world, NOTE, { fields: [], populate: { about: { on: {} }, mentions: { on: {} } } });
    expect(none).toEqual({ id: 1, documentId: 'n1', about: null, mentions: [] });
  });

  it('are seen from the other side', async () => {
    const fields = { fields: ['name'] };
    expect(await ask(world, PERSON, { fields: [], populate: { note: fields, notes: fields } })).toEqual([
      { id: 1, documentId: 'ann', note: { id: 1, documentId: 'n1', name: 'one' }, notes: [{ id: 1, documentId: 'n1', name: 'one' }, { id: 2, documentId: 'n2', name: 'two' }] },
    ]);
    expect(await ask(world, POST, { fields: [], populate: { note: fields, notes: { count: true } }, status: 'draft' })).toEqual([
      { id: 1, documentId: 'post', note: null, notes: { count: 1 } },
      { id: 3, documentId: 'draft', note: { id: 2, documentId: 'n2', name: 'two' }, notes: { count: 1 } },
    ]);
  });

  it('are filtered by from the other side', async () => {
    expect((await ask(world, PERSON, { filters: { notes: { name: 'two' } } })).map(({ documentId }) => documentId)).toEqual(['ann']);
    expect(await ask(world, PERSON, { filters: { note: { name: 'two' } } })).toEqual([]);
  });
});
