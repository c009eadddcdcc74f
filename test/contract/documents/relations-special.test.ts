import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, issuesOf } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const PROJECT = {
  types: {
    note: {
      draftAndPublish: true,
      attributes: {
        text: { type: 'string' },
        about: { type: 'relation', relation: 'morphToOne' },
        mentions: { type: 'relation', relation: 'morphToMany' },
      },
    },
    person: {
      attributes: {
        name: { type: 'string' },
        notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'mentions' },
        note: { type: 'relation', relation: 'morphOne', target: 'api::note.note', morphBy: 'about' },
      },
    },
    place: {
      attributes: {
        name: { type: 'string' },
        notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'mentions' },
      },
    },
    badge: {
      attributes: {
        code: { type: 'string' },
        holder: {
          type: 'relation',
          relation: 'oneToOne',
          target: 'api::guest.guest',
          inversedBy: 'badge',
          required: true,
        },
      },
    },
    guest: {
      draftAndPublish: true,
      attributes: {
        name: { type: 'string' },
        badge: { type: 'relation', relation: 'oneToOne', target: 'api::badge.badge', mappedBy: 'holder' },
        seat: {
          type: 'relation',
          relation: 'oneToOne',
          target: 'api::seat.seat',
          inversedBy: 'guest',
          required: true,
        },
      },
    },
    seat: {
      draftAndPublish: true,
      attributes: {
        row: { type: 'integer' },
        guest: { type: 'relation', relation: 'oneToOne', target: 'api::guest.guest', mappedBy: 'seat' },
      },
    },
  },
} as const;

describe.each(databases)('polymorphic, exclusive and required relations on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    api = createApi(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  const texts = (value: unknown): readonly unknown[] =>
    (value as readonly ReturnedRecord[]).map((item) => item['text'] ?? item['name']);

  it('polymorphic relations can be written from both sides, separately for drafts', async () => {
    const [ann, rome] = [
      await api.create('person', { name: 'Ann' }),
      await api.create('place', { name: 'Rome' }),
    ];
    const to = (type: string, { documentId }: ReturnedRecord) => ({
      __type: `api::${type}.${type}`,
      documentId,
    });
    const populate = {
      mentions: {
        on: { 'api::person.person': { fields: ['name'] }, 'api::place.place': { fields: ['name'] } },
      },
    };
    const note = await api.create(
      'note',
      {
        text: 'n1',
        about: to('person', ann),
        mentions: [to('place', rome), { __type: 'api::person.person', id: ann.id }],
      },
      { populate },
    );
    expect(texts(note['mentions'])).toEqual(['Rome', 'Ann']);
    const notesOf = async (status = 'published') =>
      texts(
        (await api.one('person', ann.documentId, { status, populate: { notes: { fields: ['text'] } } }))?.[
          'notes'
        ],
      );
    expect(await notesOf()).toEqual(['n1']);
    await api.update(
      'note',
      note.documentId,
      { mentions: { disconnect: [to('person', ann)] } },
      { status: 'draft' },
    );
    expect([await notesOf(), await notesOf('draft')]).toEqual([['n1'], []]);
    await api.update('note', note.documentId, {});
    expect(await notesOf()).toEqual([]);
    await api.update('person', ann.documentId, { notes: [note.documentId] });
    expect([await notesOf(), await notesOf('draft')]).toEqual([['n1'], ['n1']]);
    expect(texts((await api.one('note', note.documentId, { populate }))?.['mentions'])).toEqual([
      'Rome',
      'Ann',
    ]);
    await api.update('note', note.documentId, {
      mentions: { connect: [{ ...to('person', ann), position: { before: to('place', rome) } }] },
    });
    expect(texts((await api.one('note', note.documentId, { populate }))?.['mentions'])).toEqual([
      'Ann',
      'Rome',
    ]);
    const other = await api.create('note', { text: 'n2' });
    await api.update('person', ann.documentId, { note: other.documentId });
    expect(
      (await api.one('person', ann.documentId, { populate: { note: { fields: ['text'] } } }))?.['note'],
    ).toMatchObject({ text: 'n2' });
    await api.remove('person', ann.documentId);
    expect(texts((await api.one('note', note.documentId, { populate }))?.['mentions'])).toEqual(['Rome']);
    expect(await issuesOf(api.create('note', { about: { __type: 'api::seat.seat', documentId: 'x' } }))).toBe(
      'request/invalid-relation',
    );
    expect(await issuesOf(api.create('note', { about: to('place', ann) }))).toBe('request/invalid-relation');
  });

  it('a required to-one relation must be set in the published version', async () => {
    const seat = await api.create('seat', { row: 1 });
    expect(await issuesOf(api.create('guest', { name: 'g' }))).toEqual(['seat']);
    const guest = await api.create('guest', { name: 'g' }, { status: 'draft' });
    expect(await issuesOf(api.act('publish', 'guest', guest.documentId))).toEqual(['seat']);
    await api.update('guest', guest.documentId, { seat: seat.documentId });
    expect(await issuesOf(api.update('guest', guest.documentId, { seat: null }))).toEqual(['seat']);
    expect(
      await issuesOf(api.update('guest', guest.documentId, { seat: { disconnect: [seat.documentId] } })),
    ).toEqual(['seat']);
    expect(
      await api.update('guest', guest.documentId, { name: 'still' }, { populate: 'seat' }),
    ).toMatchObject({ name: 'still', seat: { row: 1 } });
    await api.update('guest', guest.documentId, { seat: null }, { status: 'draft' });
    expect(await issuesOf(api.update('guest', guest.documentId, {}))).toEqual(['seat']);
  });

  it('a target of a one-to-one relation is taken from its owner in the written versions', async () => {
    const [s1, s2] = [await api.create('seat', { row: 1 }), await api.create('seat', { row: 2 })];
    const [ann, bob] = [
      await api.create('guest', { name: 'Ann', seat: s1.documentId }),
      await api.create('guest', { name: 'Bob', seat: s2.documentId }),
    ];
    const seatOf = async ({ documentId }: ReturnedRecord, status = 'published') =>
      (
        (await api.one('guest', documentId, { status, populate: 'seat' }))?.['seat'] as ReturnedRecord | null
      )?.['row'] ?? null;
    await api.update('guest', bob.documentId, { seat: s1.documentId }, { status: 'draft' });
    expect([
      await seatOf(ann),
      await seatOf(ann, 'draft'),
      await seatOf(bob),
      await seatOf(bob, 'draft'),
    ]).toEqual([1, null, 2, 1]);
    await api.update('guest', bob.documentId, {});
    expect([await seatOf(ann), await seatOf(bob)]).toEqual([null, 1]);
    await api.update('seat', s2.documentId, { guest: bob.documentId });
    expect([await seatOf(bob), await seatOf(bob, 'draft')]).toEqual([2, 2]);
  });

  it('a type without drafts may have a relation to a type with drafts', async () => {
    const seat = await api.create('seat', { row: 9 });
    const guest = await api.create('guest', { name: 'G', seat: seat.documentId });
    const badge = await api.create('badge', { code: 'b1', holder: guest.documentId }, { populate: 'holder' });
    expect(badge['holder']).toMatchObject({ name: 'G' });
    expect(await issuesOf(api.update('badge', badge.documentId, { holder: null }))).toEqual(['holder']);
    const other = await api.create('badge', { code: 'b2', holder: guest.documentId });
    expect((await api.one('badge', badge.documentId, { populate: 'holder' }))?.['holder']).toBeNull();
    await api.update('guest', guest.documentId, { badge: badge.documentId }, { status: 'draft' });
    expect(
      (await api.one('guest', guest.documentId, { status: 'draft', populate: 'badge' }))?.['badge'],
    ).toMatchObject({ code: 'b1' });
    expect((await api.one('guest', guest.documentId, { populate: 'badge' }))?.['badge']).toMatchObject({
      code: 'b2',
    });
    await api.act('publish', 'guest', guest.documentId);
    expect((await api.one('guest', guest.documentId, { populate: 'badge' }))?.['badge']).toMatchObject({
      code: 'b1',
    });
    expect((await api.one('badge', other.documentId, { populate: 'holder' }))?.['holder']).toBeNull();
  });
});
