import { didYouMean, nearest } from '../../../lib/nearest.js';
import type { ProjectCode } from './named-code.js';
import { createExtensionError } from './evaluate-extensions.js';

/** Location of a field's configuration, for error messages, and the code that it can refer to. */
export interface ConfigLocation {
  readonly source: string;
  /** `resolversConfig.Query.articles` */
  readonly key: string;
  readonly code: ProjectCode;
}

/** Returns the last part of a name: `is-owner` of `api::article.is-owner`. */
const unqualifiedName = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);

/**
 * Returns the registered name whose last part is similar to `name`, if no whole name is. For `isOwner` it is
 * `api::note.is-owner`.
 */
const findIntendedName = (name: string, names: readonly string[]): string | undefined => {
  if (nearest(name, names) !== undefined) return undefined;
  const nearestPart = nearest(unqualifiedName(name), names.map(unqualifiedName));
  return names.find((each) => unqualifiedName(each) === nearestPart);
};

/**
 * Returns the policy or middleware of a name.
 *
 * @throws `graphql/invalid-extension` with a suggestion, or the registered names
 */
export async function getNamedCode(
  { source, key, code }: ConfigLocation,
  kind: 'policy' | 'middleware',
  name: string,
): Promise<unknown> {
  const registered = kind === 'policy' ? code.policies : code.middlewares;
  const found = await registered.get(name);
  if (found !== undefined) return found;
  const names = registered.names();
  const remedy = didYouMean(
    findIntendedName(name, names) ?? name,
    names,
    `Registered: ${names.length === 0 ? 'none' : names.join(', ')}.`,
  );
  throw createExtensionError(source, key, `there is no ${kind} ${name}. ${remedy}`);
}
