import { FILE_UID } from '../../content-types/builtin/registry.js';
import type { DocumentEvent, WriteAction } from '../../documents/hooks.js';
import type { ProjectDocuments } from '../../documents/repository/project-documents.js';
import { lastSegment } from '../../lib/uid.js';
import type { Attribute, ContentModel, Uid } from '../../model/model.js';
import type { EventHub } from './event-hub.js';

const EVENTS = {
  create: 'entry.create',
  update: 'entry.update',
  delete: 'entry.delete',
  publish: 'entry.publish',
  unpublish: 'entry.unpublish',
  discardDraft: 'entry.draft-discard',
} as const satisfies Readonly<Record<WriteAction, string>>;

type Populate = Readonly<Record<string, unknown>>;

/** Components nest, and some contain themselves. */
const MAX_DEPTH = 5;

interface Populated {
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** Everything an entry consists of: its components as a whole, relations and media once. */
const deepPopulate = (model: ContentModel, { attributes }: Populated, depth = 0): Populate => {
  const ofComponent = (uid: Uid): unknown => {
    const component = model.componentsByUid[uid];
    if (component === undefined || depth === MAX_DEPTH) return true;
    return { populate: deepPopulate(model, component, depth + 1) };
  };
  const entries = Object.values(attributes).flatMap((attribute) => {
    if (attribute.private || attribute.family === 'scalar') return [];
    const { name } = attribute;
    if (attribute.family === 'component') return [[name, ofComponent(attribute.component)] as const];
    if (attribute.family === 'dynamiczone')
      return [
        [
          name,
          { on: Object.fromEntries(attribute.components.map((uid) => [uid, ofComponent(uid)])) },
        ] as const,
      ];
    return attribute.family === 'relation' && attribute.target === null ? [] : [[name, true] as const];
  });
  return Object.fromEntries(entries);
};

interface EventDependencies {
  readonly model: ContentModel;
  readonly documents: ProjectDocuments;
  readonly hub: Pick<EventHub, 'emit'>;
  readonly onError: (error: unknown) => void;
}

const payloadOf = (type: Uid, entry: unknown): Readonly<Record<string, unknown>> =>
  type === FILE_UID ? { media: entry } : { model: lastSegment(type), uid: type, entry };

const nameOf = ({ action, type }: DocumentEvent): string =>
  type === FILE_UID ? `media.${action}` : EVENTS[action];

/** What is told of the types that everybody knows: files as media, and nothing of users and their roles. */
const isTold = (type: Uid): boolean => type === FILE_UID || !type.startsWith('plugin::users-permissions.');

/**
 * Announces writes of documents as Strapi does. What a deletion or the end of a publication takes away is
 * read before.
 */
export function announceWrites({ model, documents, hub, onError }: EventDependencies): void {
  const types = Object.keys(model.typesByUid).filter(isTold);
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
    if (entry !== null) await hub.emit(nameOf(event), payloadOf(event.type, entry));
  };
  /** A draft that is written to be published at once is announced as both. */
  const announce = async (event: DocumentEvent): Promise<void> => {
    const isPublication = event.action === 'publish';
    await emit(event, await read(event, isPublication ? 'published' : 'draft'));
    const isPublished = event.status === 'published' && model.typesByUid[event.type]?.draftAndPublish;
    if (!isPublication && isPublished === true) await announce({ ...event, action: 'publish' });
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
