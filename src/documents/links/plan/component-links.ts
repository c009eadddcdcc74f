import { defined } from '../../../lib/defined.js';
import type { JsonValue } from '../../../lib/stored-value.js';
import { storedTarget } from '../../../model/component-target.js';
import { typeOf } from '../../../model/lookup.js';
import { invalidValue } from '../../validation/issues.js';
import type { ComponentLink, LinkRef, ParsedInput } from '../../validation/input.js';
import type { WriteContext } from '../../write/write-context.js';
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

/** Returns a component value in which the member at a path has another value. */
const withMember = (value: JsonValue | undefined, path: readonly string[], member: JsonValue): JsonValue => {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  if (Array.isArray(value)) return value.with(Number(name), withMember(value[Number(name)], rest, member));
  const item = (value ?? {}) as Readonly<Record<string, JsonValue>>;
  return { ...item, [name]: withMember(item[name], rest, member) };
};

const linkedValue = (context: WriteContext, link: ComponentLink, lookup: TargetLookup): JsonValue => {
  const { attribute, current, isRequired, path } = link;
  const operation = resolveComponentOperation(context, link, lookup);
  const onMissing = (): never => {
    throw missingReference(path);
  };
  const targets = attribute.many
    ? applyListOperation(current, operation, onMissing)
    : applyToOne(current, operation);
  const [first] = targets;
  if (first === undefined && !attribute.many && isRequired) throw invalidValue(path, 'must be set');
  return attribute.many ? [...targets] : (first ?? null);
};

/**
 * Returns the values of components with the documents that they link.
 *
 * @throws `request/invalid-relation` for a target that does not exist, `request/invalid-values` for a
 *   required link that is left empty
 */
export function withComponentLinks(
  context: WriteContext,
  { components, componentLinks }: ParsedInput,
  lookup: TargetLookup,
): ParsedInput['components'] {
  if (componentLinks.length === 0) return components;
  const linked = new Map(components);
  for (const link of componentLinks) {
    const [name, ...path] = link.path;
    const attribute = defined(name, 'The attribute of a component');
    const value = linkedValue(context, link, lookup);
    linked.set(attribute, withMember(linked.get(attribute), path, value));
  }
  return linked;
}
