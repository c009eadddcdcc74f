import { createChangeFeed } from '../../documents/changes/change-feed.js';
import { createLiveEvents } from '../../documents/changes/live-events.js';
import type { OpenEventStream } from '../../documents/changes/live-events.js';
import { createDocumentService } from '../../documents/create-document-service.js';
import { loadLocales } from './open-database.js';
import type { OpenProject } from './open-database.js';

/** Streams of events from a database that this process only reads, without a server. */
export interface OpenEvents {
  readonly open: OpenEventStream;
  readonly close: () => Promise<void>;
}

/**
 * Opens the events of an open database. The writes of all processes are recorded from then on.
 *
 * @param onError receives errors of the database, which is read again soon after
 */
export async function openEvents(
  { project, database, context }: OpenProject,
  onError: (error: unknown) => void,
): Promise<OpenEvents> {
  const { model, config } = project;
  const { hours } = config.events;
  const locales = await loadLocales(context, config);
  const changes = createChangeFeed({
    database,
    model,
    hours,
    hooks: { after: () => undefined },
    onError,
  });
  const documents = createDocumentService({ database, model, locales });
  const open = createLiveEvents({ changes, model, documents, wrapsReads: () => false });
  return { open, close: changes.close };
}
