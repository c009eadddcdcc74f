import type { ContentType } from '../../model/model.js';
import { callerOf } from '../guard.js';
import { localeOf } from '../read-params.js';
import { documentIdOf } from '../request-params.js';
import type { Handler, RestParts } from '../rest-parts.js';

/** DELETE /api/articles/:documentId and DELETE /api/homepage: 204 whether there was anything or not. */
export function createDeleteHandler(parts: RestParts, type: ContentType): Handler {
  const { access, documents } = parts;
  const isSingle = type.kind === 'singleType';
  return async (request, reply) => {
    const locale = localeOf(parts, request);
    const documentId = isSingle ? await documents.singleDocumentId(type.uid) : documentIdOf(request);
    if (documentId !== null) await documents.delete({ type: type.uid, documentId, locale, access: access.accessOf(callerOf(request)) });
    return reply.code(204).send();
  };
}
