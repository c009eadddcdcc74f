import type { ContentType } from '../../model/model.js';
import { printMany } from '../envelope.js';
import { recalledQueryOf } from '../read-params.js';
import { sendJson } from '../send-json.js';
import type { Handler, ReadParts } from '../rest-parts.js';

/** GET /api/articles */
export function createFindHandler(parts: ReadParts, type: ContentType): Handler {
  return async (request, reply) => {
    const query = recalledQueryOf(parts, type, request, true);
    const { records, total } = await parts.documents.findMany(query);
    return sendJson(reply, 200, printMany(records, query.page, total));
  };
}
