import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createError } from '../../errors/catalogue.js';
import { chunksOf } from '../../lib/collections.js';
import { isRecord } from '../../lib/records.js';
import { HOUR_MS } from '../../lib/units.js';
import type { FileInfo, MediaMaintenance, Regeneration, StoredObject } from '../../media/media.js';
import { openUrl } from '../../media/providers.js';
import type { FileUsage } from '../../media/usages.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentStore } from '../store/content-store.js';
import { parseFile } from '../store/media-store.js';
import type { LocalFile, MediaFile, MediaStore } from '../store/media-store.js';
import { sendRequest } from './send.js';
import type { RemoteAccess, RemoteRequest } from './send.js';

/** Files of one request for usages, which scans all documents. */
const FILES_PER_REQUEST = 2000;

/** Timeout of requests that scan all documents or all stored files, which takes long on large sites. */
const TIMEOUT_MS = 600_000;

/** Returns the maintenance operations on the stored files of a remote server. All of them can be repeated. */
function remoteMaintenance(access: RemoteAccess): MediaMaintenance {
  const send = async (request: Pick<RemoteRequest, 'method' | 'path' | 'body'>): Promise<unknown> => {
    const body = await sendRequest(access, { ...request, isRepeatable: true, timeoutMs: TIMEOUT_MS });
    return isRecord(body) ? body['data'] : undefined;
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

/** The lowest status of errors. */
const BAD_REQUEST = 400;

/** Timeout of an upload, which includes resizing images. */
const UPLOAD_TIMEOUT_MS = HOUR_MS;

const assertFile = async ({ path }: LocalFile): Promise<void> => {
  if (!(await stat(path)).isFile()) throw createError('upload/no-file', { path });
};

/** Returns the form of an upload. The file is read while it is sent; the server detects its type. */
const formOf = async (info: FileInfo, file: LocalFile | null): Promise<FormData> => {
  const form = new FormData();
  // Fields must precede files.
  form.set('fileInfo', JSON.stringify(info));
  if (file !== null) form.set('files', await openAsBlob(file.path), file.name);
  return form;
};

/** Creates the media store of a remote server, on its upload API. `content` is of the same server. */
export function createRemoteMediaStore(access: RemoteAccess, content: ContentStore): MediaStore {
  const findFile = async (id: number): Promise<MediaFile | null> => {
    const [document] = await content.find(FILE_UID, { filters: { id: { $eq: id } }, limit: 1 });
    return document === undefined ? null : parseFile(document);
  };
  const upload = (query: string, form: FormData): Promise<unknown> =>
    sendRequest(access, {
      method: 'POST',
      path: `/upload${query}`,
      body: form,
      isRepeatable: false,
      timeoutMs: UPLOAD_TIMEOUT_MS,
    });
  const change = async (id: number, info: FileInfo, file: LocalFile | null): Promise<MediaFile | null> => {
    if ((await findFile(id)) === null) return null;
    await upload(`?id=${id}`, await formOf(info, file));
    return findFile(id);
  };
  return {
    find: async (params) => (await content.find(FILE_UID, params)).map(parseFile),
    count: (params) => content.count(FILE_UID, params),
    check: assertFile,
    add: async (file, info) => {
      await assertFile(file);
      const body = await upload('', await formOf(info, file));
      const [added]: readonly unknown[] = Array.isArray(body) ? body : [];
      return parseFile(added);
    },
    update: (id, info) => change(id, info, null),
    replace: async (id, file, info) => {
      await assertFile(file);
      return change(id, info, file);
    },
    remove: async (id) => {
      if ((await findFile(id)) === null) return false;
      await sendRequest(access, { method: 'DELETE', path: `/upload/files/${id}`, isRepeatable: false });
      return true;
    },
    open: ({ url }) => openUrl(new URL(url, access.url).href),
    isFormer: async ({ address }) => {
      const url = new URL(address, access.url);
      if (url.origin !== new URL(access.url).origin) return false;
      const options = {
        method: 'HEAD',
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      } as const;
      return (await fetch(url, options)).status < BAD_REQUEST;
    },
    maintenance: remoteMaintenance(access),
  };
}
