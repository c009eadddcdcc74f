import type { Schedule, ScheduledChange } from '../../documents/schedules/schedule.js';
import type { ContentModel } from '../../model/model.js';
import { findByRequest } from './send.js';
import type { RemoteAccess } from './send.js';
import type { ContentStore } from '../store/content-store.js';
import { dataOf, documentPath } from './document-path.js';

/** Returns the operations on schedules of a remote server. Servers of former releases have none. */
export function remoteSchedules(
  model: ContentModel,
  access: RemoteAccess,
): Pick<ContentStore, 'schedule' | 'listScheduled'> {
  return {
    schedule: async (type, documentId, { locale, data }, { isDryRun = false }) => {
      const path = documentPath(model, { type, documentId, locale }, 'schedule');
      const answer = await findByRequest(
        access,
        isDryRun
          ? { method: 'GET', path, isRepeatable: true }
          : { method: 'PUT', path, body: { data }, isRepeatable: true },
      );
      return (dataOf(answer) ?? null) as Schedule | null;
    },
    listScheduled: async ({ type, documentIds }) => {
      const path = `/cms/schedules${type === undefined ? '' : `?type=${encodeURIComponent(type)}`}`;
      const answer = await findByRequest(access, { method: 'GET', path, isRepeatable: true });
      const found = (dataOf(answer) ?? []) as readonly ScheduledChange[];
      return documentIds === undefined
        ? found
        : found.filter(({ documentId }) => documentIds.includes(documentId));
    },
  };
}
