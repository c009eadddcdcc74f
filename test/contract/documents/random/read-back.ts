import { idsIn } from '../relation-comparison.js';
import type { ReturnedRecord } from '../service.js';
import type { VisibleContent } from './content-reference.js';
import { COMPONENTS, MORPH_TARGETS, uidOfTarget, ZONE } from './project.js';
import type { Member, Members } from './project.js';

const PLAIN = { fields: ['documentId'] };

const populateMember = (member: Member): unknown => {
  switch (member.kind) {
    case 'text':
    case 'number':
      return undefined;
    case 'link':
      return PLAIN;
    case 'morph':
      return { on: Object.fromEntries(MORPH_TARGETS.map((target) => [uidOfTarget(target), PLAIN])) };
    case 'component':
      return { populate: populateAll(COMPONENTS[member.component] ?? {}) };
    case 'zone':
      return {
        on: Object.fromEntries(
          ZONE.map((component) => [component, { populate: populateAll(COMPONENTS[component] ?? {}) }]),
        ),
      };
  }
};

/** Returns a `populate` for all links of the members, at any depth. */
export const populateAll = (members: Members): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => {
      const populate = populateMember(member);
      return populate === undefined ? [] : [[name, populate]];
    }),
  );

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return items.filter(
    (item): item is Readonly<Record<string, unknown>> => typeof item === 'object' && item !== null,
  );
};

/** Removes duplicates: a type without locales may link several locales of one document. */
const oncePerDocument = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

const readMember = (member: Member, value: unknown): unknown => {
  switch (member.kind) {
    case 'text':
    case 'number':
      return value;
    case 'link':
    case 'morph':
      return oncePerDocument(idsIn(value));
    case 'component':
      return listOf(value).map((item) => readMembers(COMPONENTS[member.component] ?? {}, item));
    case 'zone':
      return listOf(value).map((item) => {
        const component = String(item['__component']);
        return { component, ...readMembers(COMPONENTS[component] ?? {}, item) };
      });
  }
};

/** Returns a record in the form in which the reference returns visible content. */
export const readMembers = (members: Members, record: Readonly<Record<string, unknown>>): VisibleContent =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, readMember(member, record[name] ?? null)]),
  );

const idsBelow = (item: Readonly<Record<string, unknown>>, members: Members): readonly number[] => [
  Number(item['id']),
  ...Object.entries(members).flatMap(([name, member]) =>
    member.kind === 'component'
      ? listOf(item[name]).flatMap((inner) => idsBelow(inner, COMPONENTS[member.component] ?? {}))
      : [],
  ),
];

/** Returns the ids of the components in each attribute, at any depth, in order. */
export const componentIds = (
  members: Members,
  record: ReturnedRecord,
): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => {
      if (member.kind === 'component')
        return [
          [
            name,
            listOf(record[name]).flatMap((item) => idsBelow(item, COMPONENTS[member.component] ?? {})),
          ] as const,
        ];
      return member.kind === 'zone'
        ? [
            [
              name,
              listOf(record[name]).flatMap((item) =>
                idsBelow(item, COMPONENTS[String(item['__component'])] ?? {}),
              ),
            ] as const,
          ]
        : [];
    }),
  );
