import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { createError } from '../../../errors/catalogue.js';
import { parseFileId, removeFileRecord } from '../../../media/file-records.js';
import { typeOf } from '../../../model/lookup.js';
import { bodyOfMany, sendBody, sendJson } from '../envelope.js';
import { readQueryOf } from '../read-params.js';
import { idParameterOf } from '../request-params.js';
import type { Handler } from '../rest-dependencies.js';
import { printFile, printFiles, wholeFile } from './print-files.js';
import type { UploadDependencies } from './upload-dependencies.js';

/**
 * GET /api/upload/files: a list without an envelope. Unless the request has a page, lists as many files as
 * one request may have.
 */
export function createListFilesHandler(dependencies: UploadDependencies): Handler {
  const type = typeOf(dependencies.model, FILE_UID);
  const limits = { ...dependencies.limits, defaultLimit: dependencies.limits.maxLimit };
  return async (request, reply) => {
    const query = readQueryOf({ ...dependencies, limits }, type, request, true);
    const { records } = await dependencies.documents.findMany({
      ...query,
      page: query.page === null ? null : { ...query.page, withCount: false },
    });
    return sendJson(reply, 200, printFiles(records));
  };
}

/** GET /api/upload/files/page: a list in the envelope of documents. */
export function createFilePageHandler(dependencies: UploadDependencies): Handler {
  const type = typeOf(dependencies.model, FILE_UID);
  return async (request, reply) => {
    const query = readQueryOf(dependencies, type, request, true);
    const found = await dependencies.documents.findMany(query);
    const files = { ...found, records: found.records.map(printFile) };
    return sendBody(reply, bodyOfMany(files, query.page));
  };
}

/** GET /api/upload/files/:id */
export function createFindFileHandler(dependencies: UploadDependencies): Handler {
  const type = typeOf(dependencies.model, FILE_UID);
  return async (request, reply) => {
    const query = readQueryOf(dependencies, type, request, false);
    const id = parseFileId(idParameterOf(request));
    const {
      records: [record],
    } = await dependencies.documents.findMany({
      ...query,
      filter: { kind: 'compare', field: 'id', operator: '$eq', operand: id },
    });
    if (record === undefined) throw createError('request/not-found');
    return sendJson(reply, 200, printFile(record));
  };
}

/** DELETE /api/upload/files/:id: responds with the record the file had. */
export function createDeleteFileHandler(dependencies: UploadDependencies): Handler {
  return async (request, reply) => {
    const id = parseFileId(idParameterOf(request));
    const record = await removeFileRecord(dependencies, id, wholeFile(dependencies));
    return sendJson(reply, 200, printFile(record));
  };
}
