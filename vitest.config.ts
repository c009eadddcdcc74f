import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { HeaviestFirst } from './test/support/heaviest-first.js';
import { keepTemporaryFilesInMemory } from './test/support/memory-folder.js';

const MINUTE = 60_000;

/** Starts PostgreSQL for the test projects that need it. */
const postgres = 'test/support/postgres.ts';
const runFolder = 'test/support/run-folder.ts';
const build = 'test/cli/support/build.ts';

/** Files that replace modules, and so have to load all modules themselves. */
const MOCKED = 'test/**/*.mocked.test.ts';

/** Files that repeat a check over hundreds of cases, or for long. CI runs them after all others. */
const LONG = 'test/**/*.long.test.ts';

/** Takes the place of bcrypt, whose hashes are meant to take long. */
const quickBcrypt = {
  find: /^@node-rs\/bcrypt$/,
  replacement: fileURLToPath(new URL('test/support/quick-passwords.ts', import.meta.url)),
};

/** Takes the place of the client generator, where a client was generated before. */
const cachedClients = {
  find: /^(\.\.\/)+database\/prisma\/client-generator\.js$/,
  replacement: fileURLToPath(new URL('test/support/cached-clients.ts', import.meta.url)),
};

/** Takes the place of tinypool, whose threads would load sources by jiti. */
const bundledThreads = {
  find: /^tinypool$/,
  replacement: fileURLToPath(new URL('test/support/bundled-threads.ts', import.meta.url)),
};

/** Stands in for the slow parts of what tests of databases and commands run. */
const standIns = [cachedClients, bundledThreads];

/** The copy of graphql that Node loads. Vite would load a second one, and graphql refuses to mix two. */
const graphql = createRequire(import.meta.url).resolve('graphql');

// Before any project's set-up runs; workers inherit the environment.
keepTemporaryFilesInMemory();

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    pool: 'forks',
    // Projects share what was transformed.
    experimental: { fsModuleCache: true },
    // Much of the time is spent waiting for databases and child processes, so three workers suit two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // The files of a project share their worker's modules, whose loading takes longer than most tests.
    isolate: false,
    sequence: { sequencer: HeaviestFirst },
    restoreMocks: true,
    unstubEnvs: true,
    setupFiles: ['test/support/drop-databases.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'docs',
          include: ['test/docs/pages.test.ts'],
          globalSetup: [build, postgres, runFolder],
          testTimeout: 10 * MINUTE,
        },
      },
      {
        extends: true,
        test: {
          name: 'guides',
          include: ['test/docs/guides.test.ts'],
          globalSetup: [build, postgres, runFolder],
          testTimeout: 10 * MINUTE,
        },
      },
      {
        extends: true,
        resolve: { alias: standIns },
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: [postgres, runFolder],
          testTimeout: 5 * MINUTE,
          hookTimeout: 2 * MINUTE,
        },
      },
      {
        extends: true,
        resolve: { alias: standIns },
        test: {
          name: 'cli',
          include: ['test/cli/**/*.test.ts'],
          exclude: [LONG],
          globalSetup: [build, postgres, runFolder],
          testTimeout: 2 * MINUTE,
          hookTimeout: MINUTE,
        },
      },
      {
        extends: true,
        resolve: { alias: [quickBcrypt, ...standIns] },
        test: {
          name: 'database',
          include: ['test/contract/**/*.test.ts', 'test/api/**/*.test.ts'],
          exclude: [MOCKED, LONG],
          globalSetup: [postgres, runFolder],
          testTimeout: MINUTE,
          hookTimeout: MINUTE,
        },
      },
      {
        extends: true,
        resolve: { alias: [quickBcrypt, ...standIns] },
        test: {
          name: 'long',
          include: [LONG],
          globalSetup: [build, postgres, runFolder],
          testTimeout: 2 * MINUTE,
          hookTimeout: MINUTE,
        },
      },
      {
        extends: true,
        resolve: { alias: standIns },
        test: {
          name: 'mocked',
          include: [MOCKED],
          isolate: true,
          globalSetup: [postgres, runFolder],
          testTimeout: MINUTE,
          hookTimeout: MINUTE,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/types/**/*.test.ts', 'test/architecture*.test.ts'],
          exclude: [MOCKED],
          testTimeout: MINUTE,
        },
      },
    ],
  },
});
