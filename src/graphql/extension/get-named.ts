import { nearest } from '../../lib/nearest.js';
import type { ProjectCode } from './named-code.js';
import { broken } from './read-uses.js';

/** Where a field's configuration stands, for errors, and what it may name. */
export interface ConfigPlace {
  readonly place: string;
  /** `resolversConfig.Query.articles` */
  readonly key: string;
  readonly code: ProjectCode;
}

/** `is-owner` of `api::article.is-owner`. */
const lastPart = (name: string): string => name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);

/** The policy or middleware of that name. Throws `graphql/broken-extension`, with the names there are. */
export async function getNamed({ place, key, code }: ConfigPlace, what: 'policy' | 'middleware', name: string): Promise<unknown> {
  const registered = what === 'policy' ? code.policies : code.middlewares;
  const found = await registered.get(name);
  if (found !== undefined) return found;
  const names = registered.names();
  const meant = nearest(name, names) ?? names.find((each) => lastPart(each) === nearest(lastPart(name), names.map(lastPart)));
  const remedy = meant === undefined ? `Registered: ${names.length === 0 ? 'none' : names.join(', ')}.` : `Did you mean ${meant}?`;
  throw broken(place, key, `there is no ${what} ${name}. ${remedy}`);
}
