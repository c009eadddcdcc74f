import { fail } from '../errors/catalogue.js';
import { nearest } from '../lib/nearest.js';
import type { Uid } from '../lib/uid.js';

/** A content-type, as far as its names go: a definition or a type of the model. */
export interface NamedType {
  readonly uid: Uid;
  readonly singularName: string;
  readonly pluralName: string;
}

export interface NamedComponent {
  readonly uid: Uid;
  readonly name: string;
}

const unknownName = (what: string, name: string, known: readonly string[]): Error => {
  const close = nearest(name, known);
  const listed = known.length === 0 ? `There is no ${what} yet.` : `Known are ${known.join(', ')}.`;
  return fail('cli/unknown-name', { what, name, remedy: close === undefined ? listed : `Did you mean ${close}?` });
};

const one = <T extends { readonly uid: Uid }>(matches: readonly T[], name: string): T | undefined => {
  if (matches.length > 1) throw fail('scaffold/ambiguous-name', { name, candidates: matches.map(({ uid }) => uid).join(' or ') });
  return matches[0];
};

const pick = <T extends { readonly uid: Uid }>(groups: readonly (readonly T[])[], name: string): T | undefined => {
  for (const group of groups) {
    const found = one(group, name);
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * The type somebody means by a uid or a short name: `article`, `articles`, `user`. The project's own types come before built-in ones.
 *
 * @throws `cli/unknown-name` with the nearest name, `scaffold/ambiguous-name`
 */
export function resolveType<T extends NamedType>(types: readonly T[], name: string): T {
  const own = types.filter((type) => type.uid.startsWith('api::'));
  const called = (list: readonly T[], key: 'singularName' | 'pluralName'): readonly T[] => list.filter((type) => type[key] === name);
  const found = pick([
    types.filter((type) => type.uid === name),
    called(own, 'singularName'),
    called(own, 'pluralName'),
    called(types, 'singularName'),
    called(types, 'pluralName'),
  ], name);
  if (found !== undefined) return found;
  throw unknownName('content-type', name, name.includes('::') ? types.map(({ uid }) => uid) : types.map(({ singularName }) => singularName));
}

/** The component of that uid, or of that name where only one category has it. @throws `cli/unknown-name`, `scaffold/ambiguous-name` */
export function resolveComponent<T extends NamedComponent>(components: readonly T[], name: string): T {
  const found = pick([components.filter((component) => component.uid === name), components.filter((component) => component.name === name)], name);
  if (found !== undefined) return found;
  throw unknownName('component', name, components.map(({ uid }) => uid));
}

/** The attribute's own name, checked. @throws `cli/unknown-name` with the nearest */
export function resolveAttribute(holder: { readonly uid: Uid; readonly attributes: readonly { readonly name: string }[] }, name: string): string {
  const names = holder.attributes.map((attribute) => attribute.name);
  if (names.includes(name)) return name;
  const close = nearest(name, names);
  const remedy = close === undefined ? `${holder.uid} has ${names.length === 0 ? 'none' : names.join(', ')}.` : `Did you mean ${close}?`;
  throw fail('cli/unknown-name', { what: 'attribute', name: `${name} in ${holder.uid}`, remedy });
}
