import { describe, expect, it } from 'vitest';
import { defaultStatusOfCode } from '../../../src/query/read-access.js';

describe('the status that code reads where it names none', () => {
  it('is draft, except for clients that may not read drafts of the type', () => {
    const canFind = () => true;
    const article = { uid: 'api::article.article' } as const;
    expect(defaultStatusOfCode({ canFind }, article)).toBe('draft');
    expect(defaultStatusOfCode({ canFind, withoutDrafts: ['api::tag.tag'] }, article)).toBe('draft');
    expect(defaultStatusOfCode({ canFind, withoutDrafts: ['api::article.article'] }, article)).toBe(
      'published',
    );
  });
});
