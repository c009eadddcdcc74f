import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import type { FileInfo } from '../../media/media.js';
import { openUrl } from '../../media/open-url.js';
import { sendRequest } from './send.js';
import type { RemoteAccess } from './send.js';
import type { ContentStore } from '../store/content-store.js';
import { parseFile } from '../store/media-file.js';
import type { LocalFile, MediaFile, MediaStore } from '../store/media-store.js';
import { remoteMaintenance } from './remote-maintenance.js';

/** Of an upload, which may be long and end with resizing images. */
const UPLOAD_TIMEOUT_MS = 3_600_000;

const assertFile = async ({ path }: LocalFile): Promise<void> => {
  if (!(await stat(path)).isFile()) throw createError('upload/no-file', { path });
};

/** Returns the form of an upload. The file is read while it is sent. The server detects its type. */
const formOf = async (info: FileInfo, file: LocalFile | null): Promise<FormData> => {
  const form = new FormData();
  // Fields have to stand before files.
  form.set('fileInfo', JSON.stringify(info));
  if (file !== null) form.set('files', await openAsBlob(file.path), file.name);
  return form;
};

/** The media library of a remote server, over the API of uploads. `content` is that of the same server. */
export function createRemoteMediaStore(access: RemoteAccess, content: ContentStore): MediaStore {
  const findById = async (id: number): Promise<MediaFile | null> => {
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
    if ((await findById(id)) === null) return null;
    await upload(`?id=${id}`, await formOf(info, file));
    return findById(id);
  };
  return {
    find: async (params) => (await content.find(FILE_UID, params)).map(parseFile),
    count: (params) => content.count(FILE_UID, params),
    check: assertFile,
    add: async (file, info) => {
      await assertFile(file);
      const answer = await upload('', await formOf(info, file));
      const [added]: readonly unknown[] = Array.isArray(answer) ? answer : [];
      return parseFile(added);
    },
    update: (id, info) => change(id, info, null),
    replace: async (id, file, info) => {
      await assertFile(file);
      return change(id, info, file);
    },
    remove: async (id) => {
      if ((await findById(id)) === null) return false;
      await sendRequest(access, { method: 'DELETE', path: `/upload/files/${id}`, isRepeatable: false });
      return true;
    },
    open: ({ url }) => openUrl(new URL(url, access.url).href),
    maintenance: remoteMaintenance(access),
  };
}
