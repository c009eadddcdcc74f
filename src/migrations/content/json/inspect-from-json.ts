import { isRecord } from '../../../lib/is-record.js';
import type { Strictness } from '../../../model/fields/field-type.js';
import { componentOf } from '../../../model/lookup.js';
import type { Component, ContentModel } from '../../../model/model.js';
import { invalidReason, isEmpty, isPresent, itemsOf, sampleOf, tagOf } from './invalid-reason.js';
import type { StoredItem } from './invalid-reason.js';
import { remedyForInvalid } from './remedies.js';
import { hasReadableAttribute } from './rewrite-from-json.js';
import type { ImpactCounter } from '../../impact/data-impact.js';
import { COMPONENT_KEY, isItemsAttribute } from './value-change.js';
import type { ItemsAttribute } from './value-change.js';

interface JsonInspection {
  readonly counter: ImpactCounter;
  /** The model after the migration. */
  readonly after: ContentModel;
  /** That of the version which holds the values. */
  readonly strictness: Strictness;
}

const REASON = 'not in the form of the component';

const drop = ({ counter }: JsonInspection, path: string, sample: unknown): void =>
  counter.add({ kind: 'dropped', path, reason: REASON, sample });

/** The component that an object stands for. Undefined: none. */
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

const inspectItem = (
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
export function inspectFromJson(
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
    else inspectItem(inspection, component, itemPath, item, result);
  }
}
