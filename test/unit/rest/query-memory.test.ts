import { describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/access/access.js';
import type { ReadQuery } from '../../../src/query/query.js';
import { createQueryMemory } from '../../../src/rest/query-memory.js';
import type { QueryOrigin } from '../../../src/rest/query-memory.js';

const ORIGIN: QueryOrigin = { uid: 'api::tag.tag', many: true, defaultLocale: 'en', text: 'populate=*' };

const grantsOf = (...actions: readonly string[]): Grants => ({ kind: 'actions', actions: new Set(actions), rules: new Map() });

let made = 0;
const parse = (): ReadQuery => {
  made += 1;
  return Object.freeze({ type: `query ${made}`, filter: null, sort: [], selection: { fields: [], populate: [] }, page: null, locale: 'en', status: 'published', hasPublishedVersion: null });
};

describe('the memory of queries', () => {
  it('parses once what the same grants ask for again', () => {
    const memory = createQueryMemory();
    const grants = grantsOf('find');
    expect(memory.recall(grants, { ...ORIGIN }, parse)).toBe(memory.recall(grants, { ...ORIGIN }, parse));
  });

  it.each<readonly [string, Partial<QueryOrigin>]>([
    ['another type', { uid: 'api::tag.other' }],
    ['one document', { many: false }],
    ['another default locale', { defaultLocale: 'fr' }],
    ['other parameters', { text: 'populate=tags' }],
  ])('parses anew for %s', (_what, change) => {
    const memory = createQueryMemory();
    const grants = grantsOf('find');
    expect(memory.recall(grants, ORIGIN, parse)).not.toBe(memory.recall(grants, { ...ORIGIN, ...change }, parse));
  });

  it('shares nothing between grants, however alike: what may be asked follows from them', () => {
    const memory = createQueryMemory();
    expect(memory.recall(grantsOf('find'), ORIGIN, parse)).not.toBe(memory.recall(grantsOf('find'), ORIGIN, parse));
  });

  it('remembers no refusal', () => {
    const memory = createQueryMemory();
    const grants = grantsOf();
    const refuse = (): ReadQuery => {
      throw new Error('refused');
    };
    expect(() => memory.recall(grants, ORIGIN, refuse)).toThrow('refused');
    expect(memory.recall(grants, ORIGIN, parse).filter).toBeNull();
  });

  it('keeps neither very long parameters nor ever more of them', () => {
    const memory = createQueryMemory();
    const grants = grantsOf('find');
    const long = { ...ORIGIN, text: 'x'.repeat(5000) };
    expect(memory.recall(grants, long, parse)).not.toBe(memory.recall(grants, long, parse));
    const first = memory.recall(grants, ORIGIN, parse);
    for (let index = 0; index < 1000; index += 1) memory.recall(grants, { ...ORIGIN, text: String(index) }, parse);
    expect(memory.recall(grants, ORIGIN, parse)).not.toBe(first);
  });
});
