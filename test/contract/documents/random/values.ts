import { COMPONENTS, uidOfTarget } from './project.js';
import type { Member, Members, Target } from './project.js';

export interface Ref {
  readonly target: Target;
  readonly documentId: string;
}

/** A component. */
export interface Item {
  readonly component: string;
  readonly values: Values;
}

/** Links and components are lists, even if the attribute allows only one. */
export type Value = string | number | null | readonly Ref[] | readonly Item[];
export type Values = Readonly<Record<string, Value>>;

export type Position =
  | { readonly at: 'start' | 'end' }
  | { readonly at: 'before' | 'after'; readonly ref: Ref };

/** A change of one member. */
export type Change =
  | { readonly kind: 'value'; readonly value: Value }
  | {
      readonly kind: 'links';
      readonly connect: readonly { readonly ref: Ref; readonly position: Position }[];
      readonly disconnect: readonly Ref[];
    }
  /** Changes some members of an existing single component, by its id. */
  | { readonly kind: 'patch'; readonly id: number; readonly values: Values };

export type Changes = Readonly<Record<string, Change>>;

const isItem = (entry: Ref | Item): entry is Item => 'component' in entry;

export const refsOf = (value: Value | undefined): readonly Ref[] =>
  Array.isArray(value)
    ? (value as readonly (Ref | Item)[]).filter((entry): entry is Ref => !isItem(entry))
    : [];
export const itemsOf = (value: Value | undefined): readonly Item[] =>
  Array.isArray(value) ? (value as readonly (Ref | Item)[]).filter(isItem) : [];

export const sameRef = (left: Ref, right: Ref): boolean =>
  left.documentId === right.documentId && left.target === right.target;

const emptyValue = (member: Member): Value =>
  member.kind === 'text' || member.kind === 'number' ? null : [];

export const emptyValues = (members: Members): Values =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, emptyValue(member)]));

export const membersOfItem = ({ component }: Pick<Item, 'component'>): Members => COMPONENTS[component] ?? {};

/** Returns every document that a value links, at any depth. */
const allRefs = (value: Value): readonly Ref[] => [
  ...refsOf(value),
  ...itemsOf(value).flatMap(({ values }) => Object.values(values).flatMap(allRefs)),
];

export const refsOfChange = (change: Change): readonly Ref[] => {
  if (change.kind === 'value') return allRefs(change.value);
  return change.kind === 'patch'
    ? Object.values(change.values).flatMap(allRefs)
    : change.connect.map(({ ref }) => ref);
};

const refInput = (member: Member, { target, documentId }: Ref): unknown =>
  member.kind === 'morph' ? { __type: uidOfTarget(target), documentId } : documentId;

const itemInput = (member: Member, item: Item): unknown => ({
  ...(member.kind === 'zone' ? { __component: item.component } : {}),
  ...valuesInput(membersOfItem(item), item.values),
});

const valueInput = (member: Member, value: Value): unknown => {
  if (member.kind === 'text' || member.kind === 'number') return value;
  const list =
    member.kind === 'component' || member.kind === 'zone'
      ? itemsOf(value).map((item) => itemInput(member, item))
      : refsOf(value).map((ref) => refInput(member, ref));
  return member.kind === 'zone' || member.many ? list : (list[0] ?? null);
};

const valuesInput = (members: Members, values: Values): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      members[name] === undefined ? [] : [[name, valueInput(members[name], value)]],
    ),
  );

const positionInput = (member: Member, position: Position): unknown =>
  'ref' in position ? { [position.at]: refInput(member, position.ref) } : { [position.at]: true };

const changeInput = (member: Member, change: Change): unknown => {
  switch (change.kind) {
    case 'value':
      return valueInput(member, change.value);
    case 'patch':
      return {
        id: change.id,
        ...valuesInput(
          member.kind === 'component' ? (COMPONENTS[member.component] ?? {}) : {},
          change.values,
        ),
      };
    case 'links':
      return {
        connect: change.connect.map(({ ref, position }) => ({
          ...(member.kind === 'morph' ? { __type: uidOfTarget(ref.target) } : {}),
          documentId: ref.documentId,
          position: positionInput(member, position),
        })),
        disconnect: change.disconnect.map((ref) => refInput(member, ref)),
      };
  }
};

/** Returns the changes as a client sends them. */
export const changesInput = (members: Members, changes: Changes): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([name, change]) =>
      members[name] === undefined ? [] : [[name, changeInput(members[name], change)]],
    ),
  );

const insert = (list: readonly Ref[], ref: Ref, position: Position): readonly Ref[] => {
  const rest = list.filter((entry) => !sameRef(entry, ref));
  const reference = 'ref' in position ? rest.findIndex((entry) => sameRef(entry, position.ref)) : -1;
  const index = { start: 0, end: rest.length, before: reference, after: reference + 1 }[position.at];
  return [...rest.slice(0, index), ref, ...rest.slice(index)];
};

const withoutDuplicates = (refs: readonly Ref[]): readonly Ref[] =>
  refs.filter((ref, index) => refs.findIndex((other) => sameRef(other, ref)) === index);

/** Returns a value as it is stored: without duplicates in lists of links. */
const kept = (value: Value): Value => {
  if (!Array.isArray(value)) return value;
  const items = itemsOf(value);
  return items.length > 0
    ? items.map((item) => ({ ...item, values: keptItem(item) }))
    : withoutDuplicates(refsOf(value));
};

const keptItem = (item: Item): Values => {
  const given = Object.fromEntries(Object.entries(item.values).map(([name, value]) => [name, kept(value)]));
  return { ...emptyValues(membersOfItem(item)), ...given };
};

/** Returns the value after the change. */
export const changedValue = (current: Value, change: Change): Value => {
  switch (change.kind) {
    case 'value':
      return kept(change.value);
    case 'patch':
      return itemsOf(current).map((item) => ({
        ...item,
        values: {
          ...item.values,
          ...Object.fromEntries(Object.entries(change.values).map(([name, value]) => [name, kept(value)])),
        },
      }));
    case 'links': {
      const left = refsOf(current).filter(
        (ref) => !change.disconnect.some((disconnected) => sameRef(disconnected, ref)),
      );
      return change.connect.reduce<readonly Ref[]>(
        (list, { ref, position }) => insert(list, ref, position),
        left,
      );
    }
  }
};
