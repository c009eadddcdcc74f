import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';
import type { GraphqlContext } from '../graphql-context.js';
import type { ConfigLocation } from './get-named-code.js';
import { createExtensionError } from './evaluate-extensions.js';

/** Throws `request/forbidden` unless the caller may use the field. */
export type Authorise = (context: GraphqlContext) => void;

/** Requires nothing. */
const allowAnyone: Authorise = () => undefined;

/**
 * The rule for a project's own root fields without a scope: the caller is a signed-in user, or a token that
 * grants everything.
 */
export const requireAuthenticated: Authorise = ({ caller }) => {
  if (caller.kind === 'user' || caller.grants.kind === 'all') return;
  throw createError('request/forbidden');
};

const SCOPE = /^(.+)\.([^.]+)$/;

const requireScopes = (location: ConfigLocation, scopes: readonly unknown[]): Authorise => {
  const permissions = scopes.map((scope) => {
    const [, uid, action] = (typeof scope === 'string' ? SCOPE.exec(scope) : null) ?? [];
    if (uid === undefined || action === undefined)
      throw createExtensionError(
        location.source,
        location.key,
        `${String(scope)} is not a permission. A permission looks like api::article.article.find.`,
      );
    return { uid, action };
  });
  return (context) => {
    for (const { uid, action } of permissions)
      context.dependencies.access.authorise(context.caller, uid, action);
  };
};

/**
 * Compiles a field's `auth`. Null: the default applies.
 *
 * @throws `graphql/invalid-extension`
 */
export function bindAuth(location: ConfigLocation, auth: unknown): Authorise | null {
  if (auth === undefined || auth === null || auth === true) return null;
  if (auth === false) return allowAnyone;
  const scope = isRecord(auth) ? auth['scope'] : null;
  if (scope === undefined) return requireAuthenticated;
  const scopes: unknown = typeof scope === 'string' ? [scope] : scope;
  if (!Array.isArray(scopes))
    throw createExtensionError(
      location.source,
      location.key,
      'auth must be false, or an object whose scope is a list of permissions.',
    );
  return scopes.length === 0 ? requireAuthenticated : requireScopes(location, scopes);
}
