import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { list, runChange, single, TEXT } from './component-fixture.js';

describe.each(databases)('values in components that no longer fit on $name', (kind) => {
  it('tells of values that no longer fit', async () => {
    const before = { t: TEXT, c: { type: 'enumeration', enum: ['red', 'blue'] }, items: list('a.y') };
    const after = {
      t: { type: 'string', maxLength: 3, required: true },
      c: { type: 'enumeration', enum: ['red', 'azure'] },
      items: list('a.y', { max: 1 }),
      fresh: { type: 'integer', required: true },
    };
    const y = { u: TEXT };
    const values = [
      { id: 1, t: 'long', c: 'blue', items: [{ id: 2 }, { id: 3 }] },
      { id: 4, t: 'ok', c: 'red', items: [] },
      { id: 5, t: null, c: null, items: [{ id: 6 }] },
    ];
    const misfits = await runChange(
      kind,
      [single('a.x'), { 'a.x': before, 'a.y': y }],
      [single('a.x'), { 'a.x': after, 'a.y': y }],
      values,
    );
    expect(misfits.told).toEqual([
      'misfit part.c: 1 (must be one of red, azure)',
      'misfit part.fresh: 3 (must be set)',
      'misfit part.items: 1 (must have at most 1 items)',
      'misfit part.t: 1 (must be at most 3 characters)',
      'misfit part.t: 1 (must be set)',
    ]);
    expect(misfits.stored).toEqual(values);
    const decided = await runChange(
      kind,
      [single('a.x'), { 'a.x': before, 'a.y': y }],
      [single('a.x'), { 'a.x': after, 'a.y': y }],
      values,
      {
        decisions: {
          set: { 'a.x.fresh': 0, 'a.x.t': `it's` },
          map: { 'a.x.c': { blue: 'azure' } },
        },
      },
    );
    expect(decided.told).toEqual([
      'converted part.c: 1 (from enumeration to enumeration)',
      'converted part.fresh: 3 (held no value)',
      'converted part.t: 1 (held no value)',
      'misfit part.items: 1 (must have at most 1 items)',
      'misfit part.t: 2 (must be at most 3 characters)',
    ]);
    expect(decided.stored).toEqual([
      { id: 1, t: 'long', c: 'azure', items: [{ id: 2 }, { id: 3 }], fresh: 0 },
      { id: 4, t: 'ok', c: 'red', items: [], fresh: 0 },
      { id: 5, t: `it's`, c: null, items: [{ id: 6 }], fresh: 0 },
    ]);
  });
});
