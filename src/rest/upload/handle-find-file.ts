import { fail } from '../../errors/catalogue.js';
import { parseFileId } from '../../media/file-id.js';
import { readQueryOf } from '../read-params.js';
import type { Handler } from '../rest-parts.js';
import { sendJson } from '../send-json.js';
import { printFile } from './read-files.js';
import { fileTypeOf } from './upload-parts.js';
import type { UploadParts } from './upload-parts.js';

/** GET /api/upload/files/:id */
export function createFindFileHandler(parts: UploadParts): Handler {
  const type = fileTypeOf(parts);
  return async (request, reply) => {
    const query = readQueryOf(parts, type, request, false);
    const { id } = request.params as { readonly id?: string };
    const { records: [record] } = await parts.documents.findMany({ ...query, filter: { kind: 'compare', field: 'id', operator: '$eq', operand: parseFileId(id) } });
    if (record === undefined) throw fail('request/not-found');
    return sendJson(reply, 200, printFile(record));
  };
}
