import { fail } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import { printOne } from '../envelope.js';
import { writeParamsOf } from '../read-params.js';
import { documentIdOf } from '../request-params.js';
import type { Handler, RestParts } from '../rest-parts.js';
import { sendJson } from '../send-json.js';

/** PUT /api/articles/:documentId */
export function createUpdateHandler(parts: RestParts, type: ContentType): Handler {
  return async (request, reply) => {
    const params = writeParamsOf(parts, type, request, 'update');
    const documentId = documentIdOf(request);
    const updated = documentId === null ? null : await parts.documents.update({ ...params, documentId });
    if (updated === null) throw fail('request/not-found');
    return sendJson(reply, 200, printOne(updated.record));
  };
}
