import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { loadSuite } from './support/recorded-suite.js';
import type { Suite } from './support/recorded-suite.js';
import { replay } from './support/replay.js';
import { createSite } from './support/site.js';
import type { Site } from './support/site.js';

/** Recorded requests and responses of the supported features. */
const SUITES: readonly { readonly name: string; readonly until?: string }[] = [
  { name: 'crud' },
  { name: 'attribute-types' },
  { name: 'filters' },
  { name: 'sort-pagination-fields' },
  { name: 'populate' },
  { name: 'relations' },
  { name: 'draft-publish' },
  { name: 'locales' },
  { name: 'components-zones' },
  { name: 'single-types' },
  { name: 'upload' },
  { name: 'auth' },
];

/** Returns the suite up to this step. The step must be in the suite. */
const stepsOf = (name: string, until: string | undefined): Suite => {
  const suite = loadSuite(name);
  if (until === undefined) return suite;
  const end = suite.steps.findIndex(({ id }) => id === until);
  if (end < 1) throw new Error(`${name} has no step ${until}`);
  return { ...suite, steps: suite.steps.slice(0, end) };
};

describe.each(databases)('recorded conversations on $name', (database) => {
  describe.each(SUITES)('$name', ({ name, until }) => {
    let site: Site;
    beforeAll(async () => {
      site = await createSite({ project: 'magazine', database });
    });
    afterAll(() => site.close());

    it('gives the recorded response at every step', async () => {
      const disagreements = await replay(stepsOf(name, until), {
        base: site.server.url,
        tokens: site.tokens,
      });
      expect({ disagreements, log: site.log }).toEqual({ disagreements: [], log: [] });
    });
  });
});
