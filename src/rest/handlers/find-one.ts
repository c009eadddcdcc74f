import { fail } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import { printOne } from '../envelope.js';
import { recalledQueryOf } from '../read-params.js';
import { documentIdOf } from '../request-params.js';
import type { Handler, ReadParts } from '../rest-parts.js';
import { sendJson } from '../send-json.js';

/** GET /api/articles/:documentId, and GET /api/homepage where the type has one document. */
export function createFindOneHandler(parts: ReadParts, type: ContentType): Handler {
  const isSingle = type.kind === 'singleType';
  return async (request, reply) => {
    const query = recalledQueryOf(parts, type, request, false);
    const documentId = documentIdOf(request);
    const record = isSingle || documentId !== null ? await parts.documents.findOne(query, documentId) : null;
    if (record === null) throw fail('request/not-found');
    return sendJson(reply, 200, printOne(record));
  };
}
