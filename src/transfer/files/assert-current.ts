import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { getOrCreate } from '../../lib/collections.js';
import { isRecord } from '../../lib/records.js';
import type { Attribute, VersionStatus } from '../../model/model.js';
import { populateAll } from '../../query/parse/server-queries.js';
import type { ContentStore, ContentWrite } from '../store/content-store.js';
import { canonicalText, normalizeData } from './version-data.js';
import type { PlannedUnit } from './plan.js';
import type { StoredContent } from './stored-content.js';
import type { Data } from './version-data.js';

/** Values of documents that a push has written, by documentId. Other locales may have got shared ones. */
export type WrittenValues = Map<string, Data[]>;

/** A stored version, and its `updatedAt`. */
interface ReadVersion {
  readonly data: Data;
  readonly updatedAt: string;
}

const readVersion = async (
  { model, find }: ContentStore,
  { type, documentId, locale }: StoredContent,
  status: VersionStatus,
): Promise<ReadVersion | null> => {
  const [document] = await find(type.uid, {
    filters: { documentId },
    populate: populateAll(model, type),
    ...(type.draftAndPublish ? { status } : {}),
    ...(locale === null ? {} : { locale }),
  });
  return isRecord(document)
    ? { data: normalizeData(model, type, document), updatedAt: String(document['updatedAt']) }
    : null;
};

/** True if writes of other documents change the attribute, since only one document may link another one. */
const isExclusive = (attribute: Attribute | undefined): boolean =>
  attribute?.family === 'relation' &&
  (attribute.relation === 'oneToOne' || attribute.relation === 'oneToMany');

const isPlain = (attribute: Attribute | undefined): boolean =>
  attribute?.family === 'scalar' || attribute?.family === 'media';

interface Expectation {
  /** The content that the plan was computed from. */
  readonly content: StoredContent;
  /** The attributes that are about to change. Undefined: all. */
  readonly names: readonly string[] | undefined;
  readonly written: readonly Data[];
}

/** Returns the `updatedAt` of a document that is as expected; null if it has changed. */
const findCurrent = async (
  store: ContentStore,
  { content, names, written }: Expectation,
): Promise<string | null> => {
  const { type, draft, published } = content;
  const isSame = (before: Data, after: Data, name: string): boolean =>
    [before, ...(type.attributes[name]?.localized === true ? [] : written)].some(
      (data) => canonicalText(data[name] ?? null) === canonicalText(after[name] ?? null),
    );
  const stored = await readVersion(store, content, 'draft');
  if (stored === null) return null;
  const { data, updatedAt } = stored;
  const checked = (names ?? Object.keys(draft)).filter(
    (name) => Object.hasOwn(data, name) && !isExclusive(type.attributes[name]),
  );
  if (!checked.every((name) => isSame(draft, data, name))) return null;
  if (!type.draftAndPublish) return updatedAt;
  const live = await readVersion(store, content, 'published');
  if (live === null || published === null) return live === null && published === null ? updatedAt : null;
  // Published versions hide links to drafts, so that links are compared in the draft only.
  const isSameLive = checked
    .filter((name) => isPlain(type.attributes[name]))
    .every((name) => isSame(published, live.data, name));
  return isSameLive ? updatedAt : null;
};

const namesOf = (writes: readonly ContentWrite[]): readonly string[] | undefined =>
  writes.every(({ data }) => data !== undefined)
    ? writes.flatMap(({ data = {} }) => Object.keys(data))
    : undefined;

/** Returns the error for a document that another writer has changed since the plan. */
export function changedDuringPush(
  { type, documentId }: Pick<StoredContent, 'type' | 'documentId'>,
  location: string,
): GalleyError {
  return createError('content/changed-during-push', { location, type: type.singularName, documentId });
}

/**
 * Asserts that a document is still as the plan has seen it, as far as the writes affect it. Locks the
 * document until the transaction ends, if the store can.
 *
 * @param location the file, for the message
 * @returns the document's `updatedAt`, which the first write requires if the store cannot lock
 * @throws `content/changed-during-push`
 */
export async function assertCurrent(
  store: ContentStore,
  content: StoredContent,
  options: {
    readonly writes: readonly ContentWrite[];
    readonly written: WrittenValues;
    readonly location: string;
  },
): Promise<string> {
  const { type, documentId } = content;
  await store.lock?.(type.uid, documentId);
  const written = options.written.get(documentId) ?? [];
  const updatedAt = await findCurrent(store, { content, names: namesOf(options.writes), written });
  if (updatedAt === null) throw changedDuringPush(content, options.location);
  return updatedAt;
}

/** Records the values of a written document in one locale, for its further locales. */
export function recordWritten(
  written: WrittenValues,
  { file, draft, published, current }: Pick<PlannedUnit, 'file' | 'draft' | 'published' | 'current'>,
): void {
  const versions = [draft, published, current?.draft, current?.published];
  getOrCreate(written, file.documentId, () => []).push(
    ...versions.filter((data) => data !== null && data !== undefined),
  );
}
