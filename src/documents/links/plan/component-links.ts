import { storedTarget } from '../../../model/component-target.js';
import { typeOf } from '../../../model/lookup.js';
import { invalidValue } from '../../../validation/issues.js';
import type { ComponentLink, LinkRef } from '../../../validation/input.js';
import type { WriteContext } from '../../write-context.js';
import { applyListOperation, applyToOne } from './ordering.js';
import type { ListOperation, Placement } from './ordering.js';
import { relatedLocale } from '../relation-mapping.js';
import { allRefs, connectOnce, findTarget, missingReference } from '../targets/resolve-links.js';
import type { TargetLookup, TargetRequest } from '../targets/target-lookup.js';

const targetLocale = ({ model, locale, locales }: WriteContext, ref: LinkRef): string =>
  relatedLocale(typeOf(model, ref.type), locale, ref.locale ?? locales.defaultCode());

/** Returns the documents that links inside components name. */
export function componentTargetRequests(
  context: WriteContext,
  links: readonly ComponentLink[],
): readonly TargetRequest[] {
  return links.flatMap(({ operation }) =>
    allRefs(operation).map((ref) => ({
      type: typeOf(context.model, ref.type),
      ref,
      locale: targetLocale(context, ref),
    })),
  );
}

/** Returns the operation with targets as they are stored in place of references. */
const resolveComponentOperation = (
  context: WriteContext,
  { attribute, operation, path }: ComponentLink,
  lookup: TargetLookup,
): ListOperation => {
  const stored = ({ type }: LinkRef, documentId: string): string =>
    storedTarget(attribute, { type, documentId });
  const find = (ref: LinkRef): string =>
    stored(ref, findTarget(lookup, ref, targetLocale(context, ref), path));
  const unverifiedId = (ref: LinkRef): string | null => {
    const documentId = ref.documentId ?? lookup.find(ref.type, ref);
    return documentId === null ? null : stored(ref, documentId);
  };
  const positionId = (ref: LinkRef): string | null =>
    lookup.isHidden(ref.type, ref) ? null : unverifiedId(ref);
  if (operation.kind === 'set') return { kind: 'set', targets: operation.targets.map(find) };
  const placements = operation.connect.map(({ ref, position }): Placement => ({
    key: find(ref),
    position: 'ref' in position ? { at: position.at, reference: positionId(position.ref) } : position,
  }));
  return {
    kind: 'change',
    connect: connectOnce(placements, path),
    disconnect: operation.disconnect.flatMap((ref) => unverifiedId(ref) ?? []),
  };
};

/**
 * Puts the documents that components link into their items.
 *
 * @throws `request/invalid-relation` for a target that does not exist, `request/invalid-values` for a
 *   required link that is left empty
 */
export function fillComponentLinks(
  context: WriteContext,
  links: readonly ComponentLink[],
  lookup: TargetLookup,
): void {
  for (const link of links) {
    const { attribute, current, isRequired, item, path } = link;
    const operation = resolveComponentOperation(context, link, lookup);
    const onMissing = (): never => {
      throw missingReference(path);
    };
    const targets = attribute.many
      ? applyListOperation(current, operation, onMissing)
      : applyToOne(current, operation);
    const [first] = targets;
    if (first === undefined && !attribute.many && isRequired) throw invalidValue(path, 'must be set');
    item[attribute.name] = attribute.many ? [...targets] : (first ?? null);
  }
}
