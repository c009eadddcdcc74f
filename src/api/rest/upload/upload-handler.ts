import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../access/access.js';
import { createError } from '../../../errors/catalogue.js';
import { parseFileId, readFile, readFiles } from '../../../media/file-records.js';
import type { UploadSession } from '../../../media/media.js';
import { sendJson } from '../envelope.js';
import { callerOf } from '../guard.js';
import { queryOf } from '../request-params.js';
import type { Handler } from '../rest-dependencies.js';
import { FILE_INFO_FIELD, fileInfosOf, hasFileInfo } from './file-info.js';
import { REFERENCE_FIELDS } from './link-target.js';
import { saveForm } from './save-form.js';
import { readForm } from './read-form.js';
import type { FormFields } from './read-form.js';
import { printFile, printFiles, wholeFile } from './print-files.js';
import type { UploadDependencies } from './upload-dependencies.js';

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
  const fileId = parseFileId(id);
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

/** Receives the files of a request and returns the response. Deletes what was not stored. */
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

/** POST /api/upload: new files. With `?id=7`, new content for that file or new information about it. */
export function createUploadHandler(dependencies: UploadDependencies): Handler {
  return async (request, reply) => {
    if (!request.isMultipart()) throw createError('upload/missing-files');
    const id = await requestedFileId(dependencies, request);
    return sendJson(reply, id === null ? 201 : 200, await receiveUpload(dependencies, request, id));
  };
}
