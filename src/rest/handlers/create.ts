import type { ContentType } from '../../model/model.js';
import { printOne } from '../envelope.js';
import { writeParamsOf } from '../read-params.js';
import type { Handler, RestParts } from '../rest-parts.js';
import { sendJson } from '../send-json.js';

/** POST /api/articles */
export function createCreateHandler(parts: RestParts, type: ContentType): Handler {
  return async (request, reply) => {
    const { record } = await parts.documents.create(writeParamsOf(parts, type, request, 'create'));
    return sendJson(reply, 201, printOne(record));
  };
}
