import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResponseTagger } from '../../../../src/documents/tags/response-tags.js';
import { databases } from '../../../support/databases.js';
import { createRandom } from '../../../support/random.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { PROJECT } from '../random/project.js';
import { randomQueries } from './random-queries.js';
import type { RandomQuery } from './random-queries.js';
import { COLORS, LOCALES, RandomSite } from './random-site.js';

const numberIn = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

const SEED = numberIn('TAGS_SEED', 1);
const WRITES = numberIn('TAGS_WRITES', 150);
const QUERIES = numberIn('TAGS_QUERIES', 60);
const FIRST_WRITES = 150;

const MINUTE = 60_000;

/** The random project, with attributes whose values select documents. */
const PROJECT_WITH_VALUES: typeof PROJECT = {
  ...PROJECT,
  types: Object.fromEntries(
    Object.entries(PROJECT.types ?? {}).map(([name, type]) => [
      name,
      {
        ...type,
        attributes: {
          ...type.attributes,
          color: { type: 'enumeration', enum: COLORS },
          isBig: { type: 'boolean' },
        },
      },
    ]),
  ),
};

interface CachedResponse {
  readonly text: string;
  readonly tags: readonly string[];
}

describe.each(databases)('cache tags on $name', (database) => {
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await createTestEnvironment({ model: PROJECT_WITH_VALUES, database });
  });
  afterAll(() => environment.close());

  it(
    `announce every response that a write makes stale (seed ${SEED})`,
    { retry: 0, timeout: 120 * MINUTE },
    async () => {
      const random = createRandom(SEED);
      const site = new RandomSite(environment, random);
      for (let index = 0; index < FIRST_WRITES; index++) await site.write();
      const tagger = createResponseTagger({
        model: environment.model,
        locales: () => LOCALES,
        maxLength: 7500,
        maxTags: 128,
      });
      const respond = async ({ query, documentId }: RandomQuery): Promise<CachedResponse> => {
        const { documents } = site.api;
        const found =
          documentId === null
            ? await documents.findMany(query)
            : { records: [await documents.findOne(query, documentId)].filter((text) => text !== null) };
        const records = found.records.map((text): unknown => JSON.parse(text));
        const tags = tagger([{ query, documentId, records }]) ?? [];
        return { text: JSON.stringify(found), tags };
      };
      const queries = randomQueries(environment.model, site, random, QUERIES);
      const cached = new Map<RandomQuery, CachedResponse>();
      for (const query of queries) cached.set(query, await respond(query));
      let [purged, falseAlarms, changed] = [0, 0, 0];
      for (let index = 0; index < WRITES; index++) {
        const write = await site.write();
        for (const [query, before] of cached) {
          const after = await respond(query);
          const isChanged = after.text !== before.text;
          const isPurged = before.tags.some((tag) => site.announced.has(tag));
          if (isChanged && !isPurged)
            throw new Error(
              [
                `${index}: ${write}`,
                `announced ${[...site.announced].join(' ')}`,
                `but not ${query.description} with ${before.tags.join(' ')}`,
                before.text,
                `→ ${after.text}`,
              ].join('\n'),
            );
          changed += isChanged ? 1 : 0;
          purged += isPurged ? 1 : 0;
          falseAlarms += isPurged && !isChanged ? 1 : 0;
          if (isPurged) cached.set(query, after);
        }
      }
      process.stdout.write(
        `${WRITES} writes on ${database.name}: ${changed} of ${WRITES * QUERIES} responses changed, ` +
          `${purged} were announced, ${((100 * falseAlarms) / purged).toFixed(1)} % of these unchanged\n`,
      );
      expect(changed).toBeGreaterThan(WRITES);
      expect(falseAlarms / purged).toBeLessThan(0.2);
    },
  );
});
