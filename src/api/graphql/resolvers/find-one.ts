import type { ContentType } from '../../../model/model.js';
import { parseDocumentId } from '../../../query/parse/parse-document-id.js';
import { planRead } from '../selection/plan-read.js';
import { createAuthorisedResolver, parseRecord } from './root-field.js';
import type { RootResolver } from './root-field.js';

/** Resolves `article` or `homepage` to a document, or null if there is none. */
export function resolveFindOne(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'findOne', async ({ args, context, info }) => {
    const query = planRead({ context, info, type, args, list: null });
    const documentId = type.kind === 'singleType' ? null : parseDocumentId(args['documentId']);
    if (type.kind === 'collectionType' && documentId === null) return null;
    context.reads.push(query);
    const record = await context.dependencies.documents.findOne(query, documentId, context.signal());
    return record === null ? null : parseRecord(record);
  });
}
