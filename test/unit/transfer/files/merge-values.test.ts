import { describe, expect, it } from 'vitest';
import { typeOf } from '../../../../src/model/lookup.js';
import { summarizeData, normalizeData } from '../../../../src/transfer/files/version-data.js';
import { mergeData, mergeVersions } from '../../../../src/transfer/files/merge-values.js';
import type { Data } from '../../../../src/transfer/files/version-data.js';
import { modelFrom } from '../../../support/models.js';

const model = modelFrom({
  types: {
    post: {
      draftAndPublish: true,
      attributes: {
        title: { type: 'string' },
        text: { type: 'text' },
        blocks: { type: 'blocks' },
        price: { type: 'integer' },
        data: { type: 'json' },
        secret: { type: 'string', private: true },
        next: { type: 'relation', relation: 'oneToOne', target: 'api::post.post' },
        links: { type: 'relation', relation: 'manyToMany', target: 'api::post.post' },
        card: { type: 'component', component: 'shared.card' },
        cards: { type: 'component', component: 'shared.card', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.card', 'shared.note'] },
      },
    },
  },
  components: {
    'shared.card': { attributes: { label: { type: 'string' }, note: { type: 'text' } } },
    'shared.note': { attributes: { text: { type: 'text' } } },
  },
});
const post = typeOf(model, 'api::post.post');

const complete = ({ secret, ...data }: Data): Data => ({
  ...normalizeData(model, post, data),
  ...(secret === undefined ? {} : { secret }),
});
const summarize = (data: Data): Data => summarizeData(model, post, complete(data));

const merge = (attribute: string, base: unknown, file: unknown, database: unknown) => {
  const merged = mergeData(model, post, {
    base: summarize({ [attribute]: base }),
    file: complete({ [attribute]: file }),
    database: complete({ [attribute]: database }),
  });
  return {
    file: merged.file[attribute],
    database: merged.database[attribute],
    conflicts: merged.conflicts,
  };
};

const card = (label: string, note: string | null = null) => ({ label, note });
const zoneCard = (label: string, note: string | null = null) => ({
  __component: 'shared.card',
  label,
  note,
});
const note = (text: string) => ({ __component: 'shared.note', text });
const block = (text: string) => ({ type: 'paragraph', children: [{ type: 'text', text }] });

/** The attribute, the base, the file, the database, and the result. */
type Row = readonly [attribute: string, base: unknown, file: unknown, database: unknown, result: unknown];

const CLEAN: readonly Row[] = [
  ['title', 'a', 'a', 'a', 'a'],
  ['title', 'a', 'b', 'a', 'b'],
  ['title', 'a', 'a', 'c', 'c'],
  ['title', 'a', 'b', 'b', 'b'],
  ['title', 'a', null, 'a', null],
  ['title', null, null, 'c', 'c'],
  ['price', 1, 2, 1, 2],
  ['data', { a: 1, b: 2 }, { b: 2, a: 1 }, { a: 3 }, { a: 3 }],
  ['data', { a: [1] }, { a: [2] }, { a: [1] }, { a: [2] }],
  ['text', '1\n2\n3\n4', '1a\n2\n3\n4', '1\n2\n3\n4b', '1a\n2\n3\n4b'],
  ['text', '1\n2\n3', '1\n3', '1\n2\n3\n4', '1\n3\n4'],
  ['text', '1\n2\n', '1\n2', '0\n1\n2\n', '0\n1\n2'],
  [
    'blocks',
    [block('a'), block('b'), block('c')],
    [block('A'), block('b'), block('c')],
    [block('a'), block('b'), block('C')],
    [block('A'), block('b'), block('C')],
  ],
  ['next', 'a', 'b', 'a', 'b'],
  ['links', ['a', 'b'], ['a', 'b', 'c'], ['b', 'd'], ['b', 'c', 'd']],
  ['links', ['a', 'b', 'c'], ['c', 'b', 'a'], ['a', 'c', 'd'], ['c', 'd', 'a']],
  ['links', [], ['a'], ['b'], ['a', 'b']],
  ['links', ['a'], [], ['a', 'b'], ['b']],
  ['card', card('a', 'x'), card('b', 'x'), card('a', 'y'), card('b', 'y')],
  ['card', card('a'), null, card('a'), null],
  ['cards', [card('a'), card('b')], [card('c'), card('b')], [card('a'), card('d')], [card('c'), card('d')]],
  ['cards', [card('a')], [card('a'), card('b')], [card('a')], [card('a'), card('b')]],
  [
    'zone',
    [zoneCard('a'), note('x')],
    [zoneCard('b'), note('x')],
    [zoneCard('a'), note('y')],
    [zoneCard('b'), note('y')],
  ],
  ['secret', 'a', 'b', 'c', 'b'],
];

const CONFLICTS: readonly (readonly [...Row, conflicts: readonly string[]])[] = [
  ['title', 'a', 'b', 'c', ['b', 'c'], ['title']],
  ['title', null, 'b', 'c', ['b', 'c'], ['title']],
  ['price', 1, 2, 3, [2, 3], ['price']],
  ['price', 1, null, 3, [null, 3], ['price']],
  ['data', { a: 1 }, { a: 2 }, { a: 3 }, [{ a: 2 }, { a: 3 }], ['data']],
  ['text', '1\n2\n3\n4', '1\nx\n3\n4a', '1\ny\n3\n4a', ['1\nx\n3\n4a', '1\ny\n3\n4a'], ['text']],
  ['next', 'a', 'b', 'c', ['b', 'c'], ['next']],
  [
    'links',
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
    ['b', 'a', 'c'],
    [
      ['c', 'b', 'a'],
      ['b', 'a', 'c'],
    ],
    ['links'],
  ],
  ['card', card('a'), null, card('b'), [null, card('b')], ['card']],
  ['card', card('a', 'x'), card('b', 'z'), card('c', 'x'), [card('b', 'z'), card('c', 'z')], ['card.label']],
  [
    'cards',
    [card('a')],
    [card('b')],
    [card('a'), card('c')],
    [[card('b')], [card('a'), card('c')]],
    ['cards'],
  ],
  // The file has swapped items, so that positions of the database name other items.
  [
    'cards',
    [card('a', '1'), card('a', '2')],
    [card('a', '2'), card('a', '1')],
    [card('x', '1'), card('a', '2')],
    [
      [card('a', '2'), card('a', '1')],
      [card('x', '1'), card('a', '2')],
    ],
    ['cards'],
  ],
  [
    'zone',
    [note('x'), note('y')],
    [note('x'), note('b')],
    [note('a'), note('c')],
    [
      [note('a'), note('b')],
      [note('a'), note('c')],
    ],
    ['zone.1.text'],
  ],
  ['zone', [note('x')], [zoneCard('b')], [note('y')], [[zoneCard('b')], [note('y')]], ['zone']],
];

describe('values that both sides have changed', () => {
  it.each(CLEAN)('merge: %s %j, file %j, database %j', (attribute, base, file, database, result) => {
    expect(merge(attribute, base, file, database)).toEqual({ file: result, database: result, conflicts: [] });
  });

  it.each(CONFLICTS)(
    'conflict: %s %j, file %j, database %j',
    (attribute, base, file, database, ...expected) => {
      const [result, conflicts] = expected;
      const [own, other] = result as readonly [unknown, unknown];
      expect(merge(attribute, base, file, database)).toEqual({ file: own, database: other, conflicts });
    },
  );

  it('keep the value of the file for attributes that it omits, which the result omits, too', () => {
    const database = complete({ title: 'b', price: 2 });
    const base = summarize({ title: 'a' });
    expect(mergeData(model, post, { base, file: { title: 'a' }, database }).file).toEqual({ title: 'b' });
  });
});

describe('the base of values', () => {
  it('contains texts and links, digests of JSON, and no private values', () => {
    expect(
      summarize({
        title: 'a',
        price: 0,
        links: ['b'],
        data: { a: 1 },
        blocks: [block('x')],
        secret: 's',
        card: card('c'),
      }),
    ).toEqual({
      title: 'a',
      price: 0,
      links: ['b'],
      data: { $digest: expect.stringMatching(/^[\w-]{16}$/) as string },
      blocks: { $markdown: 'x' },
      card: { label: 'c' },
    });
  });
});

describe('the status', () => {
  type State = readonly [draft: string, published: string | null];
  const versions = ([draft, published]: State, map: (data: Data) => Data) => {
    const data = map({ title: draft });
    // Equal versions are one object.
    return {
      draft: data,
      published: published === draft ? data : published === null ? null : map({ title: published }),
    };
  };
  const states = (base: State, file: State, database: State) => {
    const merged = mergeVersions(model, post, {
      base: versions(base, summarize),
      file: versions(file, complete),
      database: versions(database, complete),
    });
    const { draft, published } = merged.file;
    return { state: [draft['title'], published?.['title'] ?? null], conflicts: merged.conflicts };
  };

  it.each<readonly [State, State, State, State]>([
    [
      ['a', null],
      ['a', 'a'],
      ['a', null],
      ['a', 'a'],
    ],
    [
      ['a', null],
      ['a', null],
      ['a', 'a'],
      ['a', 'a'],
    ],
    [
      ['a', null],
      ['b', null],
      ['a', 'a'],
      ['b', 'a'],
    ],
    [
      ['a', null],
      ['a', 'a'],
      ['b', null],
      ['b', 'a'],
    ],
    [
      ['a', 'a'],
      ['b', 'b'],
      ['a', 'a'],
      ['b', 'b'],
    ],
    [
      ['a', 'a'],
      ['a', null],
      ['a', 'a'],
      ['a', null],
    ],
    [
      ['a', 'a'],
      ['a', 'a'],
      ['b', null],
      ['b', null],
    ],
    [
      ['a', 'a'],
      ['a', null],
      ['b', 'a'],
      ['b', null],
    ],
    [
      ['b', 'a'],
      ['b', 'b'],
      ['b', 'a'],
      ['b', 'b'],
    ],
    [
      ['b', 'a'],
      ['b', 'c'],
      ['d', 'a'],
      ['d', 'c'],
    ],
  ])('merges: base %j, file %j, database %j', (base, file, database, state) => {
    expect(states(base, file, database)).toEqual({ state, conflicts: [] });
  });

  it.each<readonly [State, State, State, readonly object[]]>([
    [['a', 'a'], ['a', null], ['b', 'b'], [{ version: 'published', path: '$status' }]],
    [['b', 'a'], ['b', 'c'], ['b', null], [{ version: 'published', path: '$status' }]],
    [['a', 'a'], ['b', 'b'], ['c', 'c'], [{ version: 'draft', path: 'title' }]],
    [['b', 'a'], ['b', 'c'], ['b', 'd'], [{ version: 'published', path: 'title' }]],
  ])('reports: base %j, file %j, database %j', (base, file, database, conflicts) => {
    expect(states(base, file, database).conflicts).toEqual(conflicts);
  });
});
