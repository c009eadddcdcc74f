import { isDeepStrictEqual } from 'node:util';
import { isUnique } from '../../../documents/validation/parse-scalar.js';
import { isRecord } from '../../../lib/records.js';
import type { Strictness } from '../../../model/fields/field-type.js';
import { componentOf } from '../../../model/lookup.js';
import type { Attribute, Component, ContentModel } from '../../../model/model.js';
import type { ImpactCounter } from '../../impact/data-impact.js';
import {
  countOf,
  invalidFormReason,
  invalidReason,
  isEmpty,
  isPresent,
  itemsOf,
  sampleOf,
  strictnessIn,
  tagOf,
} from './invalid-reason.js';
import type { StoredItem } from './invalid-reason.js';
import { hasReadableAttribute } from './rewrite-value.js';
import { COMPONENT_KEY, droppedComponents, isItemsAttribute, isRenamed } from './value-change.js';
import type {
  ItemChange,
  ItemsAttribute,
  ItemsChange,
  MemberChange,
  ScalarChange,
  ValueChange,
} from './value-change.js';

/** Remedy that keeps the values of an attribute that the migration would drop. */
const REMEDY_FOR_REMOVED = 'keep the attribute, or rename it with cms field rename';

/** `key` is the attribute as decisions name it: `shared.seo.title`. */
const remedyForConversion = (key: string): string => `--convert '${key}=…'`;

/** Returns the option that makes invalid values acceptable to the attribute, or null if there is none. */
function remedyForInvalid(key: string, { family, type }: Attribute, isMissing: boolean): string | null {
  if (isMissing) return family === 'scalar' && type !== 'password' ? `--set '${key}=…'` : null;
  if (family !== 'scalar') return null;
  return type === 'enumeration' ? `--map '${key}:old=new'` : `--convert '${key}=…'`;
}

interface JsonInspection {
  readonly counter: ImpactCounter;
  /** The model after the migration. */
  readonly after: ContentModel;
  /** The strictness of the version that holds the values. */
  readonly strictness: Strictness;
}

const WRONG_FORM = 'not in the form of the component';

const drop = ({ counter }: JsonInspection, path: string, sample: unknown): void =>
  counter.add({ kind: 'dropped', path, reason: WRONG_FORM, sample });

/** Returns the component that an object represents, if any. */
const componentFor = (
  { after }: JsonInspection,
  attribute: ItemsAttribute,
  item: StoredItem,
): Component | undefined => {
  const uid = attribute.family === 'component' ? attribute.component : tagOf(item);
  if (attribute.family === 'dynamiczone' && !attribute.components.includes(uid)) return undefined;
  const component = componentOf(after, uid);
  return hasReadableAttribute(component, item) ? component : undefined;
};

const inspectJsonItem = (
  inspection: JsonInspection,
  component: Component,
  path: string,
  before: StoredItem,
  after: StoredItem,
): void => {
  for (const [key, value] of Object.entries(before)) {
    if (key === 'id' || key === COMPONENT_KEY || !isPresent(value)) continue;
    const attribute = component.attributes[key];
    if (attribute !== undefined && isItemsAttribute(attribute))
      inspectFromJson(inspection, attribute, `${path}.${key}`, value, after[key]);
    else if (!isPresent(after[key])) drop(inspection, `${path}.${key}`, value);
  }
  for (const attribute of Object.values(component.attributes)) {
    const value = after[attribute.name];
    const reason = invalidReason(attribute, value, inspection.strictness, after);
    if (reason === null) continue;
    inspection.counter.add({
      kind: 'invalid',
      path: `${path}.${attribute.name}`,
      reason,
      remedy: remedyForInvalid(`${component.uid}.${attribute.name}`, attribute, !isPresent(value)),
      sample: sampleOf(attribute, value),
    });
  }
};

/** Counts the parts of JSON that are dropped or invalid where it becomes components. */
function inspectFromJson(
  inspection: JsonInspection,
  attribute: ItemsAttribute,
  path: string,
  before: unknown,
  after: unknown,
): void {
  if (isEmpty(after)) {
    if (!isEmpty(before)) drop(inspection, path, before);
    return;
  }
  const items = itemsOf(after);
  let index = 0;
  for (const item of itemsOf(before)) {
    const component = isRecord(item) ? componentFor(inspection, attribute, item) : undefined;
    const result = component === undefined ? undefined : items[index++];
    const itemPath = attribute.family === 'dynamiczone' ? `${path}[${tagOf(item)}]` : path;
    if (component === undefined || !isRecord(item) || !isRecord(result)) drop(inspection, path, item);
    else inspectJsonItem(inspection, component, itemPath, item, result);
  }
}

/** Compares stored values before and after a migration. */
export interface ValueInspection {
  readonly counter: ImpactCounter;
  /** The model after the migration. */
  readonly after: ContentModel;
  /** The strictness of the version that holds the values. */
  readonly strictness: Strictness;
  /** True if no version of the same locale and status had an equal value before. */
  readonly isFirst: (value: unknown) => boolean;
}

/** A value before and after the migration, and its path. */
interface ValuePair {
  readonly before: unknown;
  readonly after: unknown;
  readonly path: string;
  /** The attribute as decisions name it: `shared.seo.title`. */
  readonly key: string;
  /** The other values of the item, which conditions read. */
  readonly itemBefore?: StoredItem;
  readonly itemAfter?: StoredItem | undefined;
}

const inspectScalar = (
  { counter }: ValueInspection,
  change: ScalarChange,
  { before, after, path, key }: ValuePair,
): void => {
  const sample = sampleOf(change.before, before);
  if (!isPresent(after))
    counter.add({ kind: 'dropped', path, reason: change.reason, remedy: remedyForConversion(key), sample });
  else if (
    change.before.column.kind !== change.after.column.kind ||
    (change.rewrite !== null && !isDeepStrictEqual(before, after))
  )
    counter.add({
      kind: 'converted',
      path,
      reason: `from ${change.before.type} to ${change.after.type}`,
      remedy: null,
      sample,
    });
};

const targetsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isPresent(value) ? [value] : [];

const inspectLinks = (
  { counter }: ValueInspection,
  isMadeMany: boolean,
  { before, after, path }: ValuePair,
): void => {
  const lost = targetsOf(before).slice(targetsOf(after).length);
  counter.add({
    kind: 'dropped',
    path,
    reason: 'only the first is kept',
    sample: lost[0],
    count: lost.length,
  });
  if (isMadeMany && !isEmpty(after))
    counter.add({ kind: 'converted', path, reason: 'made a list', sample: before });
};

const itemPath = ({ shapeBefore }: ItemsChange, path: string, item: unknown): string =>
  shapeBefore.isTagged ? `${path}[${tagOf(item)}]` : path;

const isKept = (change: ItemsChange, item: unknown): boolean => {
  const { shapeBefore, shapeAfter, items } = change;
  if (!shapeBefore.isTagged) return items.length > 0;
  return shapeAfter.isTagged
    ? !droppedComponents(change).includes(tagOf(item))
    : items.some(({ before }) => before === tagOf(item));
};

/** Counts values that are stored in another form, as lists or with the names of their components. */
const inspectShape = (
  { counter }: ValueInspection,
  change: ItemsChange,
  { before, after, path }: ValuePair,
): void => {
  const { shapeBefore, shapeAfter } = change;
  if (isEmpty(after) || (shapeBefore.isTagged && !shapeAfter.isTagged)) return;
  const reason = isItemsAttribute(change.after)
    ? [
        [!shapeBefore.isTagged && shapeAfter.isTagged, 'made a dynamic zone'],
        [!shapeBefore.isList && shapeAfter.isList, 'made a list'],
      ].find(([isMade]) => isMade)?.[1]
    : 'made JSON';
  if (typeof reason === 'string') counter.add({ kind: 'converted', path, reason, sample: before });
};

const inspectItem = (
  inspection: ValueInspection,
  change: ItemsChange,
  path: string,
  before: unknown,
  after: unknown,
): void => {
  const { shapeBefore, shapeAfter, items } = change;
  const item = items.find((each) => !shapeBefore.isTagged || each.before === tagOf(before));
  if (item === undefined || !isRecord(before) || !isRecord(after)) return;
  if (shapeBefore.isTagged && shapeAfter.isTagged && item.before !== item.after)
    inspection.counter.add({
      kind: 'moved',
      path,
      reason: `the component is renamed to ${item.after}`,
      remedy: null,
      sample: before,
    });
  if (shapeBefore.isTagged && !shapeAfter.isTagged)
    inspection.counter.add({
      kind: 'converted',
      path,
      reason: 'made a component without a dynamic zone',
      sample: before,
    });
  inspectMembers(inspection, item, path, before, after);
};

const inspectItems = (inspection: ValueInspection, change: ItemsChange, pair: ValuePair): void => {
  const { counter } = inspection;
  const results = itemsOf(pair.after);
  const dropItem = (item: unknown, reason: string): void =>
    counter.add({ kind: 'dropped', path: itemPath(change, pair.path, item), reason, sample: item });
  let index = 0;
  for (const item of itemsOf(pair.before)) {
    if (!isKept(change, item)) {
      dropItem(item, 'its component is removed');
      continue;
    }
    const result = results[index++];
    if (result === undefined) dropItem(item, 'only the first is kept');
    else inspectItem(inspection, change, itemPath(change, pair.path, item), item, result);
  }
  inspectShape(inspection, change, pair);
};

const inspectChange = (inspection: ValueInspection, change: ValueChange, pair: ValuePair): void => {
  switch (change.kind) {
    case 'same':
      return;
    case 'dropped':
      inspection.counter.add({
        kind: 'dropped',
        path: pair.path,
        reason: change.reason,
        remedy: REMEDY_FOR_REMOVED,
        sample: sampleOf(change.before, pair.before),
        count: countOf(change.before, pair.before),
      });
      return;
    case 'scalar':
      inspectScalar(inspection, change, pair);
      return;
    case 'links':
      inspectLinks(inspection, !change.before.many && change.after.many, pair);
      return;
    case 'items':
      inspectItems(inspection, change, pair);
      return;
    case 'from-json':
      if (!isEmpty(pair.after))
        inspection.counter.add({
          kind: 'converted',
          path: pair.path,
          reason: 'made a component',
          sample: pair.before,
        });
      inspectFromJson(inspection, change.after, pair.path, pair.before, pair.after);
  }
};

/** True if another component has the same value, and only the new attribute forbids this. */
const isNewDuplicate = (
  { isFirst, strictness }: ValueInspection,
  change: ScalarChange,
  { after, path }: ValuePair,
): boolean =>
  strictness === 'full' &&
  isPresent(after) &&
  isUnique(change.after) &&
  (change.rewrite !== null || !isUnique(change.before)) &&
  !isFirst([path, after]);

/** Returns the reason an attribute newly rejects its value or newly lacks one. Null if there is none. */
const newlyInvalidReason = (
  inspection: ValueInspection,
  { before: attributeBefore, after: attribute, change }: MemberChange,
  pair: ValuePair,
): string | null => {
  const { strictness } = inspection;
  const { before, after } = pair;
  const isLost = !isEmpty(before) && isEmpty(after);
  if (attribute === null || isLost || (attributeBefore !== null && change.kind === 'same')) return null;
  if (change.kind === 'scalar' && isNewDuplicate(inspection, change, pair))
    return 'must be unique: another component has this value';
  const isInvalidBefore =
    attributeBefore !== null && invalidReason(attributeBefore, before, strictness, pair.itemBefore) !== null;
  if (isInvalidBefore) return null;
  const invalid = invalidReason(attribute, after, strictness, pair.itemAfter);
  return invalid === null && change.kind === 'scalar' && change.before.type !== change.after.type
    ? invalidFormReason(change.after, after, strictness)
    : invalid;
};

const inspectMove = (
  { counter }: ValueInspection,
  member: MemberChange,
  { path, after }: ValuePair,
): void => {
  if (member.after === null || !isRenamed(member) || isEmpty(after)) return;
  counter.add({
    kind: 'moved',
    path,
    reason: `renamed to ${member.after.name}`,
    remedy: null,
    sample: sampleOf(member.after, after),
    count: countOf(member.after, after),
  });
};

/** Counts the impact on the value of one attribute. */
export function inspectMember(inspection: ValueInspection, member: MemberChange, pair: ValuePair): void {
  const { after, change, fill } = member;
  const { path, key } = pair;
  const invalid = newlyInvalidReason(inspection, member, pair);
  if (invalid !== null && after !== null)
    inspection.counter.add({
      kind: 'invalid',
      path,
      reason: invalid,
      remedy: remedyForInvalid(key, after, !isPresent(pair.after)),
      sample: sampleOf(after, pair.after),
    });
  // An invalid value counts once, except for losses inside of it.
  if (invalid !== null && change.kind === 'scalar') return;
  if (!isEmpty(pair.before)) {
    inspectMove(inspection, member, pair);
    // Values inside an attribute that a condition hides are checked as in a draft, too.
    const strictness =
      after === null ? inspection.strictness : strictnessIn(after, inspection.strictness, pair.itemAfter);
    inspectChange({ ...inspection, strictness }, change, pair);
  } else if (fill !== undefined && !isPresent(pair.before) && isPresent(pair.after))
    inspection.counter.add({ kind: 'converted', path, reason: 'held no value', sample: pair.after });
}

const inspectMembers = (
  inspection: ValueInspection,
  item: ItemChange,
  path: string,
  before: StoredItem,
  after: StoredItem,
): void => {
  for (const member of item.members) {
    const name = member.before?.name ?? member.after?.name ?? '';
    inspectMember(inspection, member, {
      before: member.before === null ? undefined : before[member.before.name],
      after: member.after === null ? undefined : after[member.after.name],
      path: `${path}.${name}`,
      key: `${item.after}.${member.after?.name ?? name}`,
      itemBefore: before,
      itemAfter: after,
    });
  }
};
