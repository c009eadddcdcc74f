import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import { HISTORY_TABLE } from '../../migrations/apply/migration-history.js';
import { asRecorded, contentSnapshotOf } from '../../migrations/files/snapshots.js';
import { loadMigrations } from '../../migrations/files/load-migrations.js';
import { findSchemaMove } from '../../migrations/plan/additive.js';
import type { SchemaMove } from '../../migrations/plan/additive.js';
import type { Logger } from '../../server/logger.js';
import type { Readiness } from '../../server/create-server.js';
import { printProjectSchema } from '../generated-files.js';
import type { Project } from '../open/open-project.js';

const INTERVAL_MS = 5000;
/** Load balancers wait about as long for an answer. */
const ANSWER_TIMEOUT_MS = 3000;
const UNKNOWN: Readiness = { isReady: false, schema: 'unknown', migrations: [] };

export interface SchemaWatchOptions {
  readonly project: Project;
  readonly database: Pick<Database, 'readTexts'>;
  readonly logger: Logger;
  /** True if the database is looked at from time to time, and not only when it is asked for. */
  readonly isTimed: boolean;
  readonly intervalMs?: number;
  /** The milliseconds that `readiness` waits for the database. */
  readonly answerTimeoutMs?: number;
}

/** Tells a running server when the schema of its database has moved on. */
export interface SchemaWatch {
  /** Queries the database. If it does not respond in time, the server is not ready. */
  readonly readiness: () => Promise<Readiness>;
  readonly close: () => Promise<void>;
}

const SELECT_NAMES = `
  SELECT CAST("migration_name" AS TEXT) FROM "${HISTORY_TABLE}"
  WHERE "rolled_back_at" IS NULL ORDER BY "migration_name"`;

const logMove = (logger: Logger, { migrations, isCompatible }: SchemaMove): void => {
  const names = migrations.join(', ');
  if (isCompatible)
    logger.warn(`The schema has moved on (${names}). It only adds, so this instance serves on.`);
  else logger.error(`The schema has moved on (${names}). This instance does not fit it: stop or replace it.`);
};

/** Creates a watch for the schema that the project's files describe now. */
export async function createSchemaWatch({
  project,
  database,
  logger,
  isTimed,
  intervalMs = INTERVAL_MS,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
}: SchemaWatchOptions): Promise<SchemaWatch> {
  const { config, dialect, paths, definitions } = project;
  const target = { folder: paths.migrations, url: config.database.directUrl, dialect };
  const started = {
    migrations: (await loadMigrations(paths.migrations)).map(({ name }) => name),
    shape: {
      schema: await printProjectSchema(project),
      content: asRecorded(contentSnapshotOf(definitions)),
    },
  };
  let lastNames: string | null = null;
  let move: SchemaMove | null = null;
  let checking: Promise<void> | null = null;

  const check = async (): Promise<void> => {
    const names = JSON.stringify(await database.readTexts(SELECT_NAMES, []));
    if (names === lastNames) return;
    move = await findSchemaMove(target, started);
    lastNames = names;
    if (move !== null) logMove(logger, move);
  };
  const checkOnce = (): Promise<void> =>
    (checking ??= check().finally(() => {
      checking = null;
    }));

  /** Returns whether the database could be read. */
  const tryCheck = async (): Promise<boolean> => {
    try {
      await checkOnce();
      return true;
    } catch (error) {
      logger.debug({ err: error }, 'The schema could not be looked at');
      return false;
    }
  };
  const timer = isTimed ? setInterval(() => void tryCheck(), intervalMs).unref() : undefined;
  return {
    readiness: async () => {
      const timeout = sleep(answerTimeoutMs, false, { ref: false });
      if (!(await Promise.race([tryCheck(), timeout]))) return UNKNOWN;
      if (move === null) return { isReady: true, schema: 'current', migrations: [] };
      const { isCompatible, migrations } = move;
      return { isReady: isCompatible, schema: isCompatible ? 'ahead' : 'incompatible', migrations };
    },
    close: async () => {
      clearInterval(timer);
      await checking?.catch(() => undefined);
    },
  };
}
