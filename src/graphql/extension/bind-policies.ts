import type { GraphQLResolveInfo } from 'graphql';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { GraphqlContext } from '../graphql-parts.js';
import type { WithApplication } from './configuration.js';
import { getNamed } from './get-named.js';
import type { ConfigPlace } from './get-named.js';
import { broken } from './read-uses.js';

type Values = Readonly<Record<string, unknown>>;

/** One call of a field, as project code sees it. */
export interface Call {
  readonly parent: unknown;
  readonly args: Values;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

/** Throws `graphql/policy-failed` unless the policy lets the call pass. */
export type BoundPolicy = (call: Call) => Promise<void>;

type AnyFunction = (...args: readonly unknown[]) => unknown;

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

const contextOf = ({ parent, args, context, info }: Call): Values => ({
  type: 'graphql', is: (type: string) => type === 'graphql', parent, args, context, info, http: context.http, state: context.state,
});

const bind = (handler: AnyFunction, rest: readonly unknown[]): BoundPolicy => async (call) => {
  if (!(await handler(contextOf(call), ...rest))) throw fail('graphql/policy-failed');
};

/** A policy as its file exports it: a function, or an object with one as `handler`, whose `validator` looks at the configuration. */
const handlerOf = (at: ConfigPlace, name: string, { code, config }: { readonly code: unknown; readonly config: Values }): AnyFunction => {
  if (isFunction(code)) return code;
  const { handler, validator } = isRecord(code) ? code : {};
  if (!isFunction(handler)) throw broken(at.place, at.key, `the policy ${name} is no function.`);
  try {
    if (isFunction(validator)) validator(config);
  } catch (error) {
    throw broken(at.place, at.key, error);
  }
  return handler;
};

const bindOne = async (at: ConfigPlace, entry: unknown, tools: WithApplication): Promise<BoundPolicy> => {
  if (isFunction(entry)) return bind(entry, [tools, tools]);
  const { name, config = {} } = isRecord(entry) ? entry : { name: entry };
  if (typeof name !== 'string' || !isRecord(config)) throw broken(at.place, at.key, 'a policy is a function, a name, or an object with a name and a config.');
  const code = await getNamed(at, 'policy', name);
  return bind(handlerOf(at, name, { code, config }), [config, tools]);
};

/** The policies of one field, ready to be asked in order. Throws `graphql/broken-extension` for names nobody has registered. */
export async function bindPolicies(at: ConfigPlace, entries: unknown, tools: WithApplication): Promise<readonly BoundPolicy[]> {
  if (entries === undefined || entries === null) return [];
  if (!Array.isArray(entries)) throw broken(at.place, at.key, 'policies must be a list.');
  return Promise.all(entries.map((entry) => bindOne(at, entry, tools)));
}
