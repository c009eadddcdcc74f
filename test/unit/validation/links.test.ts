import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../src/model/model.js';
import type { LinkOperation, LinkRef } from '../../../src/validation/input.js';
import { loadFixtureModel, modelFrom } from '../../support/models.js';
import { faultsOf, read, refusal } from './support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

const operation = async (name: string, value: unknown): Promise<LinkOperation | undefined> => (await read(model, 'article', { title: 't', [name]: value })).links.get(name);

const TAG = 'api::tag.tag';
const doc = (documentId: string, type = TAG, locale: string | null = null): LinkRef => ({ type, documentId, id: null, locale });
const num = (id: number, type = TAG): LinkRef => ({ type, documentId: null, id, locale: null });

describe('spellings of a to-many relation', () => {
  it.each<[string, unknown, LinkOperation]>([
    ['a list of document ids', ['a', 'b'], { kind: 'set', targets: [doc('a'), doc('b')] }],
    ['a list of numbers', [1, 2], { kind: 'set', targets: [num(1), num(2)] }],
    ['a list of objects', [{ documentId: 'a' }, { id: 2 }, { id: '3' }], { kind: 'set', targets: [doc('a'), num(2), num(3)] }],
    ['records as they were read', [{ id: 9, documentId: 'a', name: 'x' }], { kind: 'set', targets: [doc('a')] }],
    ['one document id', 'a', { kind: 'set', targets: [doc('a')] }],
    ['one number', 5, { kind: 'set', targets: [num(5)] }],
    ['one object', { documentId: 'a' }, { kind: 'set', targets: [doc('a')] }],
    ['null', null, { kind: 'set', targets: [] }],
    ['an empty list', [], { kind: 'set', targets: [] }],
    ['set', { set: ['a', { documentId: 'b' }] }, { kind: 'set', targets: [doc('a'), doc('b')] }],
    ['set to null', { set: null }, { kind: 'set', targets: [] }],
    ['set, which makes connect ignored', { set: ['a'], connect: ['b'], disconnect: [{ nope: 1 }] }, { kind: 'set', targets: [doc('a')] }],
    ['connect', { connect: ['a', { id: 2 }] }, { kind: 'change', connect: [{ ref: doc('a'), position: { at: 'end' } }, { ref: num(2), position: { at: 'end' } }], disconnect: [] }],
    ['connect of one', { connect: 'a' }, { kind: 'change', connect: [{ ref: doc('a'), position: { at: 'end' } }], disconnect: [] }],
    ['disconnect', { disconnect: ['a', { documentId: 'b' }] }, { kind: 'change', connect: [], disconnect: [doc('a'), doc('b')] }],
    ['nothing to do', { connect: [], disconnect: null }, { kind: 'change', connect: [], disconnect: [] }],
    ['a locale', [{ documentId: 'a', locale: 'fr' }], { kind: 'set', targets: [doc('a', TAG, 'fr')] }],
    ['digits as text, which are a document id', ['12'], { kind: 'set', targets: [doc('12')] }],
  ])('%s', async (_, value, expected) => {
    expect(await operation('tags', value)).toEqual(expected);
  });

  it.each<[unknown, unknown]>([
    [{ start: true }, { at: 'start' }], [{ end: true }, { at: 'end' }], [null, { at: 'end' }], [{ before: 'b' }, { at: 'before', ref: doc('b') }],
    [{ after: 7 }, { at: 'after', ref: num(7) }], [{ before: { documentId: 'b' }, after: null }, { at: 'before', ref: doc('b') }],
  ])('position %o', async (position, expected) => {
    expect(await operation('tags', { connect: [{ documentId: 'a', position }] })).toEqual({ kind: 'change', connect: [{ ref: doc('a'), position: expected }], disconnect: [] });
  });

  it('an absent key is no operation', async () => {
    expect(await operation('tags', undefined)).toBeUndefined();
  });
});

describe('files', () => {
  const FILE = 'plugin::upload.file';

  it.each<[unknown, LinkRef]>([[5, num(5, FILE)], ['5', num(5, FILE)], [{ id: 5 }, num(5, FILE)], ['tz4a98xxat96iws9zmbrgj3a', doc('tz4a98xxat96iws9zmbrgj3a', FILE)]])('%o', async (value, ref) => {
    expect(await operation('cover', value)).toEqual({ kind: 'set', targets: [ref] });
  });
});

describe('a to-one relation', () => {
  it('takes every spelling, with one document', async () => {
    const author = doc('a', 'api::author.author');
    expect(await operation('author', ['a', { documentId: 'a' }])).toEqual({ kind: 'set', targets: [author, author] });
    expect(await operation('author', { connect: ['a'] })).toEqual({ kind: 'change', connect: [{ ref: author, position: { at: 'end' } }], disconnect: [] });
  });

  it.each([[['a', 'b']], [{ set: ['a', 1] }], [{ connect: ['a', 'b'] }]])('refuses two: %o', async (value) => {
    expect(await faultsOf(operation('author', value))).toBe('request/invalid-relation');
  });
});

describe('nonsense', () => {
  it.each([
    [{ nope: 1 }], [{}], [true], [[true]], [['']], [''], [[[]]], [[null]], [{ documentId: 5 }], [{ documentId: '' }], [{ documentId: 'a\0b' }], [{ id: 1.5 }], [{ id: 0 }], [{ id: -3 }], [{ id: 'x' }], [{ id: [1] }],
    [0], [-1], [1.5], [Number.MAX_VALUE], ['x'.repeat(256)], [{ set: [{ nope: 1 }] }], [{ connect: [{}] }], [{ connect: [{ documentId: 'a', position: {} }] }],
    [{ connect: [{ documentId: 'a', position: 'start' }] }], [{ connect: [{ documentId: 'a', position: { start: false } }] }], [{ connect: [{ documentId: 'a', position: { start: true, end: true } }] }],
    [{ connect: [{ documentId: 'a', position: { before: {} } }] }], [{ documentId: 'a', locale: 5 }],
  ])('%o is refused without a path', async (value) => {
    const error = await refusal(operation('tags', value));
    expect(error).toMatchObject({ code: 'request/invalid-relation', kind: 'validation', details: {} });
    expect(error.message).toMatch(/^tags: /);
  });

  it('more links than one write may hold are refused', async () => {
    expect(await faultsOf(operation('tags', Array.from({ length: 10_001 }, (_, index) => index + 1)))).toBe('request/too-many-items');
    expect(await faultsOf(operation('tags', { connect: Array.from({ length: 10_001 }, () => 'a') }))).toBe('request/too-many-items');
  });
});

describe('required', () => {
  const literal = modelFrom({ types: { book: { draftAndPublish: true, attributes: { author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', required: true }, authors: { type: 'relation', relation: 'manyToMany', target: 'api::author.author', required: true }, cover: { type: 'media', required: true } } }, author: { attributes: { name: { type: 'string' } } } } });

  it('refuses absent and null links of what is published', async () => {
    expect(await faultsOf(read(literal, 'book', {}))).toEqual(['author', 'authors', 'cover']);
    expect(await faultsOf(read(literal, 'book', { author: null, authors: null, cover: null }, { stored: {} , isNew: false }))).toEqual(['author', 'authors', 'cover']);
    expect((await read(literal, 'book', { author: 'a', authors: [], cover: 1 })).links.size).toBe(3);
  });

  it('is skipped by drafts, and where links are kept', async () => {
    expect((await read(literal, 'book', {}, { strictness: 'draft' })).links.size).toBe(0);
    expect((await read(literal, 'book', {}, { isNew: false })).links.size).toBe(0);
  });
});

describe('rights', () => {
  const access = { canFind: (uid: string) => uid !== TAG };

  it.each([[{ tags: ['a'] }], [{ tags: null }], [{ tags: [] }], [{ links: [{ label: 'x', tag: 'a' }] }], [{ sections: [{ __component: 'sections.related', tags: [] }] }]])('%o needs find on the target', async (data) => {
    expect(await faultsOf(read(model, 'article', { title: 't', ...data }, { access }))).toBe('request/invalid-key');
  });

  it('files and other relations do not', async () => {
    expect((await read(model, 'article', { title: 't', author: 'a', cover: 1, links: [{ label: 'x' }] }, { access })).links.size).toBe(2);
  });
});

describe('links inside components', () => {
  it('are handed on with the item they belong to, and hold nothing until they are found', async () => {
    const { components, componentLinks } = await read(model, 'article', { title: 't', sections: [{ __component: 'sections.text' }, { __component: 'sections.related', tags: ['a', 2] }], seo: { metaTitle: 'm', image: 4 } });
    expect(componentLinks.map(({ path, operation: op, current }) => ({ path: path.join('.'), op, current }))).toEqual([
      { path: 'seo.image', op: { kind: 'set', targets: [num(4, 'plugin::upload.file')] }, current: [] },
      { path: 'sections.1.tags', op: { kind: 'set', targets: [doc('a'), num(2)] }, current: [] },
    ]);
    const [, related] = componentLinks;
    if (related === undefined) throw new Error('no link');
    related.item['tags'] = ['a', 'b'];
    expect(components.get('sections')).toEqual([{ __component: 'sections.text', id: expect.any(Number), body: null }, { __component: 'sections.related', id: expect.any(Number), heading: null, tags: ['a', 'b'] }]);
  });

  it('know what the item linked before, and keep it when nothing is sent', async () => {
    const stored = { title: 't', sections: [{ __component: 'sections.related', id: 1, heading: 'H', tags: ['x', 'y'] }] };
    const changed = await read(model, 'article', { sections: [{ __component: 'sections.related', id: 1, tags: { connect: ['z'] } }] }, { stored });
    expect(changed.componentLinks.map(({ current }) => current)).toEqual([['x', 'y']]);
    const kept = await read(model, 'article', { sections: [{ __component: 'sections.related', id: 1, heading: 'I' }] }, { stored });
    expect(kept.componentLinks).toEqual([]);
    expect(kept.components.get('sections')).toEqual([{ __component: 'sections.related', id: 1, heading: 'I', tags: ['x', 'y'] }]);
  });

  it('are refused without a path when they cannot be understood', async () => {
    expect(await faultsOf(read(model, 'article', { title: 't', links: [{ label: 'x', tag: { nope: 1 } }] }))).toBe('request/invalid-relation');
  });
});

describe('polymorphic relations', () => {
  const literal = modelFrom({ types: { note: { attributes: { subject: { type: 'relation', relation: 'morphToOne' }, subjects: { type: 'relation', relation: 'morphToMany' } } }, page: { attributes: { note: { type: 'relation', relation: 'morphOne', target: 'api::note.note', morphBy: 'subject' }, notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'subjects' } } }, other: { attributes: { name: { type: 'string' } } } } });

  it('say what they point at', async () => {
    const { links } = await read(literal, 'note', { subject: { __type: 'api::page.page', documentId: 'a' }, subjects: { connect: [{ __type: 'api::page.page', id: 4, position: { after: { __type: 'api::page.page', documentId: 'b' } } }] } });
    expect(links.get('subject')).toEqual({ kind: 'set', targets: [doc('a', 'api::page.page')] });
    expect(links.get('subjects')).toMatchObject({ connect: [{ ref: num(4, 'api::page.page'), position: { at: 'after', ref: doc('b', 'api::page.page') } }] });
  });

  it('need find on what they point at', async () => {
    const access = { canFind: (uid: string) => uid !== 'api::page.page' };
    const to = { __type: 'api::page.page', documentId: 'a' };
    for (const subjects of [to, [to], { set: [to] }, { connect: to }, { disconnect: [to] }]) expect(await faultsOf(read(literal, 'note', { subjects }, { access }))).toBe('request/invalid-key');
    const nested = JSON.parse(`${'{"set":['.repeat(50_000)}${']}'.repeat(50_000)}`) as unknown;
    expect(await faultsOf(read(literal, 'note', { subjects: nested }, { access }))).toBe('request/invalid-relation');
  });

  it.each([['a'], [4], [{ documentId: 'a' }], [{ __type: 'api::other.other', documentId: 'a' }], [{ __type: '__proto__', documentId: 'a' }]])('%o is refused', async (value) => {
    expect(await faultsOf(read(literal, 'note', { subject: value }))).toBe('request/invalid-relation');
  });
});
