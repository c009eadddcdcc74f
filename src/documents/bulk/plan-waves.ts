import type { ClassifiedItem, Deletion, NewDocument } from './classify-items.js';

/** Larger waves save little more, and hold the event loop longer. */
const WAVE_SIZE = 50;

/** Successive items that are written together, none of which changes what another one sees. */
export type Wave =
  | { readonly kind: 'create'; readonly documents: readonly NewDocument[] }
  | { readonly kind: 'delete'; readonly deletions: readonly Deletion[] }
  | { readonly kind: 'single' };

export interface PlannedWave {
  readonly wave: Wave;
  readonly items: readonly ClassifiedItem[];
}

const typeOfItem = ({ item }: ClassifiedItem): string => item.params.type;

const localeOfItem = (item: ClassifiedItem): string | null =>
  item.kind === 'delete' ? item.deletion.locale : null;

const documentIdOf = ({ item }: ClassifiedItem): string | null =>
  item.action === 'create' ? null : item.params.documentId;

const fits = (wave: readonly ClassifiedItem[], next: ClassifiedItem): boolean => {
  const [first] = wave;
  return (
    first !== undefined &&
    wave.length < WAVE_SIZE &&
    first.kind === next.kind &&
    typeOfItem(first) === typeOfItem(next) &&
    localeOfItem(first) === localeOfItem(next) &&
    (next.kind === 'create' || wave.every((item) => documentIdOf(item) !== documentIdOf(next)))
  );
};

const toWave = (items: readonly ClassifiedItem[]): PlannedWave => {
  const documents = items.flatMap((item) => (item.kind === 'create' ? [item.document] : []));
  const deletions = items.flatMap((item) => (item.kind === 'delete' ? [item.deletion] : []));
  if (items.length > 1 && documents.length === items.length)
    return { items, wave: { kind: 'create', documents } };
  if (items.length > 1 && deletions.length === items.length)
    return { items, wave: { kind: 'delete', deletions } };
  return { items, wave: { kind: 'single' } };
};

/** Groups the items, in their order. Those that cannot be written together are grouped, too. */
export function planWaves(items: readonly ClassifiedItem[]): readonly PlannedWave[] {
  const groups: ClassifiedItem[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last !== undefined && fits(last, item)) last.push(item);
    else groups.push([item]);
  }
  return groups.map(toWave);
}
