import { isRecord } from '../../lib/is-record.js';
import type { ContentModel } from '../../model/model.js';
import { findByRequest } from './send.js';
import type { RemoteAccess } from './send.js';
import type { ContentDocument, ContentVersions, RestoredVersion } from '../store/content-store.js';
import { dataOf, documentPath } from './document-path.js';

type Found = Awaited<ReturnType<ContentVersions['find']>>;

/** The published versions on a remote server, which alone knows what of one can be restored. */
export function remoteVersions(model: ContentModel, access: RemoteAccess): ContentVersions {
  const read = async (path: string): Promise<unknown> =>
    dataOf(await findByRequest(access, { method: 'GET', path, isRepeatable: true })) ?? null;
  const find: ContentVersions['find'] = async (name, version) =>
    (await read(documentPath(model, name, `versions/${version}`))) as Found;
  return {
    list: async (name) =>
      (await read(documentPath(model, name, 'versions'))) as Awaited<ReturnType<ContentVersions['list']>>,
    find,
    restore: async (name, version, { isDryRun = false }) => {
      if (isDryRun) return (await find(name, version)) === null ? null : { document: null, omitted: [] };
      const path = documentPath(model, name, `versions/${version}/restore`);
      const answer = await findByRequest(access, { method: 'POST', path, isRepeatable: false });
      const meta = isRecord(answer) ? answer['meta'] : undefined;
      return answer === null
        ? null
        : {
            document: dataOf(answer) as ContentDocument,
            omitted: (isRecord(meta) ? meta['omitted'] : []) as RestoredVersion['omitted'],
          };
    },
  };
}
