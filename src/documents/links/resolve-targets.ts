import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { getOrCreate, groupBy } from '../../lib/collections.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentType, Uid } from '../../model/model.js';
import type { Connection, LinkOperation, LinkRef } from '../validation/input.js';
import { combineList, integerColumn, mapPrefetch, prefetchRows, textColumn } from '../write/prefetch.js';
import type { Prefetch, PrefetchRow } from '../write/prefetch.js';
import type { WriteContext } from '../write/write-context.js';
import type { ListOperation, ListPosition, Placement } from './ordering.js';
import { relatedDocumentKey, relatedLocale, relatedType } from './relation-mapping.js';
import type { LinkEntry, RelationMapping } from './relation-mapping.js';

type Ref = Pick<LinkRef, 'documentId' | 'id'>;

/** A document that a write links, or uses as a position. It must exist in `locale`. */
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

/** A stored version of a target. */
type TargetVersion = PrefetchRow<typeof VERSION_COLUMNS>;

/** The documents that a write's links refer to. */
export interface TargetLookup {
  /** Returns the id of the referenced document, in any locale; null if it is missing or hidden. */
  readonly find: (type: Uid, ref: LinkRef) => string | null;
  /** Returns the document's versions in a locale; empty if it does not exist there. */
  readonly versions: (type: Uid, documentId: string, locale: string) => readonly TargetVersion[];
  readonly isHidden: (type: Uid, ref: LinkRef) => boolean;
  /** Returns a lookup without the hidden documents. */
  readonly hide: (hidden: ReadonlyMap<Uid, ReadonlySet<string>>) => TargetLookup;
}

/** Returns the condition that a column contains one of the documents, by document id or version `id`. */
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

/** The documents of one type to look up, without duplicates. */
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
  const isReferenced = matchesAnyRef(expressions, type, sql`document_id`, refs);
  const rows = prefetchRows(
    VERSION_COLUMNS,
    sql`${sql.id(type.storage.version.table)} where ${isReferenced} and ${isRequested}`,
  );
  return mapPrefetch(rows, (versions): readonly [Uid, FoundTargets] => [
    type.uid,
    {
      documentIdByVersionId: new Map(versions.map(({ id, documentId }) => [id, documentId])),
      versionsByDocumentId: groupBy(versions, ({ documentId }) => documentId),
    },
  ]);
};

/** Returns the id of the referenced document, even if it is hidden; null if it does not exist. */
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

/** Loads the documents that a write's links refer to. */
export function prefetchTargets(
  expressions: SqlExpressions,
  requests: readonly TargetRequest[],
): Prefetch<TargetLookup> {
  const found = combineList(groupByType(requests).map((request) => prefetchType(expressions, request)));
  return mapPrefetch(found, (targets) => createTargetLookup(new Map(targets), new Map()));
}

/** Returns the locale in which the target of a reference must exist. */
export function requiredLocale(
  { locale, locales }: WriteContext,
  mapping: RelationMapping,
  ref: LinkRef,
): string {
  return relatedLocale(relatedType(mapping, ref.type), locale, ref.locale ?? locales.defaultCode());
}

/**
 * Returns the locale as part of a list's keys. An owner's list distinguishes locales only if its links store
 * them. An inverse side's list contains versions of one locale each.
 */
const keyLocale = (mapping: RelationMapping, locale: string): string =>
  mapping.attribute.side === 'owner' && mapping.localeStoredIn !== 'link' ? NO_LOCALE : locale;

/** Returns the key of an entry in the list of the written side. */
export function entryKey(mapping: RelationMapping, entry: LinkEntry): string {
  if (mapping.attribute.side === 'inverse')
    return relatedDocumentKey(mapping.owner.uid, entry.sourceDocumentId, entry.sourceLocale);
  return relatedDocumentKey(
    entry.targetType,
    entry.targetDocumentId,
    keyLocale(mapping, entry.targetLocale ?? NO_LOCALE),
  );
}

/** Returns all documents that an operation refers to, including positions. */
export function allRefs(operation: LinkOperation): readonly LinkRef[] {
  if (operation.kind === 'set') return operation.targets;
  return [...linkedAndPositionRefs(operation), ...operation.disconnect];
}

/** Returns the documents that an operation links. */
export function linkedRefs(operation: LinkOperation): readonly LinkRef[] {
  return operation.kind === 'set' ? operation.targets : operation.connect.map(({ ref }) => ref);
}

/**
 * Returns the documents that an operation links or uses as positions. An error message could reveal that they
 * exist.
 */
export function linkedAndPositionRefs(operation: LinkOperation): readonly LinkRef[] {
  const references =
    operation.kind === 'set'
      ? []
      : operation.connect.flatMap(({ position }) => ('ref' in position ? [position.ref] : []));
  return [...linkedRefs(operation), ...references];
}

const invalidRelation = (path: readonly string[], reason: string): GalleyError =>
  createError('request/invalid-relation', { attribute: path.join('.'), reason });

const printRef = ({ documentId, id }: LinkRef): string =>
  documentId === null ? `id ${id}` : `documentId ${documentId}`;

/**
 * Returns the id of the referenced document, which must exist in the locale.
 *
 * @throws `request/invalid-relation`
 */
export function findTarget(
  lookup: TargetLookup,
  ref: LinkRef,
  locale: string,
  path: readonly string[],
): string {
  const documentId = lookup.find(ref.type, ref);
  if (documentId !== null && lookup.versions(ref.type, documentId, locale).length > 0) return documentId;
  const inLocale = locale === NO_LOCALE ? '' : ` in the locale ${locale}`;
  throw invalidRelation(path, `there is no ${ref.type} with ${printRef(ref)}${inLocale}.`);
}

/**
 * Returns the placements without duplicates.
 *
 * @throws `request/invalid-relation` if an item has two different positions
 */
export function connectOnce(placements: readonly Placement[], path: readonly string[]): readonly Placement[] {
  const byKey = new Map<string, Placement>();
  for (const placement of placements) {
    const first = byKey.get(placement.key);
    if (first === undefined) byKey.set(placement.key, placement);
    else if (!isDeepStrictEqual(first.position, placement.position))
      throw invalidRelation(path, 'a document is connected twice, in different positions.');
  }
  return [...byKey.values()];
}

interface Resolver {
  readonly context: WriteContext;
  readonly mapping: RelationMapping;
  readonly lookup: TargetLookup;
}

const targetKey = ({ context, mapping, lookup }: Resolver, ref: LinkRef): string => {
  const locale = requiredLocale(context, mapping, ref);
  const documentId = findTarget(lookup, ref, locale, [mapping.attribute.name]);
  return relatedDocumentKey(ref.type, documentId, keyLocale(mapping, locale));
};

/** Returns the key of a document that may no longer exist. Null if the reference is an unknown `id`. */
const unverifiedKey = ({ context, mapping, lookup }: Resolver, ref: LinkRef): string | null => {
  const documentId = ref.documentId ?? lookup.find(ref.type, ref);
  return documentId === null
    ? null
    : relatedDocumentKey(ref.type, documentId, keyLocale(mapping, requiredLocale(context, mapping, ref)));
};

const resolvePosition = (resolver: Resolver, { position }: Connection): ListPosition => {
  if (!('ref' in position)) return position;
  const { ref, at } = position;
  return {
    at,
    reference: resolver.lookup.isHidden(ref.type, ref) ? null : unverifiedKey(resolver, ref),
  };
};

/**
 * Returns the operation with keys in place of references.
 *
 * @throws `request/invalid-relation` if a document to link does not exist
 */
export function resolveOperation(resolver: Resolver, operation: LinkOperation): ListOperation {
  if (operation.kind === 'set')
    return { kind: 'set', targets: operation.targets.map((ref) => targetKey(resolver, ref)) };
  const placements = operation.connect.map((connection) => ({
    key: targetKey(resolver, connection.ref),
    position: resolvePosition(resolver, connection),
  }));
  return {
    kind: 'change',
    connect: connectOnce(placements, [resolver.mapping.attribute.name]),
    disconnect: operation.disconnect.flatMap((ref) => unverifiedKey(resolver, ref) ?? []),
  };
}

/** Creates the error for a position at a document that is not in the list. */
export function missingReference(path: readonly string[]): GalleyError {
  return invalidRelation(path, 'a position refers to a document that is not linked.');
}
