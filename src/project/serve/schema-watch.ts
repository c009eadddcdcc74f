import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/database.js';
import { HISTORY_TABLE } from '../../migrations/apply/migration-history.js';
import { asRecorded, contentSnapshotOf } from '../../migrations/files/snapshots.js';
import { loadMigrations } from '../../migrations/files/load-migrations.js';
import { findSchemaChange } from '../../migrations/plan/additive.js';
import type { SchemaChange } from '../../migrations/plan/additive.js';
import type { Logger } from '../../server/logger.js';
import type { Readiness } from '../../server/create-server.js';
import { printProjectSchema } from '../generated-files.js';
import type { Project } from '../open/open-project.js';

const INTERVAL_MS = 5000;
/** The typical timeout of load balancers. */
const ANSWER_TIMEOUT_MS = 3000;
const UNKNOWN: Readiness = { isReady: false, schema: 'unknown', migrations: [] };

export interface SchemaWatchOptions {
  readonly project: Project;
  readonly database: Pick<Database, 'readTexts'>;
  readonly logger: Logger;
  /** True to check the database at intervals, in addition to calls of `readiness`. */
  readonly isTimed: boolean;
  readonly intervalMs?: number;
  /** The timeout of `readiness` for the database, in milliseconds. */
  readonly answerTimeoutMs?: number;
}

/** Detects migrations of the database while a server runs. */
export interface SchemaWatch {
  /** Queries the database. If it does not respond in time, the server is not ready. */
  readonly readiness: () => Promise<Readiness>;
  readonly close: () => Promise<void>;
}

const SELECT_NAMES = `
  SELECT CAST("migration_name" AS TEXT) FROM "${HISTORY_TABLE}"
  WHERE "rolled_back_at" IS NULL ORDER BY "migration_name"`;

const logMove = (logger: Logger, { migrations, isCompatible }: SchemaChange): void => {
  const names = migrations.join(', ');
  if (isCompatible)
    logger.warn(
      `The database was migrated (${names}). The migration only adds, so this instance keeps running.`,
    );
  else
    logger.error(
      `The database was migrated (${names}). This instance does not fit the new schema. Stop or replace it.`,
    );
};

/** Creates a watch that compares the database with the project's present schema. */
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
  let move: SchemaChange | null = null;
  let checking: Promise<void> | null = null;

  const check = async (): Promise<void> => {
    const names = JSON.stringify(await database.readTexts(SELECT_NAMES, []));
    if (names === lastNames) return;
    move = await findSchemaChange(target, started);
    lastNames = names;
    if (move !== null) logMove(logger, move);
  };
  const checkOnce = (): Promise<void> =>
    (checking ??= check().finally(() => {
      checking = null;
    }));

  /** Returns true if the database could be read. */
  const tryCheck = async (): Promise<boolean> => {
    try {
      await checkOnce();
      return true;
    } catch (error) {
      logger.debug({ err: error }, 'The schema of the database could not be checked');
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
