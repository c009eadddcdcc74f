import type { ClassifiedItem, Deletion, DocumentChange, NewDocument } from './classify-items.js';

/** Larger waves save little more, and each step of one holds the event loop longer. */
const WAVE_SIZE = 100;

/** Successive items that are written together, none of which changes what another one sees. */
export type Wave =
  | { readonly kind: 'create'; readonly documents: readonly NewDocument[] }
  | { readonly kind: 'delete'; readonly deletions: readonly Deletion[] }
  | { readonly kind: 'change'; readonly changes: readonly DocumentChange[] }
  | { readonly kind: 'single' };

export interface PlannedWave {
  readonly wave: Wave;
  readonly items: readonly ClassifiedItem[];
}

const typeOfItem = ({ item }: ClassifiedItem): string => item.params.type;

const localeOfItem = (item: ClassifiedItem): string | null => {
  if (item.kind === 'delete') return item.deletion.locale;
  return item.kind === 'change' ? item.change.locale : null;
};

const documentIdOf = ({ item }: ClassifiedItem): string | null =>
  item.action === 'create' ? null : item.params.documentId;

const fits = (wave: readonly ClassifiedItem[], next: ClassifiedItem): boolean => {
  const [first] = wave;
  return (
    first !== undefined &&
    wave.length < WAVE_SIZE &&
    first.kind === next.kind &&
    (next.kind !== 'change' || first.item.action === next.item.action) &&
    typeOfItem(first) === typeOfItem(next) &&
    localeOfItem(first) === localeOfItem(next) &&
    (next.kind === 'create' || wave.every((item) => documentIdOf(item) !== documentIdOf(next)))
  );
};

const toWave = (items: readonly ClassifiedItem[]): PlannedWave => {
  const documents = items.flatMap((item) => (item.kind === 'create' ? [item.document] : []));
  const deletions = items.flatMap((item) => (item.kind === 'delete' ? [item.deletion] : []));
  const changes = items.flatMap((item) => (item.kind === 'change' ? [item.change] : []));
  if (items.length > 1 && changes.length === items.length)
    return { items, wave: { kind: 'change', changes } };
  if (items.length > 1 && documents.length === items.length)
    return { items, wave: { kind: 'create', documents } };
  if (items.length > 1 && deletions.length === items.length)
    return { items, wave: { kind: 'delete', deletions } };
  return { items, wave: { kind: 'single' } };
};

/** What is returned of documents that are written together is read at the end, unlike what changes again. */
const withoutRepeated = (items: readonly ClassifiedItem[]): readonly ClassifiedItem[] => {
  const counts = new Map<string | null, number>();
  for (const item of items) counts.set(documentIdOf(item), (counts.get(documentIdOf(item)) ?? 0) + 1);
  return items.map((each) =>
    each.kind === 'change' && counts.get(documentIdOf(each)) !== 1
      ? { kind: 'single', item: each.item }
      : each,
  );
};

/** Groups the items, in their order. Those that cannot be written together are grouped, too. */
export function planWaves(classified: readonly ClassifiedItem[]): readonly PlannedWave[] {
  const items = withoutRepeated(classified);
  const groups: ClassifiedItem[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last !== undefined && fits(last, item)) last.push(item);
    else groups.push([item]);
  }
  return groups.map(toWave);
}
