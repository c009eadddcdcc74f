import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitResponse, isCutText } from '../../../../src/api/mcp/fit-response.js';
import type { CutPointers } from '../../../../src/api/mcp/fit-response.js';

const POINTERS: CutPointers = {
  valueAt: (path, offset) => `get ${path.join('.')} ${offset}`,
  itemsAt: (path, next) => `list ${path.join('.')} ${next}`,
};
const TOKENS = 1000;

const fit = (body: unknown): unknown => JSON.parse(fitResponse(body, TOKENS, POINTERS));

describe('fitResponse', () => {
  it('leaves a short response unchanged', () => {
    const body = { data: [{ title: 'Lamp' }] };
    expect(fit(body)).toEqual(body);
  });

  it('cuts the long text and keeps the short ones, with the place of the rest', () => {
    const body = { title: 'Lamp', body: 'word '.repeat(5000), price: 3 };
    const { title, price, body: cut } = fit(body) as Record<string, string>;
    expect([title, price]).toEqual(['Lamp', 3]);
    const [, shown = '', length, offset] =
      /^(.*)\[cut: (\d+) of 25000 characters shown; rest: get body (\d+)\]$/s.exec(cut ?? '') ?? [];
    expect(shown.length).toBe(Number(length));
    expect(shown.length).toBe(Number(offset));
    expect(shown.length).toBeGreaterThan(3000);
    expect(isCutText(cut ?? '')).toBe(true);
  });

  it('cuts a list after whole items, with the number of the next', () => {
    const items = Array.from({ length: 500 }, (_, index) => ({ id: index, title: `Lamp ${index}` }));
    const { data } = fit({ data: items }) as { data: readonly unknown[] };
    const kept = data.slice(0, -1);
    expect(kept).toEqual(items.slice(0, kept.length));
    expect(data.at(-1)).toBe(`[cut: ${kept.length} of 500 items shown; rest: list data ${kept.length}]`);
  });

  it('never splits a pair of surrogates', () => {
    const { body } = fit({ body: '😀'.repeat(10_000) }) as { body: string };
    expect(body).not.toMatch(/\p{Surrogate}/u);
  });

  it('keeps any response near its size', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }), fc.nat(60), (value, count) => {
        const body = {
          data: Array.from({ length: count }, () => ({ value, text: 'x'.repeat(count * 100) })),
        };
        expect(fitResponse(body, TOKENS, POINTERS).length).toBeLessThanOrEqual(TOKENS * 4 * 1.2);
      }),
      { numRuns: 30 },
    );
  });

  it('does not take other texts for cut ones', () => {
    expect(isCutText('[cut: the cable]')).toBe(false);
    expect(isCutText('A [cut: 3 of 9 characters shown; rest: get a 3]')).toBe(true);
  });
});
