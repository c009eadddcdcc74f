import { isDeepStrictEqual } from 'node:util';
import { createError } from '../../../errors/catalogue.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { NO_LOCALE } from '../../../model/model.js';
import type { Connection, LinkOperation, LinkRef } from '../../validation/input.js';
import type { WriteContext } from '../../write/write-context.js';
import { relatedDocumentKey } from '../link-entry.js';
import type { LinkEntry } from '../link-entry.js';
import type { ListOperation, ListPosition, Placement } from '../plan/ordering.js';
import { relatedLocale, relatedType } from '../relation-mapping.js';
import type { RelationMapping } from '../relation-mapping.js';
import type { TargetLookup } from './target-lookup.js';

/** Returns the locale in which the target of a reference has to exist. */
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

/** Returns the key of an entry in the list of the side that is written. */
export function entryKey(mapping: RelationMapping, entry: LinkEntry): string {
  if (mapping.attribute.side === 'inverse')
    return relatedDocumentKey(mapping.owner.uid, entry.sourceDocumentId, entry.sourceLocale);
  return relatedDocumentKey(
    entry.targetType,
    entry.targetDocumentId,
    keyLocale(mapping, entry.targetLocale ?? NO_LOCALE),
  );
}

/** Returns all documents that an operation names, including positions. */
export function allRefs(operation: LinkOperation): readonly LinkRef[] {
  if (operation.kind === 'set') return operation.targets;
  return [...linkedAndPositionRefs(operation), ...operation.disconnect];
}

/** Returns the documents that an operation links. */
export function linkedRefs(operation: LinkOperation): readonly LinkRef[] {
  return operation.kind === 'set' ? operation.targets : operation.connect.map(({ ref }) => ref);
}

/**
 * Returns the documents that an operation links or names as positions. Those are the documents whose
 * existence an error message could reveal.
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
 * Returns the id of the document a reference names, which has to exist in that locale.
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
 * Returns each item once.
 *
 * @throws `request/invalid-relation` if an item is to be connected in two different positions
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

/**
 * Returns the key of a document that may not exist any more. Null if the reference is an `id` that does not
 * exist.
 */
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

/** Creates the error for a position that names a document which is not in the list. */
export function missingReference(path: readonly string[]): GalleyError {
  return invalidRelation(path, 'a position refers to a document that is not linked.');
}
