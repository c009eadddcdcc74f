import { NO_REVISIONS, createRevisionSource } from '../database/revision-source.js';
import type { RevisionSource } from '../database/revision-source.js';
import { isGalleyError } from '../errors/galley-error.js';
import { messageOf } from '../lib/source-location.js';
import { ensureObjects } from '../migrations/objects/ensure-objects.js';
import { revisionObjectsOf } from '../migrations/objects/database-objects.js';
import type { Logger } from '../server/logger.js';
import { migrationTarget } from './migration-target.js';
import type { OpenProject } from './open-project-database.js';

const printCause = (error: unknown): string =>
  isGalleyError(error) ? [error.message, error.hint].join(' ').trim() : messageOf(error);

/**
 * Returns what tells whether content-types have changed. Builds the triggers that another tool has dropped.
 * Without them nothing can be cached, which costs speed, and no more.
 */
export async function openRevisionSource(
  { project, database, missingObjects }: OpenProject,
  logger: Logger,
): Promise<RevisionSource> {
  const { model, dialect, config } = project;
  const objects = revisionObjectsOf(model, dialect);
  const missing = missingObjects.length === 0 ? [] : await ensureObjects(migrationTarget(project));
  const lacked = objects.filter(({ name }) => missing.includes(name));
  if (lacked.length > 0) {
    const names = lacked.map(({ name }) => name).join(', ');
    logger.warn(`Responses are not cached, since the database role may not create: ${names}`);
    return NO_REVISIONS;
  }
  return createRevisionSource({
    open: () =>
      database.openRevisions({
        types: model.types.map(({ uid }) => uid),
        parts: objects.flatMap(({ parts }) => parts),
        isStrict: config.api.cache.isStrict,
        onError: (error) =>
          logger.error({ err: error }, 'The connection that the response cache needs is lost'),
      }),
    onError: (error) => logger.warn(`Responses are not cached: ${printCause(error)}`),
  });
}
