import { idsIn } from '../relation-comparison.js';
import type { Answer } from '../service.js';
import type { Seen } from './content-reference.js';
import { COMPONENTS, MORPH_TARGETS, uidOfTarget, ZONE } from './project.js';
import type { Member, Members } from './project.js';

const PLAIN = { fields: ['documentId'] };

const populateMember = (member: Member): unknown => {
  switch (member.kind) {
    case 'text': case 'number': return undefined;
    case 'link': return PLAIN;
    case 'morph': return { on: Object.fromEntries(MORPH_TARGETS.map((target) => [uidOfTarget(target), PLAIN])) };
    case 'component': return { populate: populateAll(COMPONENTS[member.component] ?? {}) };
    case 'zone': return { on: Object.fromEntries(ZONE.map((component) => [component, { populate: populateAll(COMPONENTS[component] ?? {}) }])) };
  }
};

/** `populate` for all that the members link, at any depth. */
export const populateAll = (members: Members): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).flatMap(([name, member]) => {
    const populate = populateMember(member);
    return populate === undefined ? [] : [[name, populate]];
  }));

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return items.filter((item): item is Readonly<Record<string, unknown>> => typeof item === 'object' && item !== null);
};

/** From a type without locales a document may be linked in several: it is the same one. */
const oncePerDocument = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

const readMember = (member: Member, value: unknown): unknown => {
  switch (member.kind) {
    case 'text': case 'number': return value;
    case 'link': case 'morph': return oncePerDocument(idsIn(value));
    case 'component': return listOf(value).map((item) => readMembers(COMPONENTS[member.component] ?? {}, item));
    case 'zone': return listOf(value).map((item) => {
      const component = String(item['__component']);
      return { component, ...readMembers(COMPONENTS[component] ?? {}, item) };
    });
  }
};

/** A record in the form the rules show it in. */
export const readMembers = (members: Members, record: Readonly<Record<string, unknown>>): Seen =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, readMember(member, record[name] ?? null)]));

const idsBelow = (item: Readonly<Record<string, unknown>>, members: Members): readonly number[] => [
  Number(item['id']),
  ...Object.entries(members).flatMap(([name, member]) => (member.kind === 'component' ? listOf(item[name]).flatMap((inner) => idsBelow(inner, COMPONENTS[member.component] ?? {})) : [])),
];

/** The ids of the components under each name, at any depth, in order. */
export const componentIds = (members: Members, record: Answer): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(Object.entries(members).flatMap(([name, member]) => {
    if (member.kind === 'component') return [[name, listOf(record[name]).flatMap((item) => idsBelow(item, COMPONENTS[member.component] ?? {}))] as const];
    return member.kind === 'zone' ? [[name, listOf(record[name]).flatMap((item) => idsBelow(item, COMPONENTS[String(item['__component'])] ?? {}))] as const] : [];
  }));
