import slugify from '@sindresorhus/slugify';
import pluralize from 'pluralize';
import { createError } from '../../errors/catalogue.js';
import { kebabCase, upperFirst, words } from '../../lib/names.js';
import type { ContentTypeDefinition } from '../../model/content-types/definition.js';
import type { SchemaProject } from './schema-project.js';

/** The names of a content-type. */
export interface TypeNames {
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly collectionName: string;
}

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** Returns the nearest name that {@link KEBAB} accepts: `kuenstler` for `Künstler`. */
const validNameOf = (name: string): string => {
  const spelled = slugify(name).replace(/^[^a-z]+/, '');
  return KEBAB.test(spelled) ? spelled : 'such as blog-post';
};

const assertKebab = (kind: string, name: string, singular?: string): void => {
  if (KEBAB.test(name)) return;
  const valid = validNameOf(name);
  throw createError('scaffold/invalid-name', {
    kind,
    name,
    reason: 'it must consist of lower-case words joined by -',
    remedy: `Write ${valid === singular ? pluralOf(singular) : valid}.`,
  });
};

/**
 * Returns the plural: `articles` for `article`. Adds a suffix to words with the same singular and plural
 * (`news`), since the two must differ.
 */
export function pluralOf(singular: string): string {
  const plural = pluralize.plural(singular);
  return plural === singular ? `${singular}-items` : plural;
}

/**
 * Derives the names of a type: `Blog Post` becomes blog-post, blog-posts, Blog Post and blog_posts.
 *
 * @throws `scaffold/invalid-name`
 */
export function deriveTypeNames(input: {
  readonly name: string;
  readonly plural?: string | undefined;
  readonly displayName?: string | undefined;
}): TypeNames {
  const singularName = KEBAB.test(input.name) ? input.name : kebabCase(input.name);
  assertKebab('The name', singularName === '' ? input.name : singularName);
  const pluralName = input.plural ?? pluralOf(singularName);
  assertKebab('The plural', pluralName, singularName);
  if (pluralName === singularName) {
    throw createError('scaffold/invalid-name', {
      kind: 'The plural',
      name: pluralName,
      reason: 'it is the same as the singular',
      remedy: `Pass another plural, such as --plural ${singularName}-items`,
    });
  }
  return {
    singularName,
    pluralName,
    displayName: input.displayName ?? words(input.name).map(upperFirst).join(' '),
    collectionName: pluralName.replaceAll('-', '_'),
  };
}

/** Returns the uid of a type of the project. */
export function typeUid({ singularName }: Pick<TypeNames, 'singularName'>): string {
  return `api::${singularName}.${singularName}`;
}

/**
 * Splits a component's uid (`shared.seo`) into category and name.
 *
 * @throws `scaffold/invalid-name`
 */
export function parseComponentName(uid: string): { readonly category: string; readonly name: string } {
  const [category = '', name = '', ...rest] = uid.split('.');
  const isValid =
    [category, name].every((part) => /^[A-Za-z][A-Za-z0-9_-]*$/.test(part)) && rest.length === 0;
  if (!isValid)
    throw createError('scaffold/invalid-name', {
      kind: 'The component',
      name: uid,
      reason: 'it must have the form category.name',
      remedy: 'Write category.name in lower case, such as blocks.hero.',
    });
  return { category, name };
}

/**
 * Asserts that no other content-type of the project has one of the names.
 *
 * @param owner a type that may already have them
 * @throws `scaffold/name-taken`
 */
export function assertTypeNamesAvailable(
  { definitions }: SchemaProject,
  names: Pick<TypeNames, 'singularName' | 'pluralName'>,
  owner?: ContentTypeDefinition,
): void {
  for (const type of definitions.types) {
    if (type === owner || !type.uid.startsWith('api::')) continue;
    const existingNames = [type.singularName, type.pluralName];
    const takenName = [names.singularName, names.pluralName].find((name) => existingNames.includes(name));
    if (takenName !== undefined)
      throw createError('scaffold/name-taken', {
        kind: 'content-type',
        name: takenName,
        file: type.file ?? type.uid,
        remedy:
          `Choose another name, change it: cms type edit ${type.singularName}, ` +
          `or add attributes with: cms field add ${type.singularName} NAME:TYPE`,
      });
  }
}
