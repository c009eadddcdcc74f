import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { ApplicationError, NotFoundError } from '../../errors/project-errors.js';
import { parseRecordId } from '../../lib/ids.js';
import { isRecord } from '../../lib/records.js';
import { parseFileInfo } from '../../media/file-info.js';
import type { FileInfo, IncomingFile } from '../../media/media.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { SERVICE_PARAMS, assertParams } from '../database/call-params.js';
import { withUnavailable } from '../unavailable.js';
import { toPluginDefinition } from './plugin-definition.js';
import type { PluginDefinition } from './plugin-definition.js';
import { toQueryParams } from './plugin-host.js';
import type { Entry, PluginHost, QueryParams } from './plugin-host.js';
import type { UploadProvider } from './upload-provider.js';

const firstText = (
  file: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): string | undefined => {
  for (const name of names) if (typeof file[name] === 'string' && file[name] !== '') return file[name];
  return undefined;
};

/** Returns the content of a file with the number of bytes read. */
const contentOf = (
  file: Readonly<Record<string, unknown>>,
): { readonly content: Readable; readonly bytes: () => number } => {
  const { buffer, stream, getStream } = file;
  if (Buffer.isBuffer(buffer)) return { content: Readable.from([buffer]), bytes: () => buffer.length };
  const path = firstText(file, 'filepath', 'path');
  if (path !== undefined) {
    const content = createReadStream(path);
    return { content, bytes: () => content.bytesRead };
  }
  const content: unknown = typeof getStream === 'function' ? Reflect.apply(getStream, file, []) : stream;
  if (content instanceof Readable) return { content, bytes: () => Number(file['size'] ?? 0) };
  throw new ApplicationError('An uploaded file needs a filepath, a buffer or a stream.');
};

/**
 * Converts a file that code written for Strapi uploads: a file of a request (`ctx.request.files`), a path
 * with a name and a type, a buffer or a stream.
 */
function toIncomingFile(value: unknown, sizeLimit: number): IncomingFile {
  const file = isRecord(value) ? value : { ...(value as object) };
  const path = firstText(file, 'filepath', 'path');
  const { content, bytes } = contentOf(file);
  return {
    name: firstText(file, 'originalFilename', 'name') ?? (path === undefined ? undefined : basename(path)),
    type: firstText(file, 'mimetype', 'type', 'mime'),
    content,
    isTruncated: () => bytes() > sizeLimit,
  };
}

/** The data of uploaded files: their names and texts, and the document to link them to. */
interface UploadData {
  readonly fileInfo?: unknown;
  /** The uid of a content-type, the id of a document of it, and its media attribute. */
  readonly ref?: string;
  readonly refId?: unknown;
  readonly field?: string;
}

const infosOf = ({ fileInfo }: UploadData, count: number): readonly FileInfo[] => {
  const infos: readonly unknown[] = Array.isArray(fileInfo) ? fileInfo : [fileInfo];
  return Array.from({ length: count }, (_, index) => {
    const info = infos[index];
    return isRecord(info) ? parseFileInfo(info) : {};
  });
};

const assertKnown = (method: string, data: UploadData): void =>
  assertParams(
    {
      call: `strapi.plugin('upload').service('upload').${method}: data`,
      options: SERVICE_PARAMS['upload.upload upload, replace: data'],
    },
    data,
  );

const toList = (files: unknown): readonly unknown[] => (Array.isArray(files) ? files : [files]);

const link = async (
  { model, query }: PluginHost,
  { ref, refId, field }: UploadData,
  ids: readonly number[],
): Promise<void> => {
  if (ref === undefined || refId === undefined || field === undefined) return;
  const attribute = model.typesByUid[ref]?.attributes[field];
  const isList = attribute?.family === 'media' && attribute.many;
  await query(ref).update({
    where: { id: refId },
    data: { [field]: isList ? { connect: ids } : ids[0] },
  });
};

const createUploadService = (host: PluginHost) => {
  const { media, config, query, store } = host;
  const files = () => query(FILE_UID);
  const receive = async <T>(
    received: readonly unknown[],
    work: (session: Awaited<ReturnType<PluginHost['media']['openUploadSession']>>) => Promise<T>,
  ): Promise<T> => {
    const session = await media.openUploadSession();
    try {
      for (const file of received) await session.receive(toIncomingFile(file, config.upload.sizeLimit));
      return await work(session);
    } finally {
      await session.discard();
    }
  };
  /** Finds a file by its id or its documentId. */
  const find = (reference: unknown, populate?: unknown): Promise<Entry | null> => {
    const where = parseRecordId(String(reference)) === null ? { documentId: reference } : { id: reference };
    return files().findOne({ where, ...(populate === undefined ? {} : { populate }) });
  };
  const requireFile = async (reference: unknown): Promise<Entry> => {
    const file = await find(reference);
    if (file === null) throw new NotFoundError('File not found');
    return file;
  };
  const settings = store({ type: 'plugin', name: 'upload', key: 'settings' });
  return {
    upload: async ({ data = {}, files: given }: { data?: UploadData; files: unknown }) => {
      assertKnown('upload', data);
      const received = toList(given);
      const ids = await receive(received, (session) => session.commit(infosOf(data, received.length)));
      await link(host, data, ids);
      return Promise.all(ids.map((id) => requireFile(id)));
    },
    replace: async (reference: unknown, { data = {}, file }: { data?: UploadData; file: unknown }) => {
      assertKnown('replace', data);
      const [info = {}] = infosOf(data, 1);
      const { id } = await requireFile(reference);
      await receive([file], async (session) => {
        if (!(await session.replace(id, info))) throw new NotFoundError('File not found');
      });
      return requireFile(id);
    },
    updateFileInfo: async (reference: unknown, values: Readonly<Record<string, unknown>>) => {
      const { alternativeText, caption, focalPoint } = values;
      const given = Object.entries({ name: values['name'], alternativeText, caption, focalPoint });
      const info = Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== null));
      const { id } = await requireFile(reference);
      if (!(await media.updateInfo(id, parseFileInfo(info)))) throw new NotFoundError('File not found');
      return requireFile(id);
    },
    findOne: find,
    findMany: (params?: QueryParams) => files().findMany(toQueryParams(params)),
    findPage: (params?: QueryParams) => files().findPage(toQueryParams(params)),
    remove: async (file: Entry) => {
      const known = await find(file.id);
      await media.remove(file.id);
      return known;
    },
    getSettings: () => settings.get(),
    setSettings: (value: unknown) => settings.set({ value }),
  };
};

const STORING = "Store and remove files with strapi.plugin('upload').service('upload').";

/** The provider that project code gets if Galley stores the files. */
const LOCAL_PROVIDER = withUnavailable(
  { checkFileSize: () => undefined, getSignedUrl: (file: unknown) => file, isPrivate: () => false },
  "strapi.plugin('upload').provider",
  { remedies: { upload: STORING, uploadStream: STORING, delete: STORING } },
);

/** Creates the plugin that stores files. They go through the media library like all other uploads. */
export function createUploadPlugin(host: PluginHost, provider: UploadProvider | null): PluginDefinition {
  const plugin = toPluginDefinition({ services: { upload: createUploadService(host) } });
  return { ...plugin, provider: provider ?? LOCAL_PROVIDER };
}
