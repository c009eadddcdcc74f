import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { GraphqlContext } from '../graphql-parts.js';
import type { ConfigPlace } from './get-named.js';
import { broken } from './read-uses.js';

/** Throws `request/forbidden` unless whoever asks may have the field. */
export type Authorise = (context: GraphqlContext) => void;

/** Nothing is asked for. */
export const anyone: Authorise = () => undefined;

/** A field of the project's own for which no scope is named: users who are signed in, and tokens that may do everything. */
export const authenticated: Authorise = ({ caller }) => {
  if (caller.kind === 'user' || caller.grants.kind === 'all') return;
  throw fail('request/forbidden');
};

const SCOPE = /^(.+)\.([^.]+)$/;

const scoped = (at: ConfigPlace, scopes: readonly unknown[]): Authorise => {
  const needed = scopes.map((scope) => {
    const [, uid, action] = (typeof scope === 'string' ? SCOPE.exec(scope) : null) ?? [];
    if (uid === undefined || action === undefined) throw broken(at.place, at.key, `${String(scope)} is no permission; they look like api::article.article.find.`);
    return { uid, action };
  });
  return (context) => {
    for (const { uid, action } of needed) context.parts.access.authorise(context.caller, uid, action);
  };
};

/** What a field's `auth` asks for; null: what is asked for anyway. */
export function bindAuth(at: ConfigPlace, auth: unknown): Authorise | null {
  if (auth === undefined || auth === null || auth === true) return null;
  if (auth === false) return anyone;
  const scope = isRecord(auth) ? auth['scope'] : null;
  if (scope === undefined) return authenticated;
  const scopes: unknown = typeof scope === 'string' ? [scope] : scope;
  if (!Array.isArray(scopes)) throw broken(at.place, at.key, 'auth is false, or an object with a list of permissions as its scope.');
  return scopes.length === 0 ? authenticated : scoped(at, scopes);
}
