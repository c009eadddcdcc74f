import { typeOf } from '../../query/read-context.js';
import { invalidValue } from '../../validation/faults.js';
import type { ComponentLink, LinkRef } from '../../validation/input.js';
import type { WriteScope } from '../write-scope.js';
import { peerLocale } from './link-view.js';
import { applyListOperation, applyToOne } from './ordering.js';
import type { ListOperation } from './ordering.js';
import { findTarget, missingReference, namedRefs } from './resolve-links.js';
import type { TargetBook } from './target-book.js';

const localeOf = (scope: WriteScope, ref: LinkRef): string =>
  peerLocale(typeOf(scope.context.model, ref.type), scope.locale, ref.locale ?? scope.context.locales.defaultCode());

/** Says which documents components name, so that they are asked for with the rest. */
export function wantComponentTargets(scope: WriteScope, links: readonly ComponentLink[], book: TargetBook): void {
  for (const { operation } of links) {
    for (const ref of namedRefs(operation)) book.want(typeOf(scope.context.model, ref.type), ref, localeOf(scope, ref));
  }
}

const resolve = (scope: WriteScope, { operation, path }: ComponentLink, book: TargetBook): ListOperation => {
  const find = (ref: LinkRef): string => findTarget(book, ref, localeOf(scope, ref), path);
  const loose = (ref: LinkRef): string | null => ref.documentId ?? book.find(ref.type, ref);
  const beside = (ref: LinkRef): string => (book.isHidden(ref.type, ref) ? null : loose(ref)) ?? '';
  if (operation.kind === 'set') return { kind: 'set', targets: operation.targets.map(find) };
  return {
    kind: 'change',
    connect: operation.connect.map(({ ref, position }) => ({ key: find(ref), position: 'ref' in position ? { at: position.at, reference: beside(position.ref) } : position })),
    disconnect: operation.disconnect.flatMap((ref) => loose(ref) ?? []),
  };
};

/**
 * Puts the document ids that components link into their items.
 * Throws `request/invalid-relation` for targets that do not exist, `request/invalid-values` for a required one that is left empty.
 */
export function fillComponentLinks(scope: WriteScope, links: readonly ComponentLink[], book: TargetBook): void {
  for (const link of links) {
    const { attribute, current, item, path } = link;
    const operation = resolve(scope, link, book);
    const onMissing = (): never => {
      throw missingReference(path);
    };
    const targets = attribute.many ? applyListOperation(current, operation, onMissing) : applyToOne(current, operation);
    const [first] = targets;
    if (first === undefined && !attribute.many && attribute.required && scope.publish) throw invalidValue(path, 'must be set');
    item[attribute.name] = attribute.many ? [...targets] : (first ?? null);
  }
}
