import type { ContentType } from '../../model/model.js';
import { planRead } from '../selection/plan-read.js';
import { documentIdOf, guarded, parseRecord } from './root-field.js';
import type { RootResolver } from './root-field.js';

/** `article`, `homepage`: one document, or null where there is none. */
export function resolveFindOne(type: ContentType): RootResolver {
  return guarded(type, 'findOne', async ({ args, context, info }) => {
    const query = planRead({ context, info, type, args, list: null });
    const documentId = type.kind === 'singleType' ? null : documentIdOf(args);
    if (type.kind === 'collectionType' && documentId === null) return null;
    const record = await context.parts.documents.findOne(query, documentId);
    return record === null ? null : parseRecord(record);
  });
}
