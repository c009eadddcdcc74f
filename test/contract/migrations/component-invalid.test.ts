import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { rejectionOf } from './migration-fixture.js';
import { createComponentFixture, list, project, runChange, single, TEXT } from './component-fixture.js';

describe.each(databases)('values in components that no longer fit on $name', (kind) => {
  it('reports values that no longer fit', async () => {
    const before = { t: TEXT, c: { type: 'enumeration', enum: ['red', 'blue'] }, items: list('a.y') };
    const after = {
      t: { type: 'string', maxLength: 4, required: true },
      c: { type: 'enumeration', enum: ['red', 'azure'] },
      items: list('a.y', { max: 1 }),
      fresh: { type: 'integer', required: true },
    };
    const y = { u: TEXT };
    const values = [
      { id: 1, t: 'longer', c: 'blue', items: [{ id: 2 }, { id: 3 }] },
      { id: 4, t: 'ok', c: 'red', items: [] },
      { id: 5, t: null, c: null, items: [{ id: 6 }] },
    ];
    const invalid = await runChange(
      kind,
      [single('a.x'), { 'a.x': before, 'a.y': y }],
      [single('a.x'), { 'a.x': after, 'a.y': y }],
      values,
    );
    expect(invalid.told).toEqual([
      'invalid part.c: 1 (must be one of red, azure)',
      'invalid part.fresh: 3 (must be set)',
      'invalid part.items: 1 (must have at most 1 items)',
      'invalid part.t: 1 (must be at most 4 characters)',
      'invalid part.t: 1 (must be set)',
    ]);
    expect(invalid.stored).toEqual(values);
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
      'invalid part.items: 1 (must have at most 1 items)',
      'invalid part.t: 1 (must be at most 4 characters)',
    ]);
    expect(decided.stored).toEqual([
      { id: 1, t: 'longer', c: 'azure', items: [{ id: 2 }, { id: 3 }], fresh: 0 },
      { id: 4, t: 'ok', c: 'red', items: [], fresh: 0 },
      { id: 5, t: `it's`, c: null, items: [{ id: 6 }], fresh: 0 },
    ]);
  });

  it('reports values that are no longer unique, and text that is no date', async () => {
    const values = [
      { id: 1, code: 'a', day: '2026-02-28' },
      { id: 2, code: 'b', day: '2026-02-28T10:00:00.000Z' },
      { id: 3, code: 'a', day: 'soon' },
    ];
    const { told, stored } = await runChange(
      kind,
      [single('a.x'), { 'a.x': { code: TEXT, day: TEXT } }],
      [single('a.x'), { 'a.x': { code: { type: 'uid' }, day: { type: 'date' } } }],
      values,
    );
    expect(told).toEqual([
      'invalid part.code: 1 (must be unique: another component has this value)',
      'invalid part.day: 1 (must be a date like 2026-02-28)',
      'invalid part.day: 1 (must be in the form of type date)',
    ]);
    expect(stored).toEqual(values);
  });

  it('refuses to fill attributes with values that do not fit', async () => {
    const fixture = await createComponentFixture(kind, project({ part: single('a.x') }, { 'a.x': {} }));
    const fresh = { type: 'integer', required: true };
    const next = project({ part: single('a.x') }, { 'a.x': { fresh } });

    const { code } = await rejectionOf(fixture.preview(next, { decisions: { set: { 'a.x.fresh': 'no' } } }));

    expect(code).toBe('migration/invalid-value');
  });
});
