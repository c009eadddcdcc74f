import type { ContentType } from '../../model/model.js';
import { parseDocumentId } from '../../query/parse-document-id.js';
import { planRead } from '../selection/plan-read.js';
import { withPlainRead } from './plain-reads.js';
import { createAuthorisedResolver, parseRecord } from './root-field.js';
import type { RootResolver } from './root-field.js';

/** Resolves `article` or `homepage` to a document, or null if there is none. */
export function resolveFindOne(type: ContentType): RootResolver {
  const resolve = createAuthorisedResolver(type, 'findOne', async ({ args, context, info }) => {
    const { dependencies, requester } = context;
    const query = planRead({ context, info, type, args, list: null });
    const documentId = type.kind === 'singleType' ? null : parseDocumentId(args['documentId']);
    if (type.kind === 'collectionType' && documentId === null) return null;
    const record = await dependencies.documents.findOne(query, documentId, requester);
    return record === null ? null : parseRecord(record);
  });
  return withPlainRead({ type, form: 'one' }, resolve);
}
