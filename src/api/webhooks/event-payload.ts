import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { DocumentEvent, WriteAction } from '../../documents/hooks.js';
import { lastSegment } from '../../lib/uid.js';
import type { Attribute, ContentModel, Uid } from '../../model/model.js';

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

/**
 * Returns what populates everything an entry consists of: its components as a whole, relations and media
 * once.
 */
export function deepPopulate(model: ContentModel, { attributes }: Populated, depth = 0): Populate {
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
}

/** Returns what an event says beside its name. */
export function payloadOf(type: Uid, entry: unknown): Readonly<Record<string, unknown>> {
  return type === FILE_UID ? { media: entry } : { model: lastSegment(type), uid: type, entry };
}

/** Returns the name of an event as Strapi has it. */
export function eventName({ action, type }: Pick<DocumentEvent, 'action' | 'type'>): string {
  return type === FILE_UID ? `media.${action}` : EVENTS[action];
}

/** Returns the types that everybody is told of: files as media, and nothing of users and their roles. */
export function toldTypes(model: ContentModel): readonly Uid[] {
  return Object.keys(model.typesByUid).filter(
    (type) => type === FILE_UID || !type.startsWith('plugin::users-permissions.'),
  );
}

/** Returns what a write is told as. A draft that is written to be published at once is told as both. */
export function toldActions(
  model: ContentModel,
  { action, type, status }: DocumentEvent,
): readonly WriteAction[] {
  const isPublished =
    (action === 'create' || action === 'update') &&
    status === 'published' &&
    model.typesByUid[type]?.draftAndPublish === true;
  return isPublished ? [action, 'publish'] : [action];
}
