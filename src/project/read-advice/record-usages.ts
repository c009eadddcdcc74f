import type { Database } from '../../database/database.js';
import type { IndexExperiment } from '../../database/dialect/database-driver.js';
import { writeServerState } from '../../database/server-state.js';
import { createReadUsages } from '../../documents/read/record-reader.js';
import type { RanRead, ReadUsage, ReadUsages } from '../../documents/read/record-reader.js';
import type { Disposer } from '../../lib/resources.js';
import { isRecord } from '../../lib/records.js';
import { describeShape, readShapeOf } from '../../query/describe-read.js';
import type { ReadShape } from '../../query/describe-read.js';
import type { Logger } from '../../server/logger.js';
import type { Project } from '../open/open-project.js';
import {
  FEW_ROWS,
  findScan,
  findSearchRemedies,
  remediesOf,
  remedyCommands,
  searchedAttributes,
} from './scan-remedies.js';

const suggestCommand = async (project: Project, { query, isCount }: RanRead): Promise<string | null> => {
  const experiment = await project.dialect.driver.openExperiment(project.config.database.url);
  try {
    const [remedy] = await findScan(experiment, project.model, query, isCount);
    const remedies = remedy === undefined ? await findSearchRemedies(project, experiment, query) : [remedy];
    return remedies.length === 0 ? null : remedyCommands(remedies);
  } finally {
    await experiment.close();
  }
};

/**
 * Creates a listener of slow reads, which logs a warning for reads that scan more than a thousand rows
 * although an index could serve them. It examines each shape once.
 */
export function warnOfScans(project: Project, logger: Logger): (read: RanRead, ms: number) => void {
  const seen = new Set<string>();
  return (read, ms) => {
    const shape = readShapeOf(read.query, read.isCount);
    const description = describeShape(shape);
    if (seen.has(description)) return;
    seen.add(description);
    const { model } = project;
    if (remediesOf(model, shape).length + searchedAttributes(model, shape).length === 0) return;
    suggestCommand(project, read)
      .then((command) => {
        if (command === null) return;
        logger.warn(
          `${description} scanned more than ${FEW_ROWS} rows in ${Math.round(ms)} ms. ` +
            `To add an index, run: ${command}`,
        );
      })
      .catch((error: unknown) =>
        logger.debug({ err: error }, 'The query plan of a read could not be examined'),
      );
  };
}

const KEY = 'read-shapes';
const READ_SQL = `SELECT value FROM cms_state WHERE key = '${KEY}'`;
const MAX_SHAPES = 500;
const STORE_INTERVAL_MS = 60_000;

const isUsage = (value: unknown): value is ReadUsage =>
  isRecord(value) &&
  isRecord(value['shape']) &&
  typeof value['shape']['type'] === 'string' &&
  ['calls', 'ms', 'maxMs'].every((key) => typeof value[key] === 'number');

const parseUsages = (text: unknown): readonly ReadUsage[] => {
  const value: unknown = JSON.parse(typeof text === 'string' ? text : '[]');
  return Array.isArray(value) ? value.filter(isUsage) : [];
};

const add = (left: ReadUsage, right: ReadUsage): ReadUsage => ({
  shape: left.shape,
  calls: left.calls + right.calls,
  ms: left.ms + right.ms,
  maxMs: Math.max(left.maxMs, right.maxMs),
});

const shapeKey = (shape: ReadShape): string => JSON.stringify(shape);

/** Adds counts to stored counts. Above 500 shapes, drops those with the shortest total time. */
export function addUsages(stored: readonly ReadUsage[], counted: readonly ReadUsage[]): readonly ReadUsage[] {
  const byShape = new Map(stored.map((usage) => [shapeKey(usage.shape), usage]));
  for (const usage of counted) {
    const known = byShape.get(shapeKey(usage.shape));
    byShape.set(shapeKey(usage.shape), known === undefined ? usage : add(known, usage));
  }
  return [...byShape.values()].toSorted((a, b) => b.ms - a.ms).slice(0, MAX_SHAPES);
}

/** Returns the counts of all servers, the shapes with the longest total time first. */
export async function readUsages(experiment: Pick<IndexExperiment, 'values'>): Promise<readonly ReadUsage[]> {
  const [text] = await experiment.values(READ_SQL, []);
  return parseUsages(text);
}

/** Adds the counts of one server to the stored ones. */
const storeUsages = async (database: Database, counted: readonly ReadUsage[]): Promise<void> => {
  if (counted.length === 0) return;
  await database.transact(async (tx) => {
    await tx.lock(KEY);
    const [row] = await tx.query(READ_SQL, []);
    const value = JSON.stringify(addUsages(parseUsages(row?.['value']), counted));
    await writeServerState(tx, KEY, value);
  });
};

/** Stores the counts of a server every minute. Returns a function that stops this and stores the rest. */
function storeRegularly(
  database: Database,
  usages: ReadUsages,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let storing: Promise<void> = Promise.resolve();
  const store = (): Promise<void> => {
    storing = storing.then(() => storeUsages(database, usages.take())).catch(onError);
    return storing;
  };
  const timer = setInterval(() => void store(), STORE_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    return store();
  };
}

interface ReadUsagesDependencies {
  readonly project: Project;
  readonly database: Database;
  readonly logger: Logger;
  readonly slowReads: 'logged' | 'counted' | undefined;
}

/** Opens the observer of slow reads of a server, which warns in development, and counts in production. */
export function openReadUsages(
  { project, database, logger, slowReads }: ReadUsagesDependencies,
  disposer: Disposer,
): ReadUsages | undefined {
  if (slowReads === undefined) return undefined;
  if (slowReads === 'logged') return createReadUsages({ onSlow: warnOfScans(project, logger) });
  const usages = createReadUsages();
  disposer.add(
    storeRegularly(database, usages, (error) =>
      logger.error({ err: error }, 'The counts of reads could not be stored'),
    ),
  );
  return usages;
}
