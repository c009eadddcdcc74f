import pluralize from 'pluralize';
import { fail } from '../errors/catalogue.js';
import { kebabCase, upperFirst, words } from '../lib/casing.js';

/** What a content-type is called in its several places. */
export interface TypeNames {
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly collectionName: string;
}

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

const assertKebab = (what: string, name: string): void => {
  if (KEBAB.test(name)) return;
  throw fail('scaffold/invalid-name', { what, name, reason: 'it is not made of lower-case words joined by -', remedy: kebabCase(name) === '' ? 'Write for instance blog-post.' : `Write ${kebabCase(name)}.` });
};

/** `articles` from `article`; where a word is its own plural (`news`) the two must still differ. */
export function pluralOf(singular: string): string {
  const plural = pluralize.plural(singular);
  return plural === singular ? `${singular}-items` : plural;
}

/**
 * The names of a type from whatever somebody typed: `Blog Post` → blog-post, blog-posts, Blog Post, blog_posts.
 *
 * @throws `scaffold/invalid-name`
 */
export function deriveTypeNames(given: { readonly name: string; readonly plural?: string | undefined; readonly displayName?: string | undefined }): TypeNames {
  const singularName = KEBAB.test(given.name) ? given.name : kebabCase(given.name);
  assertKebab('The name', singularName === '' ? given.name : singularName);
  const pluralName = given.plural ?? pluralOf(singularName);
  assertKebab('The plural', pluralName);
  if (pluralName === singularName) {
    throw fail('scaffold/invalid-name', { what: 'The plural', name: pluralName, reason: 'it is the same as the singular', remedy: `Pass for instance --plural ${singularName}-items` });
  }
  return {
    singularName,
    pluralName,
    displayName: given.displayName ?? words(given.name).map(upperFirst).join(' '),
    collectionName: pluralName.replaceAll('-', '_'),
  };
}

/** Category and name of a component from `shared.seo`. @throws `scaffold/invalid-name` */
export function parseComponentName(uid: string): { readonly category: string; readonly name: string } {
  const [category = '', name = '', ...rest] = uid.split('.');
  const usable = [category, name].every((part) => /^[A-Za-z][A-Za-z0-9_-]*$/.test(part)) && rest.length === 0;
  if (!usable) throw fail('scaffold/invalid-name', { what: 'The component', name: uid, reason: 'it is not category.name', remedy: 'Write for instance shared.seo.' });
  return { category, name };
}
