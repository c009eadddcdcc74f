import multipart from '@fastify/multipart';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Caller } from '../../../access/access.js';
import type { RecordText } from '../../../documents/documents.js';
import { createError } from '../../../errors/catalogue.js';
import {
  fileFilter,
  findFileId,
  readFile,
  readFiles,
  removeFileRecord,
} from '../../../media/file-records.js';
import type { FileReadOptions } from '../../../media/file-records.js';
import type { UploadSession } from '../../../media/media.js';
import { LOCAL_PREFIX } from '../../../media/providers.js';
import { FILE_UID } from '../../../model/content-types/builtin-types.js';
import { isDisabled, typeOf } from '../../../model/lookup.js';
import { defaultSelection } from '../../../query/parse/server-queries.js';
import { bodyOfMany, sendBody, sendJson } from '../envelope.js';
import { callerOf, decorateCaller } from '../../http/request-lifecycle.js';
import { decoratePassedOn } from '../guard.js';
import { registerRoutes } from '../register-routes.js';
import { idParameterOf, queryOf, readQueryOf } from '../handler.js';
import type { Handler, RestDependencies } from '../handler.js';
import { SERVE_UPLOADS, servedRoutes, uploadRoutes } from '../routes/rest-routes.js';
import type { UploadOperation } from '../routes/rest-routes.js';
import {
  FILE_INFO_FIELD,
  REFERENCE_FIELDS,
  fileInfosOf,
  findLinkTarget,
  hasFileInfo,
  readForm,
} from './upload-form.js';
import type { FormFields, LinkTarget, UploadDependencies } from './upload-form.js';
import { createServeUploadsHandler } from './serve-uploads.js';

const SIGNED = ',"isUrlSigned":true}';

/** Returns the options that read a whole record. */
function wholeFile({ model, access }: RestDependencies): FileReadOptions {
  return { selection: defaultSelection(model, FILE_UID), locale: access.locales.defaultCode() };
}

/**
 * Prints a record without an envelope. `isUrlSigned`, which Strapi's clients read, is true if its URLs
 * expire. Only those of private providers do; they are signed already.
 */
function printFile(record: RecordText): string {
  return record.endsWith(SIGNED) ? record : `${record.slice(0, -1)},"isUrlSigned":false}`;
}

/** Prints a list without an envelope. */
function printFiles(records: readonly RecordText[]): string {
  return `[${records.map(printFile).join(',')}]`;
}

const linkFiles = async (
  { model, documents, access }: UploadDependencies,
  caller: Caller,
  target: LinkTarget,
  ids: readonly number[],
): Promise<void> => {
  const { type, attribute, documentId, locale, status } = target;
  const updated = await documents.update({
    type: type.uid,
    documentId,
    locale,
    status,
    data: { [attribute]: { connect: ids } },
    access: access.readAccessOf(caller),
    selection: { ...defaultSelection(model, type.uid), fields: [] },
  });
  if (updated === null)
    throw createError('upload/invalid-reference', {
      field: 'refId',
      reason: `the ${type.uid} ${documentId} no longer exists`,
    });
};

/**
 * Stores the files of a form, and links them to the document it names. Returns their ids. If they cannot be
 * linked, they are removed again.
 */
async function saveForm(
  dependencies: UploadDependencies,
  caller: Caller,
  uploadSession: UploadSession,
  fields: FormFields,
): Promise<readonly number[]> {
  if (uploadSession.count() === 0) throw createError('upload/missing-files');
  const infos = fileInfosOf(dependencies.model, fields, uploadSession.count());
  const target = await findLinkTarget(dependencies, caller, fields, uploadSession.count());
  const ids = await uploadSession.commit(infos);
  if (target === null) return ids;
  try {
    await linkFiles(dependencies, caller, target, ids);
  } catch (error) {
    for (const id of ids) await dependencies.media.remove(id);
    throw error;
  }
  return ids;
}

/**
 * Returns the file that `?id=` names, or null if the request uploads new files. Checks that the file exists
 * before the body is read.
 */
const requestedFileId = async (
  dependencies: UploadDependencies,
  request: FastifyRequest,
): Promise<number | null> => {
  const { id } = queryOf(request);
  if (id === undefined) return null;
  const fileId = await findFileId(dependencies.documents, id);
  await readFile(dependencies.documents, fileId, wholeFile(dependencies));
  return fileId;
};

const changeFile = async (
  { media, model }: UploadDependencies,
  id: number,
  uploadSession: UploadSession,
  fields: FormFields,
): Promise<void> => {
  const count = uploadSession.count();
  if (count > 1) throw createError('upload/too-many-replacement-files');
  if (count === 0 && !hasFileInfo(fields)) throw createError('upload/missing-files');
  const [info = {}] = fileInfosOf(model, fields, 1);
  const isChanged = count === 0 ? await media.updateInfo(id, info) : await uploadSession.replace(id, info);
  if (!isChanged) throw createError('request/not-found');
};

const createFiles = async (
  dependencies: UploadDependencies,
  caller: Caller,
  uploadSession: UploadSession,
  fields: FormFields,
): Promise<string> => {
  const ids = await saveForm(dependencies, caller, uploadSession, fields);
  return printFiles(await readFiles(dependencies.documents, ids, wholeFile(dependencies)));
};

/** Receives the files of a request and returns the response. Deletes received files that were not stored. */
const receiveUpload = async (
  dependencies: UploadDependencies,
  request: FastifyRequest,
  id: number | null,
): Promise<string> => {
  const uploadSession = await dependencies.media.openUploadSession();
  try {
    const fields = await readForm(
      request,
      uploadSession,
      dependencies,
      id === null ? [FILE_INFO_FIELD, ...REFERENCE_FIELDS] : [FILE_INFO_FIELD],
    );
    if (id === null) return await createFiles(dependencies, callerOf(request), uploadSession, fields);
    await changeFile(dependencies, id, uploadSession, fields);
    return printFile(await readFile(dependencies.documents, id, wholeFile(dependencies)));
  } finally {
    await uploadSession.discard();
  }
};

/** POST /api/upload: uploads files. With `?id=7`, replaces the content or metadata of that file. */
function createUploadHandler(dependencies: UploadDependencies): Handler {
  return async (request, reply) => {
    if (!request.isMultipart()) throw createError('upload/missing-files');
    const id = await requestedFileId(dependencies, request);
    return sendJson(reply, id === null ? 201 : 200, await receiveUpload(dependencies, request, id));
  };
}

/**
 * GET /api/upload/files: a list without an envelope. Without pagination, lists the maximum of files that one
 * request may read.
 */
function createListFilesHandler(dependencies: UploadDependencies): Handler {
  const type = typeOf(dependencies.model, FILE_UID);
  const limits = { ...dependencies.limits, defaultLimit: dependencies.limits.maxLimit };
  return async (request, reply) => {
    const query = readQueryOf({ ...dependencies, limits }, type, request, { isList: true });
    const { records } = await dependencies.documents.findMany({
      ...query,
      page: query.page === null ? null : { ...query.page, withCount: false },
    });
    return sendJson(reply, 200, printFiles(records));
  };
}

/** GET /api/upload/files/page: a list in the envelope of documents. */
function createFilePageHandler(dependencies: UploadDependencies): Handler {
  const type = typeOf(dependencies.model, FILE_UID);
  return async (request, reply) => {
    const query = readQueryOf(dependencies, type, request, { isList: true });
    const found = await dependencies.documents.findMany(query);
    const files = { ...found, records: found.records.map(printFile) };
    return sendBody(reply, bodyOfMany(files, query.page));
  };
}

/** GET /api/upload/files/:id */
function createFindFileHandler(dependencies: UploadDependencies): Handler {
  const type = typeOf(dependencies.model, FILE_UID);
  return async (request, reply) => {
    const query = readQueryOf(dependencies, type, request, { isList: false });
    const {
      records: [record],
    } = await dependencies.documents.findMany({ ...query, filter: fileFilter(idParameterOf(request)) });
    if (record === undefined) throw createError('request/not-found');
    return sendJson(reply, 200, printFile(record));
  };
}

/** DELETE /api/upload/files/:id: responds with the record of the deleted file. */
function createDeleteFileHandler(dependencies: UploadDependencies): Handler {
  return async (request, reply) => {
    const id = await findFileId(dependencies.documents, idParameterOf(request));
    const record = await removeFileRecord(dependencies, id, wholeFile(dependencies));
    return sendJson(reply, 200, printFile(record));
  };
}

/** Creates the plugin of the media library, which also serves the files of the local store. */
export function createUploadPlugin(dependencies: UploadDependencies): FastifyPluginAsync {
  const { access, model, prefix } = dependencies;
  const handlers: Readonly<Record<UploadOperation, Handler>> = {
    upload: createUploadHandler(dependencies),
    find: createListFilesHandler(dependencies),
    findPage: createFilePageHandler(dependencies),
    findOne: createFindFileHandler(dependencies),
    destroy: createDeleteFileHandler(dependencies),
  };
  return async (fastify) => {
    decorateCaller(fastify);
    decoratePassedOn(fastify);
    await fastify.register(multipart, { throwFileSizeLimit: false });
    registerRoutes(
      fastify,
      { access },
      servedRoutes(model, prefix, uploadRoutes(prefix)).map((route) => ({
        route,
        handler: handlers[route.operation],
      })),
    );
    if (!isDisabled(model, FILE_UID))
      fastify.get(SERVE_UPLOADS.path, createServeUploadsHandler(dependencies, LOCAL_PREFIX));
  };
}
