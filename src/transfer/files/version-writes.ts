import type { ContentWrite } from '../store/content-store.js';
import type { Unit } from './unit.js';
import { changedValues } from './version-data.js';
import type { Data } from './version-data.js';

const isEmpty = (data: Data): boolean => Object.keys(data).length === 0;

/** State of a document in a locale in the database, between planned writes. Null: not in the database yet. */
interface State {
  readonly draft: Data | null;
  readonly published: Data | null;
}

/** Returns the writes that make the database say what a file says. They name only values that change. */
export function planVersionWrites(
  unit: Omit<Unit, 'current'> & { readonly current: State | null },
): readonly ContentWrite[] {
  const { file, locale, draft, published, current } = unit;
  const writes: ContentWrite[] = [];
  let known: Data | null = current?.draft ?? null;
  const common = { documentId: file.documentId, ...(locale === null ? {} : { locale }) };
  const save = (values: Data, status: 'draft' | 'published', mustWrite: boolean): void => {
    const data = changedValues(known ?? {}, values);
    if (isEmpty(data) && !mustWrite && known !== null) return;
    const action = known === null && unit.isNewDocument ? 'create' : 'update';
    if (known !== null && isEmpty(data)) writes.push({ action: 'publish', ...common });
    else writes.push({ action, ...common, data, status });
    known = { ...known, ...values };
  };
  if (!file.type.draftAndPublish) {
    save(draft, 'published', false);
    return writes;
  }
  const live = current?.published ?? null;
  if (published === null && live !== null) writes.push({ action: 'unpublish', ...common });
  if (published !== null) {
    const isLiveChanged = live === null || !isEmpty(changedValues(live, published));
    if (isLiveChanged || published === draft) save(published, 'published', isLiveChanged);
  }
  if (published !== draft) save(draft, 'draft', false);
  return writes;
}
