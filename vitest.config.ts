import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const MINUTE = 60_000;

/** Real processes, terminals and databases run out of time on a machine that is busy otherwise; a defect fails the second time, too. */
const SECOND_TRY = 1;

/** Starts a real PostgreSQL for the projects whose tests need one. */
const postgres = 'test/support/postgres.ts';

/** The one copy that Node loads for everybody; vite would load another for the sources. */
const graphql = createRequire(import.meta.url).resolve('graphql');

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    pool: 'forks',
    // The heavy tests wait for a database or a child process, so that two run well even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/types/**/*.test.ts', 'test/architecture.test.ts'], testTimeout: 20_000 },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['test/contract/**/*.test.ts', 'test/api/**/*.test.ts'],
          globalSetup: [postgres],
          testTimeout: MINUTE,
          hookTimeout: MINUTE,
          retry: SECOND_TRY,
        },
      },
      {
        extends: true,
        test: {
          name: 'cli',
          include: ['test/cli/**/*.test.ts'],
          globalSetup: ['test/cli/support/build.ts', postgres],
          testTimeout: MINUTE,
          hookTimeout: MINUTE,
          retry: SECOND_TRY,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: [postgres],
          testTimeout: 5 * MINUTE,
          hookTimeout: 2 * MINUTE,
          retry: SECOND_TRY,
        },
      },
    ],
  },
});
