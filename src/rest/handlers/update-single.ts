import type { ContentType } from '../../model/model.js';
import { printOne } from '../envelope.js';
import { writeParamsOf } from '../read-params.js';
import type { Handler, RestParts } from '../rest-parts.js';
import { sendJson } from '../send-json.js';

/** PUT /api/homepage: updates the type's one document, or makes it. */
export function createUpdateSingleHandler(parts: RestParts, type: ContentType): Handler {
  const { documents } = parts;
  return async (request, reply) => {
    const params = writeParamsOf(parts, type, request, 'update');
    const documentId = await documents.singleDocumentId(type.uid);
    const updated = documentId === null ? null : await documents.update({ ...params, documentId });
    const { record } = updated ?? (await documents.create(params));
    return sendJson(reply, 200, printOne(record));
  };
}
