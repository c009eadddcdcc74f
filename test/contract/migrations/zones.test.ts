import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { list, runChange, single, TEXT, zone } from './component-fixture.js';

describe.each(databases)('dynamic zones and JSON in migrations on $name', (kind) => {
  it('drops items of a component that a zone no longer takes, and renames that of others', async () => {
    const { told, stored } = await runChange(
      kind,
      [
        zone('a.gone', 'a.old', 'a.kept'),
        { 'a.gone': { t: TEXT }, 'a.old': { t: TEXT }, 'a.kept': { t: TEXT } },
      ],
      [zone('a.kept', 'a.new'), { 'a.new': { t: TEXT }, 'a.kept': { t: TEXT } }],
      [
        [
          { __component: 'a.gone', id: 1, t: 'x' },
          { __component: 'a.old', id: 2, t: 'y' },
          { __component: 'a.kept', id: 3, t: 'z' },
          { __component: 'a.gone', id: 4, t: null },
        ],
        [{ __component: 'a.gone', id: 5, t: null }],
      ],
      { decisions: { renames: [{ kind: 'component', from: 'a.old', to: 'a.new' }] } },
    );
    expect(told).toEqual([
      'dropped part[a.gone]: 3 (its component is removed)',
      'moved part[a.old]: 1 (the component is renamed to a.new)',
    ]);
    expect(stored).toEqual([
      [
        { __component: 'a.new', id: 2, t: 'y' },
        { __component: 'a.kept', id: 3, t: 'z' },
      ],
      [],
    ]);
  });

  it('turns a zone into components and components into a zone', async () => {
    const components = { 'a.x': { t: TEXT }, 'a.y': { t: TEXT } };
    const items = [
      { __component: 'a.y', id: 1, t: 'y' },
      { __component: 'a.x', id: 2, t: 'x1' },
      { __component: 'a.x', id: 3, t: 'x2' },
    ];
    expect(
      await runChange(kind, [zone('a.x', 'a.y'), components], [list('a.x'), components], [items, []]),
    ).toEqual({
      told: [
        'converted part[a.x]: 2 (made a component without a dynamic zone)',
        'dropped part[a.y]: 1 (its component is removed)',
      ],
      stored: [
        [
          { id: 2, t: 'x1' },
          { id: 3, t: 'x2' },
        ],
        [],
      ],
    });
    expect(
      await runChange(
        kind,
        [single('a.x'), components],
        [zone('a.y', 'a.x'), components],
        [{ id: 1, t: 'x' }],
      ),
    ).toEqual({
      told: ['converted part: 1 (made a dynamic zone)'],
      stored: [[{ __component: 'a.x', id: 1, t: 'x' }]],
    });
    expect(
      await runChange(kind, [list('a.x'), components], [zone('a.y'), components], [[{ id: 1, t: 'x' }], []]),
    ).toEqual({
      told: ['dropped part: 1 (its component is removed)'],
      stored: [[], []],
    });
  });

  it('turns components into JSON without the hashes of passwords', async () => {
    const components = { 'a.login': { name: TEXT, secret: { type: 'password' } } };
    expect(
      await runChange(
        kind,
        [list('a.login'), components],
        [{ type: 'json' }, components],
        [[{ id: 1, name: 'x', secret: '$2b$10$hash' }], []],
      ),
    ).toEqual({
      told: [
        'converted part: 1 (made JSON)',
        'dropped part.secret: 1 (JSON would show the hash of the password)',
      ],
      stored: [[{ id: 1, name: 'x' }], []],
    });
  });

  it('turns JSON into components where it has their form', async () => {
    const components = { 'a.x': { t: TEXT, n: { type: 'integer' }, deep: list('a.y') }, 'a.y': { u: TEXT } };
    const { told, stored } = await runChange(
      kind,
      [{ type: 'json' }, components],
      [list('a.x'), components],
      [
        { t: 'one', n: 1, extra: true },
        [{ t: 2, n: 5 }, { other: 1 }, 'text', { t: 'two', deep: { u: 'v' } }],
        { unrelated: true },
        '"text"',
        '5',
      ],
    );
    expect(told).toEqual([
      'converted part: 2 (made a component)',
      'dropped part.extra: 1 (not in the form of the component)',
      'dropped part.t: 1 (not in the form of the component)',
      'dropped part: 5 (not in the form of the component)',
    ]);
    const id = expect.any(Number);
    expect(stored).toEqual([
      [{ id, t: 'one', n: 1 }],
      [
        { id, t: null, n: 5 },
        { id, t: 'two', deep: [{ id, u: 'v' }] },
      ],
      [],
      [],
      [],
    ]);
  });

  it('drops scalars that become components, and reports it once', async () => {
    const components = { 'a.x': { t: TEXT } };
    for (const [before, value] of [
      [TEXT, 'text'],
      [{ type: 'blocks' }, '[{"type":"paragraph","children":[{"type":"text","text":"x"}]}]'],
    ] as const) {
      const { told, stored } = await runChange(
        kind,
        [before, components],
        [list('a.x'), components],
        [value],
      );
      expect(told).toEqual([
        `dropped part: 1 (a value of type ${before.type} cannot become one of type component)`,
      ]);
      expect(stored).toEqual([null]);
    }
  });

  it('drops components that become something else, and what is removed altogether', async () => {
    const components = { 'a.x': { t: TEXT } };
    const values = [
      [
        { id: 1, t: 'x' },
        { id: 2, t: 'y' },
      ],
      [],
    ];
    for (const after of [{ type: 'string' }, { type: 'blocks' }, { type: 'integer' }])
      expect(await runChange(kind, [list('a.x'), components], [after, components], values)).toEqual({
        told: [`dropped part: 2 (a value of type component cannot become one of type ${after.type})`],
        stored: [null, null],
      });
    expect(await runChange(kind, [list('a.x'), components], [null, {}], values)).toEqual({
      told: ['dropped part: 2 (the attribute is removed)'],
      stored: [],
    });
  });
});
