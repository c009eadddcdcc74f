import { isRecord } from '../../lib/is-record.js';
import type { JsonValue } from '../../lib/stored-value.js';
import type { Path } from './issues.js';
import type { ParseState } from './parse-state.js';
import { parsePositiveId } from './positive-id.js';

/** A component as it is stored or sent: an object. */
export type StoredItem = Readonly<Record<string, JsonValue>>;

export const isItem = (value: unknown): value is StoredItem => isRecord(value);

/** Returns what errors show of a value. Objects may hold values that clients must not see. */
export const shownScalar = (value: unknown): unknown =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null
    ? value
    : undefined;

export const ownProperty = (item: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(item, name) ? item[name] : undefined;

/** Returns the id by which a client names a component. Null: none was sent. Undefined: it is invalid. */
const parseId = (state: ParseState, sent: StoredItem, path: Path): number | null | undefined => {
  const sentId = ownProperty(sent, 'id');
  if (sentId === undefined || sentId === null) return null;
  const id = parsePositiveId(sentId);
  if (id !== null) return id;
  state.issues.add([...path, 'id'], 'must be a positive integer', shownScalar(sentId));
  return undefined;
};

/** The stored components that a value may update, each at most once. */
export interface ReusableItems {
  readonly take: (id: number) => StoredItem | 'taken' | undefined;
}

export const createReusableItems = (stored: readonly StoredItem[]): ReusableItems => {
  const byId = new Map<unknown, StoredItem | 'taken'>(stored.map((item) => [ownProperty(item, 'id'), item]));
  return {
    take: (id) => {
      const item = byId.get(id);
      if (item !== undefined) byId.set(id, 'taken');
      return item;
    },
  };
};

/** Returns the stored component to update. Null: a new component. Undefined: the id is invalid. */
export const findStoredItem = (
  state: ParseState,
  sent: StoredItem,
  location: { readonly reusableItems: ReusableItems; readonly path: Path; readonly uid: string },
): StoredItem | null | undefined => {
  const id = parseId(state, sent, location.path);
  if (id === undefined || id === null) return id;
  const storedItem = location.reusableItems.take(id);
  if (storedItem === 'taken') {
    state.issues.add([...location.path, 'id'], 'must not be given twice', id);
    return undefined;
  }
  const componentUid =
    storedItem === undefined ? undefined : (ownProperty(storedItem, '__component') ?? location.uid);
  if (storedItem !== undefined && componentUid === location.uid) return storedItem;
  // A new document may be a copy of another one, and a new locale a copy of another locale. Their components
  // get new ids.
  if (state.context.isNew || state.context.isKnownComponent(id)) return null;
  state.issues.add([...location.path, 'id'], 'is not a component of this document', id);
  return undefined;
};
