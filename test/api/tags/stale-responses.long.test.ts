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
const WRITES = numberIn('TAGS_WRITES', 150);
const READS = numberIn('TAGS_READS', 60);
/** The number of writes between two comparisons of all responses. */
const INTERVAL = numberIn('TAGS_INTERVAL', 10);
const FIRST_WRITES = Math.min(150, WRITES);
/** The run ends after this time, even if there are writes left. */
const SECONDS = numberIn('TAGS_SECONDS', Infinity);
/** After each such number of writes, the next kind of write takes its turn, so that long runs contain all. */
const TURN = 300;
const ALL_TURNS = TURN * WRITE_NAMES.length;

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
      const end = performance.now() + SECONDS * 1000;
      let count = 0;
      for (; count < WRITES && performance.now() < end; count++) {
        const isTurn = count % TURN === TURN - 1 && count < ALL_TURNS;
        const kind = isTurn ? WRITE_NAMES[Math.floor(count / TURN)] : undefined;
        const write = await (kind === undefined ? writes.write() : writes.run(kind));
        await cache.purge(write, await site.announced());
        if (count % INTERVAL === INTERVAL - 1) await cache.compareAll();
      }
      await cache.compareAll();
      const { changed, purged } = cache;
      const falseAlarms = purged - changed;
      process.stdout.write(
        `${count} writes on ${database.name}: ${changed} of ${count * READS} responses changed, ` +
          `${purged} were announced, ${((100 * falseAlarms) / purged).toFixed(1)} % of these unchanged\n`,
      );
      const accepted = count < ALL_TURNS ? [] : [...writes.accepted];
      if (accepted.length > 0)
        process.stdout.write(`accepted: ${accepted.map((each) => each.join(' ')).join(', ')}\n`);
      expect(accepted.filter(([, times]) => times === 0)).toEqual([]);
      expect(changed).toBeGreaterThan(count);
      // Short runs depend on chance.
      expect(falseAlarms / purged).toBeLessThan(count < ALL_TURNS ? 0.35 : 0.2);
    },
  );
});
