import { chunksOf } from '../../lib/chunks.js';
import { isRecord } from '../../lib/is-record.js';
import type { MediaMaintenance, Regeneration, StoredObject } from '../../media/media.js';
import type { FileUsage } from '../../media/usages/file-usages.js';
import { sendRequest } from './send.js';
import type { RemoteAccess, RemoteRequest } from './send.js';

/** Each request looks through all documents, and so asks about many files. */
const FILES_PER_REQUEST = 2000;

/** Looking through everything, or at everything that is stored, takes large sites a while. */
const TIMEOUT_MS = 600_000;

/** Returns the maintenance operations on the stored files of a remote server. All of them can be repeated. */
export function remoteMaintenance(access: RemoteAccess): MediaMaintenance {
  const send = async (request: Pick<RemoteRequest, 'method' | 'path' | 'body'>): Promise<unknown> => {
    const answer = await sendRequest(access, { ...request, isRepeatable: true, timeoutMs: TIMEOUT_MS });
    return isRecord(answer) ? answer['data'] : undefined;
  };
  return {
    findUsages: async (files, onUsage, { isOnce } = { isOnce: false }) => {
      for (const data of chunksOf(files, FILES_PER_REQUEST)) {
        const path = `/cms/media/usages?once=${isOnce}`;
        for (const usage of (await send({ method: 'POST', path, body: { data } })) as readonly FileUsage[])
          onUsage(usage);
      }
    },
    findStrays: async () =>
      ((await send({ method: 'GET', path: '/cms/media/strays' })) ?? null) as readonly StoredObject[] | null,
    removeStrays: async (names) => {
      await send({ method: 'POST', path: '/cms/media/strays/delete', body: { data: names } });
    },
    regenerate: async (id) =>
      ((await send({ method: 'POST', path: `/cms/media/${id}/regenerate` })) ?? null) as Regeneration | null,
  };
}
