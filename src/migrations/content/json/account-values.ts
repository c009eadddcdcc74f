import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../lib/is-record.js';
import type { Strictness } from '../../../fields/field-type.js';
import type { ContentModel } from '../../../model/model.js';
import { isUnique } from '../../../validation/parse-scalar.js';
import { accountFromJson } from './account-from-json.js';
import {
  countOf,
  findFormMisfit,
  findMisfit,
  isEmpty,
  isPresent,
  itemsOf,
  sampleOf,
  strictnessIn,
  tagOf,
} from './find-misfit.js';
import type { StoredItem } from './find-misfit.js';
import { remedyForConversion, remedyForMisfit, remedyForRemoved } from './remedies.js';
import type { Tally } from '../tally.js';
import { droppedComponents, isItemsAttribute, isRenamed } from './value-change.js';
import type { ItemChange, ItemsChange, MemberChange, ScalarChange, ValueChange } from './value-change.js';

/** Compares stored values before and after a migration. */
export interface Account {
  readonly tally: Tally;
  /** The model after the migration. */
  readonly after: ContentModel;
  /** That of the version which holds the values. */
  readonly strictness: Strictness;
  /** Whether no version of the same locale and status had an equal value before. */
  readonly isFirst: (value: unknown) => boolean;
}

/** A value before and after the migration, and where it stands. */
interface ValuePair {
  readonly before: unknown;
  readonly after: unknown;
  readonly path: string;
  /** The attribute as decisions name it: `shared.seo.title`. */
  readonly key: string;
  /** The values beside them, as far as conditions read them. */
  readonly itemBefore?: StoredItem;
  readonly itemAfter?: StoredItem | undefined;
}

const accountScalar = (
  { tally }: Account,
  change: ScalarChange,
  { before, after, path, key }: ValuePair,
): void => {
  const sample = sampleOf(change.before, before);
  if (!isPresent(after))
    tally.add({ kind: 'dropped', path, reason: change.reason, remedy: remedyForConversion(key), sample });
  else if (
    change.before.column.kind !== change.after.column.kind ||
    (change.rewrite !== null && !isDeepStrictEqual(before, after))
  )
    tally.add({
      kind: 'converted',
      path,
      reason: `from ${change.before.type} to ${change.after.type}`,
      remedy: null,
      sample,
    });
};

const targetsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isPresent(value) ? [value] : [];

const accountLinks = ({ tally }: Account, isMadeMany: boolean, { before, after, path }: ValuePair): void => {
  const lost = targetsOf(before).slice(targetsOf(after).length);
  tally.add({
    kind: 'dropped',
    path,
    reason: 'only the first is kept',
    remedy: null,
    sample: lost[0],
    count: lost.length,
  });
  if (isMadeMany && !isEmpty(after))
    tally.add({ kind: 'converted', path, reason: 'made a list', remedy: null, sample: before });
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

/** Tells of values that are stored in another form, as lists or with the names of their components. */
const accountShape = ({ tally }: Account, change: ItemsChange, { before, after, path }: ValuePair): void => {
  const { shapeBefore, shapeAfter } = change;
  if (isEmpty(after) || (shapeBefore.isTagged && !shapeAfter.isTagged)) return;
  const reason = isItemsAttribute(change.after)
    ? [
        [!shapeBefore.isTagged && shapeAfter.isTagged, 'made a dynamic zone'],
        [!shapeBefore.isList && shapeAfter.isList, 'made a list'],
      ].find(([isMade]) => isMade)?.[1]
    : 'made JSON';
  if (typeof reason === 'string')
    tally.add({ kind: 'converted', path, reason, remedy: null, sample: before });
};

const accountItem = (
  account: Account,
  change: ItemsChange,
  path: string,
  before: unknown,
  after: unknown,
): void => {
  const { shapeBefore, shapeAfter, items } = change;
  const item = items.find((each) => !shapeBefore.isTagged || each.before === tagOf(before));
  if (item === undefined || !isRecord(before) || !isRecord(after)) return;
  if (shapeBefore.isTagged && shapeAfter.isTagged && item.before !== item.after)
    account.tally.add({
      kind: 'moved',
      path,
      reason: `the component is renamed to ${item.after}`,
      remedy: null,
      sample: before,
    });
  if (shapeBefore.isTagged && !shapeAfter.isTagged)
    account.tally.add({
      kind: 'converted',
      path,
      reason: 'made a component without a dynamic zone',
      remedy: null,
      sample: before,
    });
  accountMembers(account, item, path, before, after);
};

const accountItems = (account: Account, change: ItemsChange, pair: ValuePair): void => {
  const { tally } = account;
  const results = itemsOf(pair.after);
  const drop = (item: unknown, reason: string): void =>
    tally.add({
      kind: 'dropped',
      path: itemPath(change, pair.path, item),
      reason,
      remedy: null,
      sample: item,
    });
  let index = 0;
  for (const item of itemsOf(pair.before)) {
    if (!isKept(change, item)) {
      drop(item, 'its component is removed');
      continue;
    }
    const result = results[index++];
    if (result === undefined) drop(item, 'only the first is kept');
    else accountItem(account, change, itemPath(change, pair.path, item), item, result);
  }
  accountShape(account, change, pair);
};

const accountChange = (account: Account, change: ValueChange, pair: ValuePair): void => {
  switch (change.kind) {
    case 'same':
      return;
    case 'dropped':
      account.tally.add({
        kind: 'dropped',
        path: pair.path,
        reason: change.reason,
        remedy: remedyForRemoved,
        sample: sampleOf(change.before, pair.before),
        count: countOf(change.before, pair.before),
      });
      return;
    case 'scalar':
      accountScalar(account, change, pair);
      return;
    case 'links':
      accountLinks(account, !change.before.many && change.after.many, pair);
      return;
    case 'items':
      accountItems(account, change, pair);
      return;
    case 'from-json':
      if (!isEmpty(pair.after))
        account.tally.add({
          kind: 'converted',
          path: pair.path,
          reason: 'made a component',
          remedy: null,
          sample: pair.before,
        });
      accountFromJson(account, change.after, pair.path, pair.before, pair.after);
  }
};

/** Whether a value is that of another component, where none may be after the migration. */
const isNewDuplicate = (
  { isFirst, strictness }: Account,
  change: ScalarChange,
  { after, path }: ValuePair,
): boolean =>
  strictness === 'full' &&
  isPresent(after) &&
  isUnique(change.after) &&
  (change.rewrite !== null || !isUnique(change.before)) &&
  !isFirst([path, after]);

/** Why an attribute no longer accepts a value, or now lacks one. Null: it does not, or did not before. */
const newMisfitOf = (
  account: Account,
  { before: attributeBefore, after: attribute, change }: MemberChange,
  pair: ValuePair,
): string | null => {
  const { strictness } = account;
  const { before, after } = pair;
  const isLost = !isEmpty(before) && isEmpty(after);
  if (attribute === null || isLost || (attributeBefore !== null && change.kind === 'same')) return null;
  if (change.kind === 'scalar' && isNewDuplicate(account, change, pair))
    return 'must be unique: another component has this value';
  const isMisfitBefore =
    attributeBefore !== null && findMisfit(attributeBefore, before, strictness, pair.itemBefore) !== null;
  if (isMisfitBefore) return null;
  const misfit = findMisfit(attribute, after, strictness, pair.itemAfter);
  return misfit === null && change.kind === 'scalar' && change.before.type !== change.after.type
    ? findFormMisfit(change.after, after, strictness)
    : misfit;
};

const accountMove = ({ tally }: Account, member: MemberChange, { path, after }: ValuePair): void => {
  if (member.after === null || !isRenamed(member) || isEmpty(after)) return;
  tally.add({
    kind: 'moved',
    path,
    reason: `renamed to ${member.after.name}`,
    remedy: null,
    sample: sampleOf(member.after, after),
    count: countOf(member.after, after),
  });
};

/** Tells what becomes of the value of one attribute. */
export function accountMember(account: Account, member: MemberChange, pair: ValuePair): void {
  const { after, change, fill } = member;
  const { path, key } = pair;
  const misfit = newMisfitOf(account, member, pair);
  if (misfit !== null && after !== null)
    account.tally.add({
      kind: 'misfit',
      path,
      reason: misfit,
      remedy: remedyForMisfit(key, after, !isPresent(pair.after)),
      sample: sampleOf(after, pair.after),
    });
  // What does not fit is told once, but for what is lost inside of it.
  if (misfit !== null && change.kind === 'scalar') return;
  if (!isEmpty(pair.before)) {
    accountMove(account, member, pair);
    // Everything inside of what a condition hides is checked as in a draft, too.
    const strictness =
      after === null ? account.strictness : strictnessIn(after, account.strictness, pair.itemAfter);
    accountChange({ ...account, strictness }, change, pair);
  } else if (fill !== undefined && !isPresent(pair.before) && isPresent(pair.after))
    account.tally.add({
      kind: 'converted',
      path,
      reason: 'held no value',
      remedy: null,
      sample: pair.after,
    });
}

const accountMembers = (
  account: Account,
  item: ItemChange,
  path: string,
  before: StoredItem,
  after: StoredItem,
): void => {
  for (const member of item.members) {
    const name = member.before?.name ?? member.after?.name ?? '';
    accountMember(account, member, {
      before: member.before === null ? undefined : before[member.before.name],
      after: member.after === null ? undefined : after[member.after.name],
      path: `${path}.${name}`,
      key: `${item.after}.${member.after?.name ?? name}`,
      itemBefore: before,
      itemAfter: after,
    });
  }
};
