import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createRandom } from '../../support/random.js';
import { randomReads } from './random-reads.js';
import { RandomWrites, WRITE_NAMES } from './random-writes.js';
import { SharedCache } from './shared-cache.js';
import { openTaggedSite } from './tagged-site.js';
import type { TaggedSite } from './tagged-site.js';

const numberIn = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

const SEED = numberIn('TAGS_SEED', 1);
const WRITES = numberIn('TAGS_WRITES', 40);
const READS = numberIn('TAGS_READS', 40);
/** The number of writes between two comparisons of all responses. */
const INTERVAL = numberIn('TAGS_INTERVAL', 10);
const FIRST_WRITES = Math.min(150, WRITES);
/** Short runs depend on chance. */
const MAX_FALSE_ALARMS = WRITES < 1000 ? 0.35 : 0.2;
/** The number of writes from which on each kind of write appears. */
const MANY_WRITES = 5000;

const MINUTE = 60_000;

describe.each(databases)('cache tags on $name', (database) => {
  let site: TaggedSite;
  beforeAll(async () => {
    site = await openTaggedSite(database);
  });
  afterAll(() => site.close());

  it(
    `announce every response that a write makes stale (seed ${SEED})`,
    { retry: 0, timeout: 240 * MINUTE },
    async () => {
      const random = createRandom(SEED);
      const writes = new RandomWrites(site, random);
      await writes.fill();
      for (let index = 0; index < FIRST_WRITES; index++) await writes.write();
      await site.announced();
      const cache = new SharedCache(site.read);
      await cache.store(randomReads(site.project.model, writes, random, READS));
      const step = Math.floor(WRITES / WRITE_NAMES.length);
      for (let index = 0; index < WRITES; index++) {
        const isTurn = WRITES >= MANY_WRITES && index % step === 0;
        const write = await (isTurn ? writes.run(WRITE_NAMES[index / step] ?? 'update') : writes.write());
        await cache.purge(write, await site.announced());
        if (index % INTERVAL === INTERVAL - 1) await cache.compareAll();
      }
      await cache.compareAll();
      const { changed, purged } = cache;
      const falseAlarms = purged - changed;
      process.stdout.write(
        `${WRITES} writes on ${database.name}: ${changed} of ${WRITES * READS} responses changed, ` +
          `${purged} were announced, ${((100 * falseAlarms) / purged).toFixed(1)} % of these unchanged\n`,
      );
      const accepted = WRITES < MANY_WRITES ? [] : [...writes.accepted];
      if (accepted.length > 0)
        process.stdout.write(`accepted: ${accepted.map((each) => each.join(' ')).join(', ')}\n`);
      expect(accepted.filter(([, count]) => count === 0)).toEqual([]);
      expect(changed).toBeGreaterThan(WRITES);
      expect(falseAlarms / purged).toBeLessThan(MAX_FALSE_ALARMS);
    },
  );
});
