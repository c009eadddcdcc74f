import { isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { isRecord } from '../../lib/is-record.js';
import { broken, loadNexus } from './read-uses.js';
import type { ReadUse } from './read-uses.js';

type SchemaParts = Pick<ReadUse, 'types' | 'plugins'>;

/** Nexus knows nothing of what subscriptions listen to. */
const keepSubscribe = (from: GraphQLSchema, to: GraphQLSchema): GraphQLSchema => {
  const [before, after] = [from.getSubscriptionType()?.getFields() ?? {}, to.getSubscriptionType()?.getFields() ?? {}];
  for (const [name, { subscribe }] of Object.entries(before)) {
    const field = after[name];
    if (field !== undefined && subscribe !== undefined) field.subscribe ??= subscribe;
  }
  return to;
};

const make = (schema: GraphQLSchema, { types, plugins }: SchemaParts): GraphQLSchema => {
  const options = { types, plugins, mergeSchema: { schema }, shouldGenerateArtifacts: false } as Parameters<ReturnType<typeof loadNexus>['makeSchema']>[0];
  return keepSubscribe(schema, loadNexus().makeSchema(options));
};

const nameOf = (definition: unknown): string | null => {
  const name: unknown = isRecord(definition) || typeof definition === 'object' ? Reflect.get(definition as object, 'name') : null;
  return typeof name === 'string' ? name : null;
};

/** Definitions of Nexus that add to a type there is; the others make one. */
const isAddition = (definition: unknown): boolean => /^NexusExtend|^NexusDynamic/.test((definition as object).constructor.name);

/** What would silently take the place of another type. */
const assertNewTypes = (schema: GraphQLSchema, uses: readonly ReadUse[]): void => {
  const owners = new Map<string, unknown>();
  const check = (place: string, definition: unknown): void => {
    if (Array.isArray(definition)) {
      for (const each of definition) check(place, each);
      return;
    }
    if (typeof definition !== 'object' || definition === null) throw broken(place, 'types', 'a type is made with nexus.objectType and the like.');
    const name = nameOf(definition);
    if (name === null || isAddition(definition)) {
      if (name === null && definition.constructor === Object) for (const each of Object.values(definition)) check(place, each);
      return;
    }
    const isTaken = schema.getType(name) !== undefined || (owners.has(name) && owners.get(name) !== definition);
    if (isTaken) throw broken(place, 'types', `there is already a type ${name}. Add to it with extendType or extendInputType.`);
    owners.set(name, definition);
  };
  for (const { place, types } of uses) check(place, types);
};

interface Culprit {
  readonly key: 'types' | 'plugins';
  readonly error: unknown;
}

/** Says whose fault it is: the first without whose part, and all after it, the schema can be built. */
const blame = (schema: GraphQLSchema, uses: readonly ReadUse[], { key, error }: Culprit): Error => {
  for (let count = 1; count <= uses.length; count += 1) {
    const first = uses.slice(0, count);
    try {
      make(schema, { types: first.flatMap(({ types }) => types), plugins: key === 'plugins' ? first.flatMap(({ plugins }) => plugins) : [] });
    } catch (own) {
      const isLast = count === uses.length;
      if (isLast || (own instanceof Error && error instanceof Error && own.message === error.message)) return broken(first.at(-1)?.place ?? '', key, own);
    }
  }
  return broken(uses.map(({ place }) => place).join(', '), key, error);
};

/** The schema with the types that Nexus made added to it. */
export function applyTypes(schema: GraphQLSchema, uses: readonly ReadUse[]): GraphQLSchema {
  const own = uses.filter(({ types }) => types.length > 0);
  if (own.length === 0) return schema;
  assertNewTypes(schema, own);
  try {
    return forceFields(make(schema, { types: own.flatMap(({ types }) => types), plugins: [] }));
  } catch (error) {
    throw blame(schema, own, { key: 'types', error });
  }
}

/** Fields are made when they are first asked for; what is wrong with them should be found now. */
const forceFields = (schema: GraphQLSchema): GraphQLSchema => {
  for (const type of Object.values(schema.getTypeMap())) if (isObjectType(type)) type.getFields();
  return schema;
};

/** The schema built anew with Nexus plugins, which see every type and field of it. */
export function applyPlugins(schema: GraphQLSchema, uses: readonly ReadUse[]): GraphQLSchema {
  const own = uses.filter(({ plugins }) => plugins.length > 0);
  if (own.length === 0) return schema;
  try {
    return forceFields(make(schema, { types: [], plugins: own.flatMap(({ plugins }) => plugins) }));
  } catch (error) {
    throw blame(schema, own.map((use) => ({ ...use, types: [] })), { key: 'plugins', error });
  }
}
