import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const MINUTE = 60_000;

/** Starts PostgreSQL for the test projects that need it. */
const postgres = 'test/support/postgres.ts';

/** The copy of graphql that Node loads. Vite would load a second one, and graphql refuses to mix two. */
const graphql = createRequire(import.meta.url).resolve('graphql');

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    pool: 'forks',
    // Most of the time is spent waiting for databases and child processes, so two workers suit two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/types/**/*.test.ts', 'test/architecture*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['test/contract/**/*.test.ts', 'test/api/**/*.test.ts'],
          globalSetup: [postgres],
          testTimeout: MINUTE,
          hookTimeout: MINUTE,
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
        },
      },
      {
        extends: true,
        test: {
          name: 'docs',
          include: ['test/docs/**/*.test.ts'],
          globalSetup: ['test/cli/support/build.ts'],
          testTimeout: 10 * MINUTE,
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
        },
      },
    ],
  },
});
