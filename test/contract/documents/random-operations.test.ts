import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { OPERATIONS } from './random/commands.js';
import { PROJECT } from './random/project.js';
import { RandomSite } from './random/site.js';

const MINUTE = 60_000;

const numberIn = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/** A seed says which sequences are run; what fails is told with its seed and path. */
const SEED = numberIn('OPERATIONS_SEED', 1);
const SEQUENCES = numberIn('OPERATIONS_RUNS', 20);
const PATH = process.env['OPERATIONS_PATH'];
const LENGTH = 100;
/** On a machine that is busy otherwise fewer sequences are run, and a failing one is shortened less. */
const LIMIT_MS = numberIn('OPERATIONS_SECONDS', 25) * 1000;

describe.each(databases)('random operations on $name', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ model: PROJECT, database });
  });
  afterAll(() => world.close());

  // A second try would hide what only one sequence shows.
  it(`leave what was written, in every version and from both ends (seed ${SEED})`, { retry: 0, timeout: LIMIT_MS + 5 * MINUTE }, async () => {
    let operations = 0;
    const sequences = fc.commands(OPERATIONS, { maxCommands: LENGTH, size: 'max', ...(PATH === undefined ? {} : { replayPath: process.env['OPERATIONS_REPLAY'] ?? '' }) });
    const property = fc.asyncProperty(sequences, async (commands) => {
      const site = new RandomSite(world);
      await site.clear();
      try {
        await fc.asyncModelRun(() => ({ model: site, real: site }), commands);
      } catch (error) {
        throw new Error(`after\n${site.history.join('\n')}\n${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
      operations += site.history.length;
    });
    await fc.assert(property, { seed: SEED, numRuns: SEQUENCES, interruptAfterTimeLimit: LIMIT_MS, ...(PATH === undefined ? {} : { path: PATH }) });
    process.stdout.write(`${operations} random operations on ${database.name}, everything compared after each\n`);
    expect(operations).toBeGreaterThan(SEQUENCES);
  });
});
