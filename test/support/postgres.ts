import type { TestProject } from 'vitest/node';
import { isSelected } from './selected-dialects.js';
import { startPostgres } from './start-postgres.js';
import type { PostgresServer } from './start-postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of this run's PostgreSQL server, without a database. Null if DIALECTS excludes it. */
    readonly postgresServer: string | null;
  }
}

interface SharedServer {
  readonly server: Promise<PostgresServer>;
  users: number;
}

/** Every project of a run loads this module anew, so that the server they share is kept outside of it. */
const KEY = Symbol.for('galley.postgres');
const shared = globalThis as { [KEY]?: SharedServer };

/**
 * Starts the PostgreSQL server of a test run, which its projects share. The run fails if it cannot start:
 * only DIALECTS=sqlite leaves PostgreSQL out.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!isSelected('postgresql')) {
    project.provide('postgresServer', null);
    return undefined;
  }
  const own = (shared[KEY] ??= { server: startPostgres(), users: 0 });
  own.users++;
  const { url, stop } = await own.server;
  project.provide('postgresServer', url);
  return async () => {
    own.users--;
    if (own.users > 0) return;
    delete shared[KEY];
    await stop();
  };
}
