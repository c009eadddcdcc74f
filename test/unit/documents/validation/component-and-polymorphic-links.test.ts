import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../../src/model/model.js';
import type { LinkRef } from '../../../../src/documents/validation/input.js';
import { loadFixtureModel, modelFrom } from '../../../support/models.js';
import { issuesOf, parseInput } from './support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

const TAG = 'api::tag.tag';
const doc = (documentId: string, type = TAG, locale: string | null = null): LinkRef => ({
  type,
  documentId,
  id: null,
  locale,
});
const num = (id: number, type = TAG): LinkRef => ({ type, documentId: null, id, locale: null });

describe('links inside components', () => {
  it('are returned with their place in the components, where they are empty', async () => {
    const { components, componentLinks } = await parseInput(model, 'article', {
      title: 't',
      sections: [{ __component: 'sections.text' }, { __component: 'sections.related', tags: ['a', 2] }],
      seo: { metaTitle: 'm', image: 4 },
    });
    expect(
      componentLinks.map(({ path, operation: op, current }) => ({ path: path.join('.'), op, current })),
    ).toEqual([
      { path: 'seo.image', op: { kind: 'set', targets: [num(4, 'plugin::upload.file')] }, current: [] },
      { path: 'sections.1.tags', op: { kind: 'set', targets: [doc('a'), num(2)] }, current: [] },
    ]);
    expect(components.get('sections')).toEqual([
      { __component: 'sections.text', id: expect.any(Number), body: null },
      { __component: 'sections.related', id: expect.any(Number), heading: null, tags: [] },
    ]);
  });

  it('carry the links that the component had, and stay when nothing is sent', async () => {
    const stored = {
      title: 't',
      sections: [{ __component: 'sections.related', id: 1, heading: 'H', tags: ['x', 'y'] }],
    };
    const changed = await parseInput(
      model,
      'article',
      { sections: [{ __component: 'sections.related', id: 1, tags: { connect: ['z'] } }] },
      { stored },
    );
    expect(changed.componentLinks.map(({ current }) => current)).toEqual([['x', 'y']]);
    const kept = await parseInput(
      model,
      'article',
      { sections: [{ __component: 'sections.related', id: 1, heading: 'I' }] },
      { stored },
    );
    expect(kept.componentLinks).toEqual([]);
    expect(kept.components.get('sections')).toEqual([
      { __component: 'sections.related', id: 1, heading: 'I', tags: ['x', 'y'] },
    ]);
  });

  it('refuse an invalid operation with an error without a path', async () => {
    expect(
      await issuesOf(parseInput(model, 'article', { title: 't', links: [{ label: 'x', tag: { nope: 1 } }] })),
    ).toBe('request/invalid-relation');
  });
});

describe('polymorphic relations', () => {
  const literal = modelFrom({
    types: {
      note: {
        attributes: {
          subject: { type: 'relation', relation: 'morphToOne' },
          subjects: { type: 'relation', relation: 'morphToMany' },
        },
      },
      page: {
        attributes: {
          note: { type: 'relation', relation: 'morphOne', target: 'api::note.note', morphBy: 'subject' },
          notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'subjects' },
        },
      },
      other: { attributes: { name: { type: 'string' } } },
    },
  });

  it('name the type of each target', async () => {
    const { links } = await parseInput(literal, 'note', {
      subject: { __type: 'api::page.page', documentId: 'a' },
      subjects: {
        connect: [
          {
            __type: 'api::page.page',
            id: 4,
            position: { after: { __type: 'api::page.page', documentId: 'b' } },
          },
        ],
      },
    });
    expect(links.get('subject')).toEqual({ kind: 'set', targets: [doc('a', 'api::page.page')] });
    expect(links.get('subjects')).toMatchObject({
      connect: [
        { ref: num(4, 'api::page.page'), position: { at: 'after', ref: doc('b', 'api::page.page') } },
      ],
    });
  });

  it.each<[unknown, unknown]>([
    [
      { before: 7, __type: 'api::page.page' },
      { at: 'before', ref: num(7, 'api::page.page') },
    ],
    [
      { before: 'b', __type: 'api::page.page' },
      { at: 'before', ref: doc('b', 'api::page.page') },
    ],
    // Without a type of its own, that of what is connected.
    [{ after: 7 }, { at: 'after', ref: num(7, 'api::page.page') }],
    [{ after: { documentId: 'b' } }, { at: 'after', ref: doc('b', 'api::page.page') }],
    ['end', { at: 'end' }],
    [{ start: true }, { at: 'start' }],
  ])('are placed at %j', async (position, expected) => {
    const connect = [{ __type: 'api::page.page', id: 4, position }];
    const { links } = await parseInput(literal, 'note', { subjects: { connect } });
    expect(links.get('subjects')).toMatchObject({
      connect: [{ ref: num(4, 'api::page.page'), position: expected }],
    });
  });

  it('require the find permission on the target type', async () => {
    const access = { canFind: (uid: string) => uid !== 'api::page.page' };
    const to = { __type: 'api::page.page', documentId: 'a' };
    for (const subjects of [to, [to], { set: [to] }, { connect: to }, { disconnect: [to] }])
      expect(await issuesOf(parseInput(literal, 'note', { subjects }, { access }))).toBe(
        'request/invalid-key',
      );
    const nested = JSON.parse(`${'{"set":['.repeat(50_000)}${']}'.repeat(50_000)}`) as unknown;
    expect(await issuesOf(parseInput(literal, 'note', { subjects: nested }, { access }))).toBe(
      'request/invalid-relation',
    );
  });

  it.each([
    ['a'],
    [4],
    [{ documentId: 'a' }],
    [{ __type: 'api::other.other', documentId: 'a' }],
    [{ __type: '__proto__', documentId: 'a' }],
  ])('%o is refused', async (value) => {
    expect(await issuesOf(parseInput(literal, 'note', { subject: value }))).toBe('request/invalid-relation');
  });
});
