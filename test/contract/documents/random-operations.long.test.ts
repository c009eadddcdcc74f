import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { OPERATIONS } from './random/commands.js';
import { PROJECT } from './random/project.js';
import { RandomTestHarness } from './random/harness.js';

const MINUTE = 60_000;

const numberIn = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/** Decides which sequences are run. A failure is reported with its seed and path. */
const SEED = numberIn('OPERATIONS_SEED', 1);
const SEQUENCES = numberIn('OPERATIONS_RUNS', 20);
const PATH = process.env['OPERATIONS_PATH'];
const LENGTH = 100;
/**
 * No sequence is started after the operations have taken this long. On a busy machine, that leaves fewer
 * sequences, and fewer attempts to shorten a failing one.
 */
const LIMIT_MS = numberIn('OPERATIONS_SECONDS', 25) * 1000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

describe.each(databases)('random operations on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
  });
  afterAll(() => testEnvironment.close());

  // A second try could hide a failure that only one sequence causes.
  it(
    `give every version the expected content, read from both ends of each relation (seed ${SEED})`,
    { retry: 0, timeout: LIMIT_MS + 5 * MINUTE },
    async () => {
      let [operations, elapsedMs, hasFailed] = [0, 0, false];
      // Preparing the database does not count, and a busy machine still gets past the least number.
      const isTimeUp = (): boolean => elapsedMs >= LIMIT_MS && (hasFailed || operations > SEQUENCES);
      const sequences = fc.commands(OPERATIONS, {
        maxCommands: LENGTH,
        size: 'max',
        ...(PATH === undefined ? {} : { replayPath: process.env['OPERATIONS_REPLAY'] ?? '' }),
      });
      const property = fc.asyncProperty(sequences, async (commands) => {
        if (isTimeUp()) return;
        const harness = new RandomTestHarness(testEnvironment);
        await harness.clear();
        const startedAt = performance.now();
        try {
          await fc.asyncModelRun(() => ({ model: harness, real: harness }), commands);
        } catch (error) {
          hasFailed = true;
          throw new Error(`after\n${harness.history.join('\n')}\n${messageOf(error)}`, { cause: error });
        } finally {
          elapsedMs += performance.now() - startedAt;
        }
        operations += harness.history.length;
      });
      await fc.assert(property, {
        seed: SEED,
        numRuns: SEQUENCES,
        ...(PATH === undefined ? {} : { path: PATH }),
      });
      process.stdout.write(
        `${operations} random operations on ${database.name}, everything compared after each\n`,
      );
      expect(operations).toBeGreaterThan(SEQUENCES);
    },
  );
});
