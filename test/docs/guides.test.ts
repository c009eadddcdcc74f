import { describe, expect, it } from 'vitest';
import { pagesIn, readPage } from './support/code-blocks.js';
import { runPage } from './support/run-page.js';

const guides = pagesIn('docs/guides').map(readPage);

describe('the guides', () => {
  it('are eight', () => {
    expect(guides).toHaveLength(8);
  });

  it.each(guides)('do what $path says', runPage);
});
