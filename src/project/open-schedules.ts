import type { ScheduleEntry } from '../documents/schedules/schedule-store.js';
import { NO_LOCALE } from '../model/model.js';
import { startScheduleRunner } from '../documents/schedules/schedule-runner.js';
import type { Logger } from '../server/logger.js';
import type { AppServices } from './open-services.js';

const describe = ({ type, documentId, locale }: ScheduleEntry): string =>
  `${type} ${documentId}${locale === NO_LOCALE ? '' : ` in ${locale}`}`;

/** Begins to publish and unpublish documents at their times. Returns what ends that. */
export function openSchedules(
  { opened, documents }: Pick<AppServices, 'opened' | 'documents'>,
  logger: Logger,
): () => Promise<void> {
  const { database, project } = opened;
  const runner = startScheduleRunner({
    database,
    model: project.model,
    documents,
    onDone: (entry) =>
      logger.info(
        `${entry.action === 'publish' ? 'Published' : 'Unpublished'} ${describe(entry)} as scheduled`,
      ),
    onFailed: (entry, message, error) =>
      logger.warn({ err: error }, `Could not ${entry.action} ${describe(entry)} as scheduled: ${message}`),
    onError: (error) => logger.error({ err: error }, 'What is scheduled could not be done'),
  });
  return runner.stop;
}
