import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../../lib/stored-value.js';
import type {
  Attribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  LinkAttribute,
  ScalarAttribute,
  Uid,
} from '../../../model/model.js';
import { isRequiredIfShown } from '../../../documents/validation/attribute-state.js';

/** An attribute that holds components. */
export type ItemsAttribute = ComponentAttribute | DynamicZoneAttribute;

/** Change of the value of one attribute in stored JSON. */
export type ValueChange =
  | { readonly kind: 'same' }
  | { readonly kind: 'dropped'; readonly before: Attribute; readonly reason: string }
  | ScalarChange
  | LinksChange
  | ItemsChange
  /** JSON that becomes components, if it has their form. */
  | { readonly kind: 'from-json'; readonly before: ScalarAttribute; readonly after: ItemsAttribute };

/** Changes of links: the number of targets, a newly required target, or a renamed type. */
export interface LinksChange {
  readonly kind: 'links';
  readonly before: LinkAttribute;
  readonly after: LinkAttribute;
  /** Types that are stored with the targets and have another uid. */
  readonly renamed: readonly (readonly [before: Uid, after: Uid])[];
}

export interface ScalarChange {
  readonly kind: 'scalar';
  readonly before: ScalarAttribute;
  readonly after: ScalarAttribute;
  /** Returns SQL of the new JSON for SQL of the old one. Null if the value stays. */
  readonly rewrite: ((json: string) => string) | null;
  /** Reason why a value is not converted. */
  readonly reason: string;
}

/** Form in which an attribute stores components. */
interface ItemsShape {
  readonly isList: boolean;
  /** True if each item names its component, as in dynamic zones. */
  readonly isTagged: boolean;
}

export interface ItemsChange {
  readonly kind: 'items';
  readonly before: ItemsAttribute;
  /** Scalar if the components become plain JSON. */
  readonly after: ItemsAttribute | ScalarAttribute;
  readonly shapeBefore: ItemsShape;
  readonly shapeAfter: ItemsShape;
  /** The components whose items stay. Those of other components are dropped. */
  readonly items: readonly ItemChange[];
}

/** Change of the items of a component. */
export interface ItemChange {
  readonly before: Uid;
  readonly after: Uid;
  readonly members: readonly MemberChange[];
}

/** Change of one attribute of a component. `before` is null if it is added, `after` if it is removed. */
export interface MemberChange {
  readonly before: Attribute | null;
  readonly after: Attribute | null;
  readonly change: ValueChange;
  /** The value for items that have none; undefined if they stay without. */
  readonly fill: JsonValue | undefined;
}

export const SAME: ValueChange = Object.freeze({ kind: 'same' });

/** The key under which the items of dynamic zones name their component. */
export const COMPONENT_KEY = '__component';

export function isItemsAttribute(attribute: Attribute | null): attribute is ItemsAttribute {
  return attribute?.family === 'component' || attribute?.family === 'dynamiczone';
}

export function shapeOf(attribute: ItemsAttribute): ItemsShape {
  return attribute.family === 'dynamiczone'
    ? { isList: true, isTagged: true }
    : { isList: attribute.repeatable, isTagged: false };
}

export function componentsOf(attribute: ItemsAttribute): readonly Uid[] {
  return attribute.family === 'dynamiczone' ? attribute.components : [attribute.component];
}

/** The components of an attribute whose items are dropped. */
export function droppedComponents({ before, items }: ItemsChange): readonly Uid[] {
  return componentsOf(before).filter((uid) => !items.some((item) => item.before === uid));
}

export const isRenamed = ({ before, after }: MemberChange): boolean =>
  before !== null && after !== null && before.name !== after.name;

/** True if the attribute is required, maybe by a condition, and was not before. */
export const isNewlyRequired = (before: Attribute | null, after: Attribute): boolean =>
  before?.required !== true &&
  isRequiredIfShown(after) &&
  (after.required || !isDeepStrictEqual(before?.condition, after.condition));

const isMemberRewritten = (member: MemberChange): boolean =>
  member.fill !== undefined || isRenamed(member) || isRewritten(member.change);

/** True if the stored JSON of a component's items changes. */
export function isItemRewritten({ members }: ItemChange): boolean {
  return members.some(isMemberRewritten);
}

/** True if stored JSON changes. */
export function isRewritten(change: ValueChange): boolean {
  switch (change.kind) {
    case 'same':
      return false;
    case 'dropped':
    case 'from-json':
      return true;
    case 'scalar':
      return change.rewrite !== null;
    case 'links':
      return change.before.many !== change.after.many || change.renamed.length > 0;
    case 'items':
      return (
        change.shapeBefore.isList !== change.shapeAfter.isList ||
        change.shapeBefore.isTagged !== change.shapeAfter.isTagged ||
        droppedComponents(change).length > 0 ||
        change.items.some(
          (item) => isItemRewritten(item) || (change.shapeAfter.isTagged && item.before !== item.after),
        )
      );
  }
}

/** True if a component's items have no impact and are not rewritten. */
export function isItemSame({ members }: ItemChange): boolean {
  return members.every(
    (member) =>
      !isMemberRewritten(member) &&
      member.change.kind === 'same' &&
      (member.after === null || member.before !== null || !isRequiredIfShown(member.after)),
  );
}
