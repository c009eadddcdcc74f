import { readQueryOf } from '../read-params.js';
import type { Handler } from '../rest-parts.js';
import { sendJson } from '../send-json.js';
import { printFiles } from './read-files.js';
import { fileTypeOf } from './upload-parts.js';
import type { UploadParts } from './upload-parts.js';

/** GET /api/upload/files: a bare list. What does not ask for a page gets as many as one request may have. */
export function createListFilesHandler(parts: UploadParts): Handler {
  const type = fileTypeOf(parts);
  const limits = { ...parts.limits, defaultLimit: parts.limits.maxLimit };
  return async (request, reply) => {
    const query = readQueryOf({ ...parts, limits }, type, request, true);
    const { records } = await parts.documents.findMany({ ...query, page: query.page === null ? null : { ...query.page, withCount: false } });
    return sendJson(reply, 200, printFiles(records));
  };
}
