import type { GraphQLResolveInfo } from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';
import type { GraphqlContext } from '../graphql-context.js';
import type { WithApplication } from './configuration.js';
import { getNamedCode } from './get-named-code.js';
import type { ConfigLocation } from './get-named-code.js';
import { createExtensionError } from './evaluate-extensions.js';
import { isFunction } from './is-function.js';
import type { AnyFunction } from './is-function.js';

type Values = Readonly<Record<string, unknown>>;

/** One call of a resolver. */
export interface ResolverCall {
  readonly parent: unknown;
  readonly args: Values;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

/** Throws `graphql/policy-failed` unless the policy allows the call. */
export type BoundPolicy = (call: ResolverCall) => Promise<void>;

const contextOf = ({ parent, args, context, info }: ResolverCall): Values => ({
  type: 'graphql',
  is: (type: string) => type === 'graphql',
  parent,
  args,
  context,
  info,
  http: context.http,
  state: context.state,
});

const createPolicy =
  (handler: AnyFunction, rest: readonly unknown[]): BoundPolicy =>
  async (call) => {
    if (!(await handler(contextOf(call), ...rest))) throw createError('graphql/policy-failed');
  };

/**
 * Returns the function of a policy file. The file exports the function, or an object with the function as
 * `handler` and optionally a `validator` of its configuration.
 */
const handlerOf = (
  location: ConfigLocation,
  name: string,
  { code, config }: { readonly code: unknown; readonly config: Values },
): AnyFunction => {
  if (isFunction(code)) return code;
  const { handler, validator } = isRecord(code) ? code : {};
  if (!isFunction(handler))
    throw createExtensionError(location.source, location.key, `the policy ${name} is not a function.`);
  try {
    if (isFunction(validator)) validator(config);
  } catch (error) {
    throw createExtensionError(location.source, location.key, error);
  }
  return handler;
};

const bindPolicy = async (
  location: ConfigLocation,
  entry: unknown,
  tools: WithApplication,
): Promise<BoundPolicy> => {
  if (isFunction(entry)) return createPolicy(entry, [tools, tools]);
  const { name, config = {} } = isRecord(entry) ? entry : { name: entry };
  if (typeof name !== 'string' || !isRecord(config))
    throw createExtensionError(
      location.source,
      location.key,
      'a policy must be a function, a name, or an object with a name and a config.',
    );
  const code = await getNamedCode(location, 'policy', name);
  return createPolicy(handlerOf(location, name, { code, config }), [config, tools]);
};

/**
 * Returns the policies of one field, in the order in which they are evaluated.
 *
 * @throws `graphql/invalid-extension` for names that are not registered
 */
export async function bindPolicies(
  location: ConfigLocation,
  entries: unknown,
  tools: WithApplication,
): Promise<readonly BoundPolicy[]> {
  if (entries === undefined || entries === null) return [];
  if (!Array.isArray(entries))
    throw createExtensionError(location.source, location.key, 'policies must be a list.');
  return Promise.all(entries.map((entry) => bindPolicy(location, entry, tools)));
}
