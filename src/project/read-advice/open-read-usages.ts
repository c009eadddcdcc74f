import type { Database } from '../../database/database.js';
import { createReadUsages } from '../../documents/read/read-usages.js';
import type { ReadUsages } from '../../documents/read/read-usages.js';
import type { Disposer } from '../../lib/disposer.js';
import type { Logger } from '../../server/logger.js';
import type { Project } from '../open-project.js';
import { storeRegularly } from './stored-usages.js';
import { warnOfScans } from './warn-of-scans.js';

interface ReadUsagesDependencies {
  readonly project: Project;
  readonly database: Database;
  readonly logger: Logger;
  readonly slowReads: 'logged' | 'counted' | undefined;
}

/** Opens what watches the reads of a server: in development it warns, in production it counts. */
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
