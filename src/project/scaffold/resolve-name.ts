import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';
import type { Uid } from '../../lib/ids.js';
import { isGalleyError } from '../../errors/galley-error.js';

/** The names of a content-type, from a definition or the model. */
export interface NamedType {
  readonly uid: Uid;
  readonly singularName: string;
  readonly pluralName: string;
}

export interface NamedComponent {
  readonly uid: Uid;
  readonly name: string;
}

const unknownName = (kind: string, name: string, candidates: readonly string[]): Error => {
  const fallbackRemedy =
    candidates.length === 0 ? `There is no ${kind} yet.` : `Valid are ${candidates.join(', ')}.`;
  return createError('cli/unknown-name', {
    kind,
    name,
    remedy: didYouMean(name, candidates, fallbackRemedy),
  });
};

const singleMatch = <T extends { readonly uid: Uid }>(matches: readonly T[], name: string): T | undefined => {
  if (matches.length > 1)
    throw createError('scaffold/ambiguous-name', {
      name,
      candidates: matches.map(({ uid }) => uid).join(' or '),
    });
  return matches[0];
};

const firstMatch = <T extends { readonly uid: Uid }>(
  groups: readonly (readonly T[])[],
  name: string,
): T | undefined => {
  for (const group of groups) {
    const match = singleMatch(group, name);
    if (match !== undefined) return match;
  }
  return undefined;
};

/**
 * Finds a type by uid or short name: `article`, `articles`, `user`. The project's types take precedence over
 * built-in ones.
 *
 * @throws `cli/unknown-name` with the nearest name, `scaffold/ambiguous-name`
 */
export function resolveType<T extends NamedType>(types: readonly T[], name: string): T {
  const projectTypes = types.filter((type) => type.uid.startsWith('api::'));
  const withName = (list: readonly T[], key: 'singularName' | 'pluralName'): readonly T[] =>
    list.filter((type) => type[key] === name);
  const match = firstMatch(
    [
      types.filter((type) => type.uid === name),
      withName(projectTypes, 'singularName'),
      withName(projectTypes, 'pluralName'),
      withName(types, 'singularName'),
      withName(types, 'pluralName'),
    ],
    name,
  );
  if (match !== undefined) return match;
  throw unknownName(
    'content-type',
    name,
    name.includes('::') ? types.map(({ uid }) => uid) : types.map(({ singularName }) => singularName),
  );
}

/**
 * Finds a component by uid, or by name if only one category has it.
 *
 * @throws `cli/unknown-name`, `scaffold/ambiguous-name`
 */
export function resolveComponent<T extends NamedComponent>(components: readonly T[], name: string): T {
  const match = firstMatch(
    [
      components.filter((component) => component.uid === name),
      components.filter((component) => component.name === name),
    ],
    name,
  );
  if (match !== undefined) return match;
  throw unknownName(
    'component',
    name,
    components.map(({ uid }) => uid),
  );
}

/**
 * Returns the name if the schema has such an attribute.
 *
 * @throws `cli/unknown-name` with the nearest name
 */
export function resolveAttribute(
  schema: { readonly uid: Uid; readonly attributes: readonly { readonly name: string }[] },
  name: string,
): string {
  const names = schema.attributes.map((attribute) => attribute.name);
  if (names.includes(name)) return name;
  const fallbackRemedy = `${schema.uid} has ${names.length === 0 ? 'none' : names.join(', ')}.`;
  const remedy = didYouMean(name, names, fallbackRemedy);
  throw createError('cli/unknown-name', { kind: 'attribute', name: `${name} in ${schema.uid}`, remedy });
}

/**
 * Finds a content-type or component by uid or short name. A name with a dot and without `::` is a
 * component's.
 *
 * @throws `cli/unknown-name` with the nearest name, `scaffold/ambiguous-name`
 */
export function resolveSchema<T extends NamedType, C extends NamedComponent>(
  { types, components }: { readonly types: readonly T[]; readonly components: readonly C[] },
  name: string,
): T | C {
  if (name.includes('.') && !name.includes('::')) return resolveComponent(components, name);
  try {
    return resolveType(types, name);
  } catch (error) {
    if (
      isGalleyError(error) &&
      error.code === 'cli/unknown-name' &&
      components.some((component) => component.name === name)
    )
      return resolveComponent(components, name);
    throw error;
  }
}
