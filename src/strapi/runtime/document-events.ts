import type { DocumentEvent } from '../../documents/hooks.js';
import type { ProjectDocuments } from '../../documents/repository/project-documents.js';
import type { ContentModel } from '../../model/model.js';
import {
  deepPopulate,
  eventName,
  payloadOf,
  toldActions,
  toldTypes,
} from '../../api/webhooks/event-payload.js';
import type { EventHub } from './event-hub.js';

interface EventDependencies {
  readonly model: ContentModel;
  readonly documents: ProjectDocuments;
  readonly hub: Pick<EventHub, 'emit'>;
  readonly onError: (error: unknown) => void;
}

/**
 * Announces writes of documents as Strapi does. Versions that a deletion or an unpublication removes are read
 * before.
 */
export function announceWrites({ model, documents, hub, onError }: EventDependencies): void {
  const types = toldTypes(model);
  const read = async ({ type, documentId, locale }: DocumentEvent, status: 'draft' | 'published') => {
    const definition = model.typesByUid[type];
    if (definition === undefined) return null;
    return documents(type).findOne({
      documentId,
      status,
      populate: deepPopulate(model, definition),
      ...(locale === null ? {} : { locale }),
    });
  };
  const emit = async (event: DocumentEvent, entry: unknown): Promise<void> => {
    if (entry !== null) await hub.emit(eventName(event), payloadOf(event.type, entry));
  };
  const announce = async (event: DocumentEvent): Promise<void> => {
    for (const action of toldActions(model, event))
      await emit({ ...event, action }, await read(event, action === 'publish' ? 'published' : 'draft'));
  };
  for (const action of ['create', 'update', 'publish', 'discardDraft'] as const)
    documents.after(action, announce, types);
  for (const action of ['delete', 'unpublish'] as const)
    documents.before(
      action,
      async (event, tx) => {
        const entry = await read(event, action === 'unpublish' ? 'published' : 'draft');
        tx.afterCommit(() => emit(event, entry).catch(onError));
      },
      types,
    );
}
