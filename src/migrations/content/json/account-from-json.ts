import { isRecord } from '../../../lib/is-record.js';
import type { Strictness } from '../../../fields/field-type.js';
import { componentOf } from '../../../model/lookup.js';
import type { Component, ContentModel } from '../../../model/model.js';
import { findMisfit, isEmpty, isPresent, itemsOf, sampleOf, tagOf } from './find-misfit.js';
import type { StoredItem } from './find-misfit.js';
import { remedyForMisfit } from './remedies.js';
import { hasReadableAttribute } from './rewrite-from-json.js';
import type { Tally } from '../tally.js';
import { COMPONENT_KEY, isItemsAttribute } from './value-change.js';
import type { ItemsAttribute } from './value-change.js';

interface JsonAccount {
  readonly tally: Tally;
  /** The model after the migration. */
  readonly after: ContentModel;
  /** That of the version which holds the values. */
  readonly strictness: Strictness;
}

const REASON = 'not in the form of the component';

const drop = ({ tally }: JsonAccount, path: string, sample: unknown): void =>
  tally.add({ kind: 'dropped', path, reason: REASON, remedy: null, sample });

/** The component that an object stands for. Undefined: none. */
const componentFor = (
  { after }: JsonAccount,
  attribute: ItemsAttribute,
  item: StoredItem,
): Component | undefined => {
  const uid = attribute.family === 'component' ? attribute.component : tagOf(item);
  if (attribute.family === 'dynamiczone' && !attribute.components.includes(uid)) return undefined;
  const component = componentOf(after, uid);
  return hasReadableAttribute(component, item) ? component : undefined;
};

const accountItem = (
  account: JsonAccount,
  component: Component,
  path: string,
  before: StoredItem,
  after: StoredItem,
): void => {
  for (const [key, value] of Object.entries(before)) {
    if (key === 'id' || key === COMPONENT_KEY || !isPresent(value)) continue;
    const attribute = component.attributes[key];
    if (attribute !== undefined && isItemsAttribute(attribute))
      accountFromJson(account, attribute, `${path}.${key}`, value, after[key]);
    else if (!isPresent(after[key])) drop(account, `${path}.${key}`, value);
  }
  for (const attribute of Object.values(component.attributes)) {
    const value = after[attribute.name];
    const reason = findMisfit(attribute, value, account.strictness, after);
    if (reason === null) continue;
    account.tally.add({
      kind: 'misfit',
      path: `${path}.${attribute.name}`,
      reason,
      remedy: remedyForMisfit(`${component.uid}.${attribute.name}`, attribute, !isPresent(value)),
      sample: sampleOf(attribute, value),
    });
  }
};

/** Tells which parts of JSON are lost or do not fit where it becomes components. */
export function accountFromJson(
  account: JsonAccount,
  attribute: ItemsAttribute,
  path: string,
  before: unknown,
  after: unknown,
): void {
  if (isEmpty(after)) {
    if (!isEmpty(before)) drop(account, path, before);
    return;
  }
  const items = itemsOf(after);
  let index = 0;
  for (const item of itemsOf(before)) {
    const component = isRecord(item) ? componentFor(account, attribute, item) : undefined;
    const result = component === undefined ? undefined : items[index++];
    const itemPath = attribute.family === 'dynamiczone' ? `${path}[${tagOf(item)}]` : path;
    if (component === undefined || !isRecord(item) || !isRecord(result)) drop(account, path, item);
    else accountItem(account, component, itemPath, item, result);
  }
}
