import {
  GraphQLObjectType,
  GraphQLSchema,
  isInterfaceType,
  isObjectType,
  lexicographicSortSchema,
  validateSchema,
} from 'graphql';
import type { GraphQLField, GraphQLFieldResolver } from 'graphql';
import { isRecord } from '../../../lib/records.js';
import { didYouMean } from '../../../lib/nearest.js';
import type { GraphqlContext } from '../graphql-context.js';
import { markProjectRecords } from '../fields/populated-field.js';
import { markGenerated } from '../schema/field-marks.js';
import type { SchemaExtension } from '../schema/type-registry.js';
import type { Application, WithApplication } from './configuration.js';
import { applyPlugins, applyResolvers, applyTypes } from './apply-types.js';
import { applyTypeDefs } from './apply-type-defs.js';
import { bindAuth, bindMiddlewares, bindPolicies } from './bind-rules.js';
import type { ConfigLocation, ProjectCode } from './bind-rules.js';
import { createExtensionError, evaluateExtensions } from './evaluate-extensions.js';
import type { EvaluatedExtension, ExtensionRegistrations } from './evaluate-extensions.js';
import { wrapField } from './wrap-field.js';
import type { FieldRules } from './wrap-field.js';

type Field = GraphQLField<unknown, GraphqlContext>;

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
