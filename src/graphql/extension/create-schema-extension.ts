import { GraphQLSchema, isInterfaceType, isObjectType, lexicographicSortSchema, validateSchema } from 'graphql';
import type { GraphQLField } from 'graphql';
import { isRecord } from '../../lib/is-record.js';
import { nearest } from '../../lib/nearest.js';
import type { GraphqlContext } from '../graphql-parts.js';
import { markGenerated } from '../schema/field-marks.js';
import type { SchemaExtension } from '../schema/switches.js';
import type { Application, WithApplication } from './configuration.js';
import { applyResolvers } from './apply-resolvers.js';
import { applyTypeDefs } from './apply-type-defs.js';
import { applyPlugins, applyTypes } from './apply-types.js';
import { bindAuth } from './bind-auth.js';
import { bindMiddlewares } from './bind-middlewares.js';
import { bindPolicies } from './bind-policies.js';
import type { ExtensionCalls } from './extension-service.js';
import type { ConfigPlace } from './get-named.js';
import type { ProjectCode } from './named-code.js';
import { broken, readUses } from './read-uses.js';
import type { ReadUse } from './read-uses.js';
import { wrapField } from './wrap-field.js';
import type { FieldRules } from './wrap-field.js';

type Field = GraphQLField<unknown, GraphqlContext>;

export interface SchemaExtensionParts {
  readonly calls: ExtensionCalls;
  readonly app: Application;
  readonly code: ProjectCode;
}

const NO_RULES: FieldRules = { authorise: null, policies: [], middlewares: [] };

const CONFIG_KEYS = ['auth', 'policies', 'middlewares'];

const bindRules = async (at: ConfigPlace, config: unknown, tools: WithApplication): Promise<FieldRules> => {
  if (!isRecord(config)) throw broken(at.place, at.key, `it must be an object with ${CONFIG_KEYS.join(', ')}.`);
  const unknown = Object.keys(config).find((key) => !CONFIG_KEYS.includes(key));
  if (unknown !== undefined) throw broken(at.place, at.key, `there is no such key as ${unknown}. Allowed: ${CONFIG_KEYS.join(', ')}.`);
  return {
    authorise: bindAuth(at, config['auth']),
    policies: await bindPolicies(at, config['policies'], tools),
    middlewares: await bindMiddlewares(at, config['middlewares'], tools),
  };
};

/** What several extensions say about one field: the first that speaks of rights is heard, policies and middlewares add up. */
const joinRules = (first: FieldRules, second: FieldRules): FieldRules => ({
  authorise: first.authorise ?? second.authorise,
  policies: [...first.policies, ...second.policies],
  middlewares: [...first.middlewares, ...second.middlewares],
});

const assertField = (schema: GraphQLSchema, { place, key }: ConfigPlace, path: string): void => {
  const [typeName = '', fieldName = ''] = path.split('.');
  const type = schema.getType(typeName);
  if (isObjectType(type) && Object.hasOwn(type.getFields(), fieldName)) return;
  const known = isObjectType(type) ? Object.keys(type.getFields()).map((name) => `${typeName}.${name}`) : Object.keys(schema.getTypeMap());
  const meant = nearest(isObjectType(type) ? path : typeName, known);
  throw broken(place, key, `the schema has no field ${path}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`);
};

const rulesByField = async (schema: GraphQLSchema, uses: readonly ReadUse[], { code, app }: Pick<SchemaExtensionParts, 'code' | 'app'>): Promise<ReadonlyMap<string, FieldRules>> => {
  const rules = new Map<string, FieldRules>();
  for (const { place, resolversConfig } of uses) {
    for (const [path, config] of Object.entries(resolversConfig)) {
      const at = { place, key: `resolversConfig.${path}`, code };
      assertField(schema, at, path);
      rules.set(path, joinRules(rules.get(path) ?? NO_RULES, await bindRules(at, config, { app, strapi: app })));
    }
  }
  return rules;
};

const wrapFields = (schema: GraphQLSchema, rules: ReadonlyMap<string, FieldRules>): void => {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) wrapField(field as Field, type.name, rules.get(`${type.name}.${field.name}`) ?? NO_RULES);
  }
};

/** Takes out generated types that nothing refers to after all. */
const prune = (schema: GraphQLSchema, generated: ReadonlySet<string>): GraphQLSchema => {
  const { types, ...config } = schema.toConfig();
  const own = types.filter((type) => !generated.has(type.name) || ((isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().length > 0));
  return new GraphQLSchema({ ...config, types: own });
};

const assertValid = (schema: GraphQLSchema, uses: readonly ReadUse[]): GraphQLSchema => {
  const [error] = validateSchema(schema);
  if (error === undefined) return schema;
  const source = error.nodes?.findLast(({ loc }) => loc !== undefined)?.loc?.source.name;
  throw broken(source ?? (uses.length === 0 ? '(shadowCRUD)' : uses.map(({ place }) => place).join(', ')), 'schema', error.message);
};

/** What a project's calls of the extension service come to, once its schema is built. */
export function createSchemaExtension({ calls, app, code }: SchemaExtensionParts): SchemaExtension {
  const { switches, uses } = calls;
  return {
    switches,
    addsTypes: uses.length > 0,
    extend: async (generated) => {
      if (uses.length === 0) return assertValid(generated, []);
      // Types that every schema shares must stay as they are.
      const own = lexicographicSortSchema(generated);
      markGenerated(own);
      const read = readUses(uses, { app, strapi: app });
      const named = applyTypeDefs(applyTypes(own, read), read);
      applyResolvers(named, read);
      const schema = assertValid(prune(applyPlugins(named, read), new Set(Object.keys(generated.getTypeMap()))), read);
      wrapFields(schema, await rulesByField(schema, read, { code, app }));
      return schema;
    },
  };
}
