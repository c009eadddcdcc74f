import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createComponentFixture, list, project, runChange, single, TEXT, zone } from './component-fixture.js';
import type { Attributes, Components } from './component-fixture.js';

describe.each(databases)('attributes of components in migrations on $name', (kind) => {
  it('removes the values of a removed attribute, however deep', async () => {
    const components = (cell: Attributes): Components => ({
      'a.table': { rows: list('a.row') },
      'a.row': { cells: list('a.cell'), name: TEXT },
      'a.cell': cell,
    });
    const { told, stored } = await runChange(
      kind,
      [zone('a.table', 'a.row'), components({ text: TEXT, note: TEXT })],
      [zone('a.table', 'a.row'), components({ text: TEXT })],
      [
        [
          {
            __component: 'a.table',
            id: 1,
            rows: [
              {
                id: 2,
                name: 'r',
                cells: [
                  { id: 3, text: 'x', note: 'n1' },
                  { id: 4, text: 'y', note: null },
                ],
              },
              { id: 5, name: null, cells: [] },
            ],
          },
          { __component: 'a.row', id: 6, name: 'z', cells: [{ id: 7, text: 't', note: 'n2' }] },
        ],
        [],
      ],
    );
    expect(told).toEqual([
      'dropped part[a.row].cells.note: 1 (the attribute is removed)',
      'dropped part[a.table].rows.cells.note: 1 (the attribute is removed)',
    ]);
    expect(stored).toEqual([
      [
        {
          __component: 'a.table',
          id: 1,
          rows: [
            {
              id: 2,
              name: 'r',
              cells: [
                { id: 3, text: 'x' },
                { id: 4, text: 'y' },
              ],
            },
            { id: 5, name: null, cells: [] },
          ],
        },
        { __component: 'a.row', id: 6, name: 'z', cells: [{ id: 7, text: 't' }] },
      ],
      [],
    ]);
  });

  it('keeps what stays as it is written', async () => {
    const fixture = await createComponentFixture(
      kind,
      project({ part: single('a.any') }, { 'a.any': { data: { type: 'json' }, gone: TEXT } }),
    );
    const numbers = '"big":12345678901234567890.50,"exp":1e30,"zero":1.0';
    const texts = String.raw`"q\"k'\\":"\u00e9\n'","é😀":"😀"`;
    const data = `{${numbers},${texts},"t":true,"f":false,"n":null,"l":[],"o":{}}`;
    await fixture.write('part', [`{"id":1,"data":${data},"gone":"x"}`]);

    await fixture.migrate(project({ part: single('a.any') }, { 'a.any': { data: { type: 'json' } } }));

    const [text] = await fixture.read('part');
    expect(text?.replaceAll(/\s/g, '')).toBe(`{"id":1,"data":${data}}`.replaceAll(/\s/g, ''));
  });

  it('renames attributes and lets two swap their names', async () => {
    const rename = (from: string, to: string) =>
      ({ kind: 'component-attribute', component: 'a.seo', from, to }) as const;
    const attributes = { title: TEXT, text: TEXT, old: TEXT };
    const { told, stored } = await runChange(
      kind,
      [list('a.seo'), { 'a.seo': attributes }],
      [list('a.seo'), { 'a.seo': { title: TEXT, text: TEXT, new: TEXT } }],
      [
        [
          { id: 1, title: 'a', text: 'b', old: 'c' },
          { id: 2, title: 'd', new: 'left over' },
        ],
      ],
      { decisions: { renames: [rename('title', 'text'), rename('text', 'title'), rename('old', 'new')] } },
    );
    expect(told).toEqual([
      'moved part.old: 1 (renamed to new)',
      'moved part.text: 1 (renamed to title)',
      'moved part.title: 2 (renamed to text)',
    ]);
    expect(stored).toEqual([
      [
        { id: 1, text: 'a', title: 'b', new: 'c' },
        { id: 2, text: 'd' },
      ],
    ]);
  });

  it('converts scalars, and drops what does not convert', async () => {
    const { told, stored } = await runChange(
      kind,
      [single('a.any'), { 'a.any': { count: TEXT, size: { type: 'integer' }, day: { type: 'date' } } }],
      [single('a.any'), { 'a.any': { count: { type: 'integer' }, size: TEXT, day: { type: 'datetime' } } }],
      [
        { id: 1, count: '42', size: 7, day: '2026-02-28' },
        { id: 2, count: 'many', size: null, day: null },
        { id: 3 },
      ],
    );
    expect(told).toEqual([
      'converted part.count: 1 (from string to integer)',
      'converted part.day: 1 (from date to datetime)',
      'converted part.size: 1 (from integer to string)',
      'dropped part.count: 1 (not a whole number of 32 bits)',
    ]);
    expect(stored).toEqual([
      { id: 1, count: 42, size: '7', day: '2026-02-28T00:00:00.000Z' },
      { id: 2, count: null, size: null, day: null },
      { id: 3 },
    ]);
  });

  it('keeps the first of a list, and makes lists of single values', async () => {
    const media = (multiple: boolean) => ({ type: 'media', multiple });
    const components = (isMany: boolean): Components => ({
      'a.any': {
        one: isMany ? list('a.leaf') : single('a.leaf'),
        many: isMany ? single('a.leaf') : list('a.leaf'),
        file: media(isMany),
        files: media(!isMany),
      },
      'a.leaf': { text: TEXT },
    });
    const { told, stored } = await runChange(
      kind,
      [single('a.any'), components(false)],
      [list('a.any'), components(true)],
      [
        {
          id: 1,
          one: { id: 2, text: 'x' },
          many: [{ id: 3, text: 'y' }, { id: 4, text: 'z' }, { id: 5 }],
          file: 'f1',
          files: ['f2', 'f3'],
        },
        { id: 6, one: null, many: [], file: null, files: [] },
      ],
    );
    expect(told).toEqual([
      'converted part.file: 1 (made a list)',
      'converted part.one: 1 (made a list)',
      'converted part: 2 (made a list)',
      'dropped part.files: 1 (only the first is kept)',
      'dropped part.many: 2 (only the first is kept)',
    ]);
    expect(stored).toEqual([
      [{ id: 1, one: [{ id: 2, text: 'x' }], many: { id: 3, text: 'y' }, file: ['f1'], files: 'f2' }],
      [{ id: 6, one: null, many: null, file: [], files: null }],
    ]);
  });

  it('drops links to documents of another type', async () => {
    const link = (target: string) => ({ type: 'relation', relation: 'manyToMany', target });
    expect(
      await runChange(
        kind,
        [single('a.any'), { 'a.any': { to: link('plugin::upload.file') } }],
        [single('a.any'), { 'a.any': { to: link('plugin::users-permissions.user') } }],
        [
          { id: 1, to: ['d1', 'd2'] },
          { id: 2, to: [] },
        ],
      ),
    ).toEqual({
      told: ['dropped part.to: 2 (it points at documents of another type)'],
      stored: [{ id: 1 }, { id: 2 }],
    });
  });

  it('points at another component, which keeps what the two have in common', async () => {
    const components = {
      'a.wide': { t: TEXT, n: { type: 'integer' }, only: TEXT },
      'a.narrow': { t: TEXT, n: { type: 'integer' } },
    };
    expect(
      await runChange(
        kind,
        [single('a.wide'), components],
        [single('a.narrow'), components],
        [{ id: 1, t: 'x', n: 5, only: 'gone' }],
      ),
    ).toEqual({
      told: ['dropped part.only: 1 (the attribute is removed)'],
      stored: [{ id: 1, t: 'x', n: 5 }],
    });
  });
});
