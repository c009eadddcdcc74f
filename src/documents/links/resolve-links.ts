import { fail } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { NO_LOCALE } from '../../model/model.js';
import type { Connection, LinkOperation, LinkRef } from '../../validation/input.js';
import type { WriteScope } from '../write-scope.js';
import type { LinkEntry } from './link-entry.js';
import { peerKey } from './link-entry.js';
import { peerLocale, peerType } from './link-view.js';
import type { LinkView } from './link-view.js';
import type { ListOperation, ListPosition } from './ordering.js';
import type { TargetBook } from './target-book.js';

/** The locale a reference means: where its target has to exist. */
export function localeOf(scope: WriteScope, view: LinkView, ref: LinkRef): string {
  return peerLocale(peerType(view, ref.type), scope.locale, ref.locale ?? scope.context.locales.defaultCode());
}

/** An owner's list tells locales apart only where its links do; an inverse side's is one of version rows. */
const keyLocale = (view: LinkView, locale: string): string => (view.attribute.side === 'owner' && view.locales !== 'link' ? NO_LOCALE : locale);

/** What the entry is called in the list of the side that is written. */
export function entryKey(view: LinkView, entry: LinkEntry): string {
  if (view.attribute.side === 'inverse') return peerKey(view.owner.uid, entry.sourceDocumentId, entry.sourceLocale);
  return peerKey(entry.targetType, entry.targetDocumentId, keyLocale(view, entry.targetLocale ?? NO_LOCALE));
}

/** All documents an operation names, positions included. */
export function namedRefs(operation: LinkOperation): readonly LinkRef[] {
  if (operation.kind === 'set') return operation.targets;
  return [...shownRefs(operation), ...operation.disconnect];
}

/** The documents that an operation links. */
export function linkedRefs(operation: LinkOperation): readonly LinkRef[] {
  return operation.kind === 'set' ? operation.targets : operation.connect.map(({ ref }) => ref);
}

/** The documents whose refusal would tell that they are there, or are linked: those an operation links, and those it puts them beside. */
export function shownRefs(operation: LinkOperation): readonly LinkRef[] {
  const references = operation.kind === 'set' ? [] : operation.connect.flatMap(({ position }) => ('ref' in position ? [position.ref] : []));
  return [...linkedRefs(operation), ...references];
}

const refuse = (path: readonly string[], reason: string): GalleyError => fail('request/invalid-relation', { attribute: path.join('.'), reason });

const printRef = ({ documentId, id }: LinkRef): string => (documentId === null ? `id ${id}` : `documentId ${documentId}`);

/** The document a reference names, in the locale it has to exist in. Throws `request/invalid-relation`. */
export function findTarget(book: TargetBook, ref: LinkRef, locale: string, path: readonly string[]): string {
  const documentId = book.find(ref.type, ref);
  if (documentId !== null && book.versions(ref.type, documentId, locale).length > 0) return documentId;
  throw refuse(path, `there is no ${ref.type} with ${printRef(ref)}${locale === NO_LOCALE ? '' : ` in the locale ${locale}`}.`);
}

interface Resolver {
  readonly scope: WriteScope;
  readonly view: LinkView;
  readonly book: TargetBook;
}

const keyOf = ({ scope, view, book }: Resolver, ref: LinkRef): string => {
  const locale = localeOf(scope, view, ref);
  return peerKey(ref.type, findTarget(book, ref, locale, [view.attribute.name]), keyLocale(view, locale));
};

/** The key of something that need not exist any more; null where a number says nothing. */
const looseKey = ({ scope, view, book }: Resolver, ref: LinkRef): string | null => {
  const documentId = ref.documentId ?? book.find(ref.type, ref);
  return documentId === null ? null : peerKey(ref.type, documentId, keyLocale(view, localeOf(scope, view, ref)));
};

const positionOf = (resolver: Resolver, { position }: Connection): ListPosition => {
  if (!('ref' in position)) return position;
  const { ref, at } = position;
  return { at, reference: (resolver.book.isHidden(ref.type, ref) ? null : looseKey(resolver, ref)) ?? '' };
};

/** The operation with every reference found. Throws `request/invalid-relation` for what is to be linked and does not exist. */
export function resolveOperation(resolver: Resolver, operation: LinkOperation): ListOperation {
  if (operation.kind === 'set') return { kind: 'set', targets: operation.targets.map((ref) => keyOf(resolver, ref)) };
  return {
    kind: 'change',
    connect: operation.connect.map((connection) => ({ key: keyOf(resolver, connection.ref), position: positionOf(resolver, connection) })),
    disconnect: operation.disconnect.flatMap((ref) => looseKey(resolver, ref) ?? []),
  };
}

/** The refusal of a position beside something that is not in the list. */
export function missingReference(path: readonly string[]): GalleyError {
  return refuse(path, 'a position refers to a document that is not linked.');
}
