import { isStorableText } from '../../model/fields/text-value.js';
import { typeOf } from '../../model/lookup.js';
import type { DocumentContext } from '../document-context.js';
import type { BulkItem } from '../documents.js';
import { prepareWrite } from '../write/prepare-write.js';
import type { PreparedWrite } from '../write/document-write.js';
import { inTurns } from '../write/document-write.js';
import { requiredAction } from './parse-items.js';

/** Larger batches save little more, and each step of one holds the event loop longer. */
const BATCH_SIZE = 100;

/** Successive items of a bulk. */
export interface Batch {
  readonly items: readonly BulkItem[];
  /** One for each item, if they can be written together. Empty: each item is an operation of its own. */
  readonly writes: readonly PreparedWrite[];
}

/** An item, and its write if others can be written together with it. */
interface PlannedItem {
  readonly item: BulkItem;
  readonly write: PreparedWrite | null;
}

/**
 * True if no step between those of a write depends on the order of the items: no project code, no condition
 * that documents are checked against, and none of the rules of built-in types.
 */
const isPlain = ({ hooks, model }: DocumentContext, { action, params }: BulkItem): boolean => {
  const type = typeOf(model, params.type);
  return (
    type.origin === 'project' &&
    type.kind !== 'singleType' &&
    !hooks.isHooked(action, params.type) &&
    (params.access?.scopeOf?.(params.type, requiredAction(action))?.filter ?? null) === null
  );
};

/** True if the links that are sent change no other document than the lists that they are appended to. */
const hasPlainLinks = (context: DocumentContext, { type, input }: PreparedWrite): boolean =>
  context
    .relationsOf(type)
    .every(
      ({ attribute, link }) =>
        input.data[attribute.name] === undefined || (attribute.side === 'owner' && !link.exclusive),
    );

/** An item that is invalid becomes an operation of its own, which finds its error. */
const planItem = async (context: DocumentContext, item: BulkItem): Promise<PlannedItem> => {
  if (!isPlain(context, item)) return { item, write: null };
  const write = await prepareWrite(context, item).catch(() => null);
  const isTogether = write !== null && write.onSaved === undefined && isStorableText(write.documentId ?? '');
  return { item, write: isTogether && hasPlainLinks(context, write) ? write : null };
};

const fits = (batch: readonly PlannedItem[], next: PlannedItem): boolean => {
  const first = batch[0]?.write;
  if (first === undefined) return false;
  if (first === null || next.write === null) return first === next.write;
  const { action, type, locale, status, documentId } = next.write;
  return (
    batch.length < BATCH_SIZE &&
    first.action === action &&
    first.type === type &&
    first.locale === locale &&
    first.status === status &&
    (documentId === undefined || batch.every(({ write }) => write?.documentId !== documentId))
  );
};

/** Records of a batch are read at the end. Those of documents that change again are read at once. */
const withoutRepeated = (items: readonly PlannedItem[]): readonly PlannedItem[] => {
  const counts = new Map<string, number>();
  const idOf = ({ item: { action, params } }: PlannedItem): string =>
    action === 'create' ? '' : params.documentId;
  for (const item of items) counts.set(idOf(item), (counts.get(idOf(item)) ?? 0) + 1);
  return items.map((planned) => {
    const { action } = planned.item;
    const isRead = action !== 'create' && action !== 'delete';
    return isRead && counts.get(idOf(planned)) !== 1 ? { ...planned, write: null } : planned;
  });
};

/** Groups the items in their order. Those that cannot be written together are grouped, too. */
export async function planBatches(
  context: DocumentContext,
  items: readonly BulkItem[],
): Promise<readonly Batch[]> {
  const planned = withoutRepeated(await inTurns(items, (item) => planItem(context, item)));
  const groups: PlannedItem[][] = [];
  for (const item of planned) {
    const last = groups.at(-1);
    if (last !== undefined && fits(last, item)) last.push(item);
    else groups.push([item]);
  }
  return groups.map((group) => ({
    items: group.map(({ item }) => item),
    writes: group.flatMap(({ write }) => write ?? []),
  }));
}
