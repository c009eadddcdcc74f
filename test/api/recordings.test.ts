import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpenapiDocument } from '../../src/project/openapi-document.js';
import { createExchangeCheck } from '../support/openapi-checks.js';
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

/**
 * What the OpenAPI document leaves out on purpose: values in forms that are accepted besides the proper one,
 * and the number that `count` puts in the place of a list.
 */
const OTHER_FORMS: ReadonlySet<string> = new Set([
  'number-as-string',
  'decimal-string',
  'integer-string',
  'boolean-string',
  'boolean-number',
  'date-full',
  'datetime-date',
  'populate-count',
]);

/** Compiled once: all suites have the same project. */
let exchangeCheck: ReturnType<typeof createExchangeCheck> | undefined;
/** Exchanges that the OpenAPI document has an operation for, and those with routes that do not exist. */
let described = 0;
let unknownRoutes = 0;

describe.each(databases)('recorded conversations on $name', (database) => {
  describe.each(SUITES)('$name', ({ name, until }) => {
    let site: Site;
    beforeAll(async () => {
      site = await createSite({ project: 'magazine', database });
    });
    afterAll(() => site.close());

    it('gives the recorded response at every step', async () => {
      const check = (exchangeCheck ??= createExchangeCheck(createOpenapiDocument(site.project, [])));
      const faults: Record<string, readonly string[]> = {};
      const disagreements = await replay(stepsOf(name, until), {
        base: site.server.url,
        tokens: site.tokens,
        observe: (step, exchange) => {
          const found = check(exchange);
          if (found === null) unknownRoutes += 1;
          else described += 1;
          if (found !== null && found.length > 0) faults[step] = found;
        },
      });
      expect({ disagreements, log: site.log }).toEqual({ disagreements: [], log: [] });
      expect(Object.keys(faults).filter((step) => !OTHER_FORMS.has(step))).toEqual([]);
    });
  });
});

it('finds the recorded exchanges in the OpenAPI document', () => {
  expect({ described, unknownRoutes }).toEqual({
    described: 717 * databases.length,
    unknownRoutes: 8 * databases.length,
  });
});
