import { describe, expect, it } from 'vitest';
import type { PopulateNode, Selection } from '../../../src/query/query.js';
import { limitByLength } from '../../../src/sql/uncounted-read.js';

const PLAIN: Selection = { fields: ['name'], populate: [] };

const link = (selection: Selection, maxItems: number | null = null): PopulateNode => ({
  kind: 'link',
  attribute: 'tags',
  key: 'tags',
  selection,
  filter: null,
  sort: [],
  slice: null,
  count: false,
  ...(maxItems === null ? {} : { list: { maxItems } }),
});

const populating = (...populate: readonly PopulateNode[]): Selection => ({
  ...PLAIN,
  populate,
  maxRecords: 50,
});

describe('the limit by the length of an answer', () => {
  it('supposes the shortest records there can be, and a kilobyte of each that was not counted', () => {
    expect(limitByLength(populating(link(PLAIN)))).toEqual({
      limit: 50,
      costPerCharacter: 2 / 24 + 3 / 1024,
    });
    const output = [{ kind: 'text', key: 'k', text: 't' }] as const;
    const printed = limitByLength(populating(link({ ...PLAIN, output })));
    expect(printed).toEqual({ limit: 50, costPerCharacter: 2 / 6 + 3 / 1024 });
  });

  it.each([
    ['there is no limit', { ...PLAIN, populate: [link(PLAIN)] }],
    ['nothing is populated', { ...PLAIN, maxRecords: 50 }],
    ['records may be empty', populating(link({ ...PLAIN, output: [] }))],
    ['a list may be built and not printed', populating(link(PLAIN, 3))],
    [
      'records are built more than once',
      populating(link({ ...PLAIN, populate: [{ kind: 'morph', attribute: 'a', key: 'a', on: {} }] })),
    ],
  ] as const)('says nothing where %s', (_what, selection) => {
    expect(limitByLength(selection)).toBeNull();
  });
});
