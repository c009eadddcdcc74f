import { expect, it } from 'vitest';
import { printPlan } from '../../../../src/cli/content/content-files.js';

const plan = { units: [], nameLinks: (_type: unknown, data: Readonly<Record<string, unknown>>) => data };

const print = (before: unknown, after: unknown): string | undefined => {
  const field = { attribute: 'body', version: 'draft', before, after } as const;
  const change = { actions: ['update'], file: 'a.md', type: 'a', documentId: 'a', locale: null };
  return printPlan(plan, [{ ...change, fields: [field] }]).split('\n  body: ')[1];
};

it('shows of long values where they begin to differ', () => {
  const same = 'word '.repeat(30);
  expect(print('old', 'new')).toBe('"old" → "new"');
  expect(print(null, same)).toBe(`null → ${`"${same}`.slice(0, 60)}…`);
  expect(print(`${same}old`, `${same}new`)).toBe('…word word word word old" → …word word word word new"');
  expect(print(same, `${same}more ${same}`)).toBe(
    `…word word word word " → …word word word word more ${same.slice(0, 35)}…`,
  );
});
