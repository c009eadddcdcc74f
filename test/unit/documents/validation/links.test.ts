import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../../src/model/model.js';
import type { LinkOperation, LinkRef } from '../../../../src/documents/validation/input.js';
import { loadFixtureModel, modelFrom } from '../../../support/models.js';
import { issuesOf, parseInput, errorOf } from './support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

const operation = async (name: string, value: unknown): Promise<LinkOperation | undefined> =>
  (await parseInput(model, 'article', { title: 't', [name]: value })).links.get(name);

const TAG = 'api::tag.tag';
const doc = (documentId: string, type = TAG, locale: string | null = null): LinkRef => ({
  type,
  documentId,
  id: null,
  locale,
});
const num = (id: number, type = TAG): LinkRef => ({ type, documentId: null, id, locale: null });

describe('the forms of a to-many relation', () => {
  it.each<[string, unknown, LinkOperation]>([
    ['a list of document ids', ['a', 'b'], { kind: 'set', targets: [doc('a'), doc('b')] }],
    ['a list of numbers', [1, 2], { kind: 'set', targets: [num(1), num(2)] }],
    [
      'a list of objects',
      [{ documentId: 'a' }, { id: 2 }, { id: '3' }],
      { kind: 'set', targets: [doc('a'), num(2), num(3)] },
    ],
    [
      'records as they were read',
      [{ id: 9, documentId: 'a', name: 'x' }],
      { kind: 'set', targets: [doc('a')] },
    ],
    ['one document id', 'a', { kind: 'set', targets: [doc('a')] }],
    ['one number', 5, { kind: 'set', targets: [num(5)] }],
    ['one object', { documentId: 'a' }, { kind: 'set', targets: [doc('a')] }],
    ['null', null, { kind: 'set', targets: [] }],
    ['an empty list', [], { kind: 'set', targets: [] }],
    ['set', { set: ['a', { documentId: 'b' }] }, { kind: 'set', targets: [doc('a'), doc('b')] }],
    ['set to null', { set: null }, { kind: 'set', targets: [] }],
    [
      'set, which makes connect ignored',
      { set: ['a'], connect: ['b'], disconnect: [{ nope: 1 }] },
      { kind: 'set', targets: [doc('a')] },
    ],
    [
      'connect',
      { connect: ['a', { id: 2 }] },
      {
        kind: 'change',
        connect: [
          { ref: doc('a'), position: { at: 'end', isDefault: true } },
          { ref: num(2), position: { at: 'end', isDefault: true } },
        ],
        disconnect: [],
      },
    ],
    [
      'connect of one',
      { connect: 'a' },
      {
        kind: 'change',
        connect: [{ ref: doc('a'), position: { at: 'end', isDefault: true } }],
        disconnect: [],
      },
    ],
    [
      'disconnect',
      { disconnect: ['a', { documentId: 'b' }] },
      { kind: 'change', connect: [], disconnect: [doc('a'), doc('b')] },
    ],
    ['nothing to do', { connect: [], disconnect: null }, { kind: 'change', connect: [], disconnect: [] }],
    ['a locale', [{ documentId: 'a', locale: 'fr' }], { kind: 'set', targets: [doc('a', TAG, 'fr')] }],
    ['digits as text, which are a document id', ['12'], { kind: 'set', targets: [doc('12')] }],
  ])('%s', async (_, value, expected) => {
    expect(await operation('tags', value)).toEqual(expected);
  });

  it.each<[unknown, unknown]>([
    [{ start: true }, { at: 'start' }],
    [{ end: true }, { at: 'end' }],
    ['end', { at: 'end' }],
    [null, { at: 'end', isDefault: true }],
    [{ before: 'b' }, { at: 'before', ref: doc('b') }],
    [{ after: 7 }, { at: 'after', ref: num(7) }],
    [
      { before: { documentId: 'b' }, after: null },
      { at: 'before', ref: doc('b') },
    ],
  ])('position %o', async (position, expected) => {
    expect(await operation('tags', { connect: [{ documentId: 'a', position }] })).toEqual({
      kind: 'change',
      connect: [{ ref: doc('a'), position: expected }],
      disconnect: [],
    });
  });

  it('an absent key results in no operation', async () => {
    expect(await operation('tags', undefined)).toBeUndefined();
  });
});

describe('files', () => {
  const FILE = 'plugin::upload.file';

  it.each<[unknown, LinkRef]>([
    [5, num(5, FILE)],
    ['5', num(5, FILE)],
    [{ id: 5 }, num(5, FILE)],
    ['tz4a98xxat96iws9zmbrgj3a', doc('tz4a98xxat96iws9zmbrgj3a', FILE)],
  ])('%o', async (value, ref) => {
    expect(await operation('cover', value)).toEqual({ kind: 'set', targets: [ref] });
  });
});

describe('a to-one relation', () => {
  it('accepts every form with one document', async () => {
    const author = doc('a', 'api::author.author');
    expect(await operation('author', ['a', { documentId: 'a' }])).toEqual({
      kind: 'set',
      targets: [author, author],
    });
    expect(await operation('author', { connect: ['a'] })).toEqual({
      kind: 'change',
      connect: [{ ref: author, position: { at: 'end', isDefault: true } }],
      disconnect: [],
    });
  });

  it.each([[['a', 'b']], [{ set: ['a', 1] }], [{ connect: ['a', 'b'] }]])(
    'refuses two: %o',
    async (value) => {
      expect(await issuesOf(operation('author', value))).toBe('request/invalid-relation');
    },
  );
});

describe('invalid relation values', () => {
  it.each([
    [{ nope: 1 }],
    [{}],
    [true],
    [[true]],
    [['']],
    [''],
    [[[]]],
    [[null]],
    [{ documentId: 5 }],
    [{ documentId: '' }],
    [{ documentId: 'a\0b' }],
    [{ id: 1.5 }],
    [{ id: 0 }],
    [{ id: -3 }],
    [{ id: 'x' }],
    [{ id: [1] }],
    [0],
    [-1],
    [1.5],
    [Number.MAX_VALUE],
    ['x'.repeat(256)],
    [{ set: [{ nope: 1 }] }],
    [{ connect: [{}] }],
    [{ connect: [{ documentId: 'a', position: {} }] }],
    [{ connect: [{ documentId: 'a', position: 'start' }] }],
    [{ connect: [{ documentId: 'a', position: { start: false } }] }],
    [{ connect: [{ documentId: 'a', position: { start: true, end: true } }] }],
    [{ connect: [{ documentId: 'a', position: { before: {} } }] }],
    [{ documentId: 'a', locale: 5 }],
  ])('%o is refused with an error without a path', async (value) => {
    const error = await errorOf(operation('tags', value));
    expect(error).toMatchObject({ code: 'request/invalid-relation', kind: 'validation', details: {} });
    expect(error.message).toMatch(/^tags: /);
  });

  it('refuses more links than one write may hold', async () => {
    expect(
      await issuesOf(
        operation(
          'tags',
          Array.from({ length: 10_001 }, (_, index) => index + 1),
        ),
      ),
    ).toBe('request/too-many-items');
    expect(await issuesOf(operation('tags', { connect: Array.from({ length: 10_001 }, () => 'a') }))).toBe(
      'request/too-many-items',
    );
  });
});

describe('required relations and media', () => {
  const literal = modelFrom({
    types: {
      book: {
        draftAndPublish: true,
        attributes: {
          author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', required: true },
          authors: { type: 'relation', relation: 'manyToMany', target: 'api::author.author', required: true },
          cover: { type: 'media', required: true },
        },
      },
      author: { attributes: { name: { type: 'string' } } },
    },
  });

  it('must be present and not null when publishing', async () => {
    expect(await issuesOf(parseInput(literal, 'book', {}))).toEqual(['author', 'authors', 'cover']);
    expect(
      await issuesOf(
        parseInput(
          literal,
          'book',
          { author: null, authors: null, cover: null },
          { stored: {}, isNew: false },
        ),
      ),
    ).toEqual(['author', 'authors', 'cover']);
    expect((await parseInput(literal, 'book', { author: 'a', authors: [], cover: 1 })).links.size).toBe(3);
  });

  it('may be absent in drafts, and where stored links are kept', async () => {
    expect((await parseInput(literal, 'book', {}, { strictness: 'draft' })).links.size).toBe(0);
    expect((await parseInput(literal, 'book', {}, { isNew: false })).links.size).toBe(0);
  });
});

describe('the find permission on targets', () => {
  const access = { canFind: (uid: string) => uid !== TAG };

  it.each([
    [{ tags: ['a'] }],
    [{ tags: null }],
    [{ tags: [] }],
    [{ links: [{ label: 'x', tag: 'a' }] }],
    [{ sections: [{ __component: 'sections.related', tags: [] }] }],
  ])('is required by %o', async (data) => {
    expect(await issuesOf(parseInput(model, 'article', { title: 't', ...data }, { access }))).toBe(
      'request/invalid-key',
    );
  });

  it('is not required by files and by relations to other types', async () => {
    expect(
      (
        await parseInput(
          model,
          'article',
          { title: 't', author: 'a', cover: 1, links: [{ label: 'x' }] },
          { access },
        )
      ).links.size,
    ).toBe(2);
  });
});
