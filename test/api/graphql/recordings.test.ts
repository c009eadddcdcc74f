import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { loadSuite } from '../support/recorded-suite.js';
import { replay } from '../support/replay.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

describe.each(databases)('recorded GraphQL conversations on $name', (database) => {
  describe.each(['graphql-queries', 'graphql-mutations'])('%s', (name) => {
    let site: Site;
    beforeAll(async () => {
      site = await createSite({ project: 'magazine', database });
    });
    afterAll(() => site.close());

    it('returns the recorded responses, step by step', async () => {
      const disagreements = await replay(loadSuite(name), { base: site.server.url, tokens: site.tokens });
      expect({ disagreements, log: site.log }).toEqual({ disagreements: [], log: [] });
    });
  });
});
