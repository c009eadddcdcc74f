import { userInfo } from 'node:os';
import { bumpAccessVersion, readAccessVersion } from '../../access/access.js';
import { isDatabaseError } from '../../database/database-error.js';
import type { Database } from '../../database/database.js';
import { openDatabase } from '../../database/open-database.js';
import { PROJECT_CODE, createActors } from '../../documents/log/actors.js';
import type { Actor } from '../../documents/log/actors.js';
import { createWriteLog } from '../../documents/log/write-log.js';
import type { LogEntry, WriteLog } from '../../documents/log/write-log.js';
import { MINUTE_MS } from '../../lib/units.js';
import type { Project } from './open-project.js';

const shellUser = (): string | null => {
  try {
    return userInfo().username;
  } catch {
    // The account has no entry in the system, as in some containers.
    return null;
  }
};

/** Returns the actor of everything in a process that no request asks for. */
export const processActor = ({ command }: Pick<Project, 'command'>): Actor =>
  command === undefined
    ? PROJECT_CODE
    : { kind: 'shell', who: shellUser(), whoId: null, via: 'command', source: command, address: null };

/** Opens the log of writes of a project's database. */
export function openWriteLog(project: Pick<Project, 'command' | 'config'>, database: Database): WriteLog {
  return createWriteLog(database, project.config.log, { actors: createActors(processActor(project)) });
}

/** True if the database has the table of the log. It lacks it before the migration that adds the table. */
const hasLog = async ({ readNumber }: Database): Promise<boolean> => {
  try {
    await readNumber('SELECT count(*) FROM "cms_log" WHERE 1 = 0', []);
    return true;
  } catch (error) {
    if (isDatabaseError(error) && error.driverError === null) return false;
    throw error;
  }
};

/**
 * Logs changes that no transaction of an open database makes: migrations, and copies of databases that were
 * restored. Does nothing if the database has no log.
 */
export async function logChanges(
  project: Pick<Project, 'command' | 'config' | 'dialect'>,
  entries: readonly LogEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const { url, directUrl } = project.config.database;
  const loadClient = async (): Promise<never> => {
    throw new TypeError('The log needs no Prisma Client');
  };
  const database = await openDatabase({ dialect: project.dialect, url, directUrl, loadClient });
  try {
    if (!(await hasLog(database))) return;
    // A database without a version has no roles yet. The first server creates them.
    const isUsed = (await readAccessVersion(database)) !== null;
    await database.transact(async (tx) => {
      await openWriteLog(project, database).record(tx, entries);
      // Servers reload roles and locales, and announce the tag of all responses.
      if (isUsed) await bumpAccessVersion(tx);
    });
  } finally {
    await database.close();
  }
}

const SWEEP_INTERVAL_MS = 10 * MINUTE_MS;

/** Starts deleting old rows of the log. Returns a function that stops it and waits for the last run. */
export function startLogSweep({ sweep }: WriteLog, onError: (error: unknown) => void): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  const run = (): void => {
    last = last.then(sweep).catch(onError);
  };
  run();
  const timer = setInterval(run, SWEEP_INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await last;
  };
}
