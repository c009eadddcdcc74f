import { isDeepStrictEqual } from 'node:util';
import {
  GraphQLObjectType,
  GraphQLSchema,
  isInterfaceType,
  isObjectType,
  lexicographicSortSchema,
  validateSchema,
  defaultFieldResolver,
  getNamedType,
  isCompositeType,
} from 'graphql';
import type { GraphQLField, GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { isRecord } from '../../../lib/records.js';
import { didYouMean } from '../../../lib/nearest.js';
import { USER_UID } from '../../../model/content-types/builtin-types.js';
import { typeOf } from '../../../model/lookup.js';
import { toPublicError } from '../../../errors/project-errors.js';
import type { GraphqlContext } from '../graphql-context.js';
import { markProjectRecords, markReadRecords } from '../fields/populated-field.js';
import { markGenerated, isGenerated, markProjectCode, fieldPermission } from '../schema/field-marks.js';
import type { SchemaExtension } from '../schema/type-registry.js';
import { concealPrivate, exposeModel } from '../../../query/schema-fields.js';
import { readUserWithRole } from '../fields/account-resolvers.js';
import { argumentsOf } from '../selection/plan-read.js';
import { withCacheControl } from './configuration.js';
import type { Application, WithApplication } from './configuration.js';
import { applyPlugins, applyResolvers, applyTypes } from './apply-types.js';
import { applyTypeDefs } from './apply-type-defs.js';
import { bindAuth, bindMiddlewares, bindPolicies, requireAuthenticated } from './bind-rules.js';
import type {
  ConfigLocation,
  ProjectCode,
  Authorise,
  BoundMiddleware,
  BoundPolicy,
  ResolverCall,
} from './bind-rules.js';
import { createExtensionError, evaluateExtensions } from './evaluate-extensions.js';
import type { EvaluatedExtension, ExtensionRegistrations } from './evaluate-extensions.js';

/** The rules of one field. */
interface FieldRules {
  readonly authorise: Authorise | null;
  readonly policies: readonly BoundPolicy[];
  readonly middlewares: readonly BoundMiddleware[];
}

type Field = GraphQLField<unknown, GraphqlContext>;
type Resolve = GraphQLFieldResolver<unknown, GraphqlContext>;
type Handler = (call: ResolverCall) => unknown;

/**
 * Reads the signed-in user, with private attributes, before the first project code of an operation runs.
 * Null: no read is needed.
 */
const loadUser = (context: GraphqlContext): Promise<void> | null => {
  const { caller, state, project, dependencies } = context;
  if (caller.kind !== 'user' || state.user !== undefined) return null;
  const model = exposeModel(dependencies.model);
  project.userLoading ??= readUserWithRole(context, caller.documentId, model).then((user) => {
    if (isRecord(user)) concealPrivate(typeOf(dependencies.model, USER_UID), user);
    state.user = (user ?? undefined) as typeof state.user;
    state.auth.credentials = user;
  });
  return project.userLoading;
};

/**
 * Calls a generated resolver. By default it checks the caller's permission and reads its arguments from the
 * document.
 */
const createGeneratedHandler = (field: Field, resolve: Resolve, isAuthorisationSkipped: boolean): Handler => {
  const handler: Handler = ({ parent, args, context, info }) => {
    const hasOverriddenArgs = Object.keys(args).length > 0 && !isDeepStrictEqual(args, argumentsOf(info));
    context.project.calls.set(info.path, { args, hasOverriddenArgs, isAuthorisationSkipped });
    return resolve(parent, args, context, info);
  };
  if (!isCompositeType(getNamedType(field.type))) return handler;
  return async (call) => {
    const value = await handler(call);
    markReadRecords(value, call.context);
    return value;
  };
};

const createProjectHandler =
  (resolve: Resolve): Handler =>
  ({ parent, args, context, info }) =>
    resolve(parent, args, context, info);

const composeHandler = ({ policies, middlewares }: FieldRules, handler: Handler): Handler => {
  const withPolicies: Handler = async (call) => {
    for (const policy of policies) await policy(call);
    return handler(call);
  };
  return middlewares.reduceRight<Handler>(
    (rest, middleware) => (call) => {
      const { parent, args, context, info } = call;
      // Parameters that a middleware passes replace the original ones. It may omit them.
      const next = (...overrides: readonly unknown[]): unknown =>
        rest({
          parent: overrides.length > 0 ? overrides[0] : parent,
          args: (overrides[1] ?? args) as ResolverCall['args'],
          context: (overrides[2] ?? context) as GraphqlContext,
          info: (overrides[3] ?? info) as GraphQLResolveInfo,
        });
      return middleware(next, parent, args, context, info);
    },
    policies.length === 0 ? handler : withPolicies,
  );
};

const ROOT_TYPE_NAMES: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

const guardOf = (field: Field, parentName: string, rules: FieldRules): Authorise | null => {
  const { authorise } = rules;
  if (authorise !== null) return authorise;
  const permission = isGenerated(field) ? fieldPermission(field) : undefined;
  // The resolver checks the permission itself, but project code must not run before the check.
  if (permission !== undefined && runsProjectCode(field, rules))
    return ({ dependencies, caller }) =>
      dependencies.access.authorise(caller, permission.uid, permission.action);
  return ROOT_TYPE_NAMES.has(parentName) && !isGenerated(field) ? requireAuthenticated : null;
};

const runsProjectCode = (field: Field, { policies, middlewares }: FieldRules): boolean =>
  !isGenerated(field) || policies.length > 0 || middlewares.length > 0;

/** Resolves a field without a resolver from a value that project code has returned. */
const resolveReturned: Resolve = (parent, args, context, info) => {
  const value: unknown = defaultFieldResolver(parent, args, context, info);
  markProjectRecords(value, context);
  return value;
};

/**
 * Wraps a field's resolver in authorisation, middlewares and policies, in that order from outside. Generated
 * fields without rules are not changed.
 *
 * @param parentName the type that has the field
 */
function wrapField(field: Field, parentName: string, rules: FieldRules): void {
  const guard = guardOf(field, parentName, rules);
  if (!runsProjectCode(field, rules) && guard === null) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  const { policies, middlewares } = rules;
  if (runsProjectCode(field, rules)) markProjectCode(field);
  if (guard === null && policies.length + middlewares.length === 0 && field.resolve === undefined) {
    if (isCompositeType(getNamedType(field.type))) field.resolve = resolveReturned;
    return;
  }
  const handler = isGenerated(field)
    ? createGeneratedHandler(field, resolve, rules.authorise !== null)
    : createProjectHandler(resolve);
  const run = composeHandler(rules, handler);
  const returnsProjectRecords = runsProjectCode(field, rules) && isCompositeType(getNamedType(field.type));
  const hasArguments = field.args.length > 0;
  const { subscribe } = field;
  if (subscribe !== undefined && guard !== null) {
    field.subscribe = (parent, args, context, info) => {
      guard(context);
      return subscribe(parent, args, context, info);
    };
  }
  field.resolve = async (parent, executorArgs, context, info) => {
    guard?.(context);
    const userLoading = loadUser(context);
    if (userLoading !== null) await userLoading;
    try {
      const value = await run({
        parent,
        args: hasArguments ? argumentsOf(info) : (executorArgs as ResolverCall['args']),
        context,
        info: withCacheControl(info),
      });
      if (returnsProjectRecords) markProjectRecords(value, context);
      return value;
    } catch (error) {
      throw toPublicError(error) ?? error;
    }
  };
}

export interface SchemaExtensionDependencies {
  readonly registrations: ExtensionRegistrations;
  readonly app: Application;
  readonly code: ProjectCode;
  readonly warn: (message: string) => void;
}

const NO_RULES: FieldRules = { authorise: null, policies: [], middlewares: [] };

const CONFIG_KEYS = ['auth', 'policies', 'middlewares'];

const bindRules = async (
  location: ConfigLocation,
  config: unknown,
  tools: WithApplication,
): Promise<FieldRules> => {
  if (!isRecord(config))
    throw createExtensionError(
      location.source,
      location.key,
      `it must be an object with ${CONFIG_KEYS.join(', ')}.`,
    );
  const unknownKey = Object.keys(config).find((key) => !CONFIG_KEYS.includes(key));
  if (unknownKey !== undefined)
    throw createExtensionError(
      location.source,
      location.key,
      `unknown key ${unknownKey}. Allowed: ${CONFIG_KEYS.join(', ')}.`,
    );
  return {
    authorise: bindAuth(location, config['auth']),
    policies: await bindPolicies(location, config['policies'], tools),
    middlewares: await bindMiddlewares(location, config['middlewares'], tools),
  };
};

/**
 * Joins the rules of two extensions for one field: the first `auth` applies, and all policies and
 * middlewares.
 */
const joinRules = (first: FieldRules, second: FieldRules): FieldRules => ({
  authorise: first.authorise ?? second.authorise,
  policies: [...first.policies, ...second.policies],
  middlewares: [...first.middlewares, ...second.middlewares],
});

const assertField = (schema: GraphQLSchema, { source, key }: ConfigLocation, path: string): void => {
  const [typeName = '', fieldName = ''] = path.split('.');
  const type = schema.getType(typeName);
  if (isObjectType(type) && Object.hasOwn(type.getFields(), fieldName)) return;
  const candidates = isObjectType(type)
    ? Object.keys(type.getFields()).map((name) => `${typeName}.${name}`)
    : Object.keys(schema.getTypeMap());
  const suggestion = didYouMean(isObjectType(type) ? path : typeName, candidates);
  throw createExtensionError(source, key, `the schema has no field ${path}. ${suggestion}`.trimEnd());
};

const rulesByField = async (
  schema: GraphQLSchema,
  extensions: readonly EvaluatedExtension[],
  { code, app }: Pick<SchemaExtensionDependencies, 'code' | 'app'>,
): Promise<ReadonlyMap<string, FieldRules>> => {
  const rules = new Map<string, FieldRules>();
  for (const { source, resolversConfig } of extensions) {
    for (const [path, config] of Object.entries(resolversConfig)) {
      const location = { source, key: `resolversConfig.${path}`, code };
      assertField(schema, location, path);
      rules.set(
        path,
        joinRules(rules.get(path) ?? NO_RULES, await bindRules(location, config, { app, strapi: app })),
      );
    }
  }
  return rules;
};

const wrapFields = (schema: GraphQLSchema, rules: ReadonlyMap<string, FieldRules>): void => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      wrapField(field as Field, type.name, rules.get(`${type.name}.${field.name}`) ?? NO_RULES);
  }
};

/** Removes generated types that are not referred to. */
const removeUnusedTypes = (schema: GraphQLSchema, generated: ReadonlySet<string>): GraphQLSchema => {
  const { types, ...config } = schema.toConfig();
  const keptTypes = types.filter(
    (type) =>
      !generated.has(type.name) ||
      ((isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().length > 0),
  );
  return new GraphQLSchema({ ...config, types: keptTypes });
};

const assertValid = (schema: GraphQLSchema, extensions: readonly EvaluatedExtension[]): GraphQLSchema => {
  const [error] = validateSchema(schema);
  if (error === undefined) return schema;
  const errorSource = error.nodes?.findLast(({ loc }) => loc !== undefined)?.loc?.source.name;
  throw createExtensionError(
    errorSource ??
      (extensions.length === 0 ? '(shadowCRUD)' : extensions.map(({ source }) => source).join(', ')),
    'schema',
    error.message,
  );
};

/** True for the type of a document, which has a `documentId`. Components and figures have none. */
const isDocumentType = (type: unknown): type is GraphQLObjectType =>
  isObjectType(type) && Object.hasOwn(type.getFields(), 'documentId');

/** Resolves `data` of a response from `{ value }`, which project code returns as Strapi's resolvers do. */
const resolveValue: GraphQLFieldResolver<unknown, GraphqlContext> = (source, _args, context) => {
  const value: unknown = Reflect.get(Object(source) as object, 'value');
  markProjectRecords(value, context);
  return value;
};

/**
 * Returns the schema with a type such as `ArticleEntityResponse` for each content-type, as in Strapi. No
 * generated field has such a type, but fields of the project may.
 */
const withEntityResponses = (schema: GraphQLSchema): GraphQLSchema => {
  const { types, ...config } = schema.toConfig();
  const responses = types.filter(isDocumentType).flatMap((type) => {
    const name = `${type.name}EntityResponse`;
    if (schema.getType(name) !== undefined) return [];
    return [new GraphQLObjectType({ name, fields: { data: { type, resolve: resolveValue } } })];
  });
  return new GraphQLSchema({ ...config, types: [...types, ...responses] });
};

/** Creates the schema extension of a project from its calls of the extension service. */
export function createSchemaExtension({
  registrations,
  app,
  code,
  warn,
}: SchemaExtensionDependencies): SchemaExtension {
  const { switches, extensions } = registrations;
  return {
    switches,
    addsTypes: extensions.length > 0,
    extend: async (generated) => {
      if (extensions.length === 0) return assertValid(generated, []);
      // Types that all schemas share must not be changed. Sorting copies every type.
      const schemaCopy = withEntityResponses(lexicographicSortSchema(generated));
      markGenerated(schemaCopy);
      const evaluated = evaluateExtensions(extensions, { app, strapi: app });
      const extendedSchema = applyTypeDefs(applyTypes(schemaCopy, evaluated), evaluated, warn);
      applyResolvers(extendedSchema, evaluated);
      const schema = assertValid(
        removeUnusedTypes(
          applyPlugins(extendedSchema, evaluated),
          new Set(Object.keys(schemaCopy.getTypeMap())),
        ),
        evaluated,
      );
      wrapFields(schema, await rulesByField(schema, evaluated, { code, app }));
      return schema;
    },
  };
}
