import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { SqlExpressions } from '../../../database/dialect/sql-expressions.js';
import { getOrCreate } from '../../../lib/memoize.js';
import type { ContentType, Uid } from '../../../model/model.js';
import type { LinkRef } from '../../validation/input.js';
import { combineList, integerColumn, mapPrefetch, prefetchRows, textColumn } from '../../write/prefetch.js';
import type { Prefetch, PrefetchRow } from '../../write/prefetch.js';

type Ref = Pick<LinkRef, 'documentId' | 'id'>;

/** A document that a write links, or names as a position. `locale` is the one it has to exist in. */
export interface TargetRequest {
  readonly type: ContentType;
  readonly ref: LinkRef;
  readonly locale: string;
}

const VERSION_COLUMNS = {
  id: integerColumn(sql`id`),
  documentId: textColumn(sql`document_id`),
  locale: textColumn(sql`locale`),
  status: textColumn(sql`status`),
};

/** A stored version of such a document. */
type TargetVersion = PrefetchRow<typeof VERSION_COLUMNS>;

/** The documents that a write's links name. */
export interface TargetLookup {
  /** Returns the id of the named document, in any locale. Null: missing or hidden. */
  readonly find: (type: Uid, ref: LinkRef) => string | null;
  /** Returns the document's versions in a locale. Empty: it does not exist in that locale. */
  readonly versions: (type: Uid, documentId: string, locale: string) => readonly TargetVersion[];
  readonly isHidden: (type: Uid, ref: LinkRef) => boolean;
  /** Returns a lookup in which those documents seem to be missing. */
  readonly hide: (hidden: ReadonlyMap<Uid, ReadonlySet<string>>) => TargetLookup;
}

/** Condition that a column contains one of the documents, named by document id or by a version's `id`. */
export function matchesAnyRef(
  expressions: SqlExpressions,
  type: ContentType,
  column: RawBuilder<unknown>,
  refs: readonly Ref[],
): RawBuilder<unknown> {
  const documentIds = refs.flatMap(({ documentId }) => (documentId === null ? [] : [documentId]));
  const ids = refs.flatMap(({ id }) => (id === null ? [] : [id]));
  const byDocumentId = expressions.inList(column, 'text', expressions.encodeList('text', documentIds));
  if (ids.length === 0) return byDocumentId;
  const versions = sql.id(type.storage.version.table);
  const byVersionId = expressions.inList(sql`id`, 'integer', expressions.encodeList('integer', ids));
  return sql`(${byDocumentId} or ${column} in (select document_id from ${versions} where ${byVersionId}))`;
}

/** The documents of one type that are looked up, without duplicates. */
interface TypeRequest {
  readonly type: ContentType;
  readonly documentIds: Set<string>;
  readonly ids: Set<number>;
  readonly locales: Set<string>;
}

const groupByType = (requests: readonly TargetRequest[]): readonly TypeRequest[] => {
  const byType = new Map<Uid, TypeRequest>();
  for (const { type, ref, locale } of requests) {
    const { documentIds, ids, locales } = getOrCreate(byType, type.uid, (): TypeRequest => ({
      type,
      documentIds: new Set(),
      ids: new Set(),
      locales: new Set(),
    }));
    if (ref.documentId !== null) documentIds.add(ref.documentId);
    if (ref.id !== null) ids.add(ref.id);
    locales.add(locale);
  }
  return [...byType.values()];
};

interface FoundTargets {
  readonly documentIdByVersionId: ReadonlyMap<number, string>;
  readonly versionsByDocumentId: ReadonlyMap<string, readonly TargetVersion[]>;
}

const groupByDocument = (
  versions: readonly TargetVersion[],
): ReadonlyMap<string, readonly TargetVersion[]> => {
  const byDocument = new Map<string, TargetVersion[]>();
  for (const version of versions) getOrCreate(byDocument, version.documentId, () => []).push(version);
  return byDocument;
};

const prefetchType = (
  expressions: SqlExpressions,
  { type, documentIds, ids, locales }: TypeRequest,
): Prefetch<readonly [Uid, FoundTargets]> => {
  const refs: readonly Ref[] = [
    ...[...documentIds].map((documentId) => ({ documentId, id: null })),
    ...[...ids].map((id) => ({ documentId: null, id })),
  ];
  const inLocale = expressions.inList(sql`locale`, 'text', expressions.encodeList('text', [...locales]));
  const byId = expressions.inList(sql`id`, 'integer', expressions.encodeList('integer', [...ids]));
  const isRequested = ids.size === 0 ? inLocale : sql`(${inLocale} or ${byId})`;
  const isNamed = matchesAnyRef(expressions, type, sql`document_id`, refs);
  const rows = prefetchRows(
    VERSION_COLUMNS,
    sql`${sql.id(type.storage.version.table)} where ${isNamed} and ${isRequested}`,
  );
  return mapPrefetch(rows, (versions): readonly [Uid, FoundTargets] => [
    type.uid,
    {
      documentIdByVersionId: new Map(versions.map(({ id, documentId }) => [id, documentId])),
      versionsByDocumentId: groupByDocument(versions),
    },
  ]);
};

/** Returns the id of the named document, hidden or not. Null: there is no such document. */
const findDocumentId = (
  loadedTargets: FoundTargets | undefined,
  { documentId, id }: LinkRef,
): string | null => {
  if (id !== null) return loadedTargets?.documentIdByVersionId.get(id) ?? null;
  return documentId !== null && loadedTargets?.versionsByDocumentId.has(documentId) === true
    ? documentId
    : null;
};

const createTargetLookup = (
  targets: ReadonlyMap<Uid, FoundTargets>,
  hidden: ReadonlyMap<Uid, ReadonlySet<string>>,
): TargetLookup => {
  const isHidden: TargetLookup['isHidden'] = (uid, ref) => {
    const documentId = findDocumentId(targets.get(uid), ref);
    return documentId !== null && hidden.get(uid)?.has(documentId) === true;
  };
  return {
    find: (uid, ref) => (isHidden(uid, ref) ? null : findDocumentId(targets.get(uid), ref)),
    versions: (uid, documentId, locale) =>
      (targets.get(uid)?.versionsByDocumentId.get(documentId) ?? []).filter(
        (version) => version.locale === locale,
      ),
    isHidden,
    hide: (newlyHidden) => createTargetLookup(targets, new Map([...hidden, ...newlyHidden])),
  };
};

/** Loads the documents that a write's links name. */
export function prefetchTargets(
  expressions: SqlExpressions,
  requests: readonly TargetRequest[],
): Prefetch<TargetLookup> {
  const found = combineList(groupByType(requests).map((request) => prefetchType(expressions, request)));
  return mapPrefetch(found, (targets) => createTargetLookup(new Map(targets), new Map()));
}
