import { fail } from '../../errors/catalogue.js';
import { parseFileId } from '../../media/file-id.js';
import type { Handler } from '../rest-parts.js';
import { sendJson } from '../send-json.js';
import { printFile, readFile } from './read-files.js';
import type { UploadParts } from './upload-parts.js';

/** DELETE /api/upload/files/:id: answers the record that was. */
export function createDeleteFileHandler(parts: UploadParts): Handler {
  return async (request, reply) => {
    const { id } = request.params as { readonly id?: string };
    const fileId = parseFileId(id);
    const record = await readFile(parts, fileId);
    if (!(await parts.media.remove(fileId))) throw fail('request/not-found');
    return sendJson(reply, 200, printFile(record));
  };
}
