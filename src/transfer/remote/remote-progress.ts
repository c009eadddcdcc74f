import type { ImportProgressStore } from '../../documents/import-progress.js';
import { sendRequest } from './send.js';
import type { RemoteAccess } from './send.js';
import { dataOf } from './document-path.js';

/** The progress of imports that a remote server keeps. */
export function remoteProgress(access: RemoteAccess): ImportProgressStore {
  const pathOf = (key: string): string => `/cms/progress?key=${encodeURIComponent(key)}`;
  return {
    find: async (key) => {
      const value = dataOf(
        await sendRequest(access, { method: 'GET', path: pathOf(key), isRepeatable: true }),
      );
      return typeof value === 'string' ? value : null;
    },
    remove: async (key) => {
      await sendRequest(access, { method: 'DELETE', path: pathOf(key), isRepeatable: true });
    },
  };
}
