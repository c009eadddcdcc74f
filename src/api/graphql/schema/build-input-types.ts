import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import type { GraphQLInputFieldConfigMap, GraphQLInputType, GraphQLScalarType } from 'graphql';
import { componentOf, typeOf } from '../../../model/lookup.js';
import type { Attribute, ContentSchema, Uid } from '../../../model/model.js';
import { LOCALIZATIONS, isContentType, showsField } from '../../../query/schema-fields.js';
import { fieldNameOf } from '../field-names.js';
import { filterEnabled } from './type-registry.js';
import type { TypeRegistry } from './type-registry.js';

const SINGLE_VALUE_OPERATORS = [
  'contains',
  'containsi',
  'endsWith',
  'eq',
  'eqi',
  'gt',
  'gte',
  'lt',
  'lte',
  'ne',
  'nei',
  'notContains',
  'notContainsi',
  'startsWith',
];
const LIST_OPERATORS = ['and', 'between', 'in', 'notIn', 'or'];
const BOOLEAN_OPERATORS = ['notNull', 'null'];

/** Builds `StringFilterInput` and the like: all operators on one scalar. */
export function buildScalarFilter(name: string, scalar: GraphQLScalarType): GraphQLInputObjectType {
  const list = new GraphQLList(scalar);
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    fields: (): GraphQLInputFieldConfigMap => ({
      ...Object.fromEntries(SINGLE_VALUE_OPERATORS.map((operator) => [operator, { type: scalar }])),
      ...Object.fromEntries(LIST_OPERATORS.map((operator) => [operator, { type: list }])),
      ...Object.fromEntries(BOOLEAN_OPERATORS.map((operator) => [operator, { type: GraphQLBoolean }])),
      not: { type },
    }),
  });
  return type;
}

const filterOf = (registry: TypeRegistry, attribute: Attribute): GraphQLInputObjectType | null => {
  switch (attribute.family) {
    case 'scalar':
      return attribute.field.graphql.filter === null
        ? null
        : registry.scalarFilter(attribute.field.graphql.filter);
    case 'relation':
    case 'media': {
      if (attribute.target === null) return null;
      const target = typeOf(registry.model, attribute.target);
      return registry.switches.hasType(target) ? registry.filters(target) : null;
    }
    case 'component': {
      const component = componentOf(registry.model, attribute.component);
      return registry.switches.hasType(component) ? registry.filters(component) : null;
    }
    default:
      return null;
  }
};

const attributeFilters = (registry: TypeRegistry, contentSchema: ContentSchema): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    Object.values(contentSchema.attributes).flatMap((attribute) => {
      const name = fieldNameOf(attribute.name);
      const type =
        name === null || attribute.private || !registry.switches.hasFilters(contentSchema, attribute.name)
          ? null
          : filterOf(registry, attribute);
      return name === null || type === null ? [] : [[name, { type }]];
    }),
  );

const systemFilters = (registry: TypeRegistry, contentSchema: ContentSchema): GraphQLInputFieldConfigMap => {
  if (!isContentType(contentSchema)) return {};
  const time = { type: registry.scalarFilter('DateTimeFilterInput') };
  const localized = {
    locale: { type: registry.scalarFilter('StringFilterInput') },
    [LOCALIZATIONS]: { type: registry.filters(contentSchema) },
  };
  return {
    documentId: { type: registry.scalarFilter('IDFilterInput') },
    createdAt: time,
    updatedAt: time,
    publishedAt: time,
    ...(contentSchema.localized ? localized : {}),
  };
};

/** Builds `ArticleFiltersInput`: conditions on attributes and relations, and logical operators. */
export function buildFiltersInputType(
  registry: TypeRegistry,
  contentSchema: ContentSchema,
  name: string,
): GraphQLInputObjectType {
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    fields: (): GraphQLInputFieldConfigMap => ({
      ...filterEnabled(
        systemFilters(registry, contentSchema),
        (field) => showsField(contentSchema, field) && registry.switches.hasFilters(contentSchema, field),
      ),
      ...attributeFilters(registry, contentSchema),
      and: { type: new GraphQLList(type) },
      or: { type: new GraphQLList(type) },
      not: { type },
    }),
  });
  return type;
}

/** True if the target of a relation is part of the schema. */
const isVisible = ({ model, switches }: TypeRegistry, uid: Uid): boolean =>
  switches.hasType(typeOf(model, uid));

const inputOf = (
  registry: TypeRegistry,
  contentSchema: ContentSchema,
  attribute: Attribute,
): GraphQLInputType | null => {
  switch (attribute.family) {
    case 'scalar':
      return attribute.type === 'enumeration'
        ? registry.enumeration(contentSchema, attribute)
        : registry.scalar(attribute.field.graphql.input);
    case 'relation': {
      if (attribute.target === null) return registry.scalar('JSON');
      if (!isVisible(registry, attribute.target)) return null;
      return attribute.many ? new GraphQLList(GraphQLID) : GraphQLID;
    }
    case 'media': {
      if (!isVisible(registry, attribute.target)) return null;
      return attribute.many ? new GraphQLList(GraphQLID) : GraphQLID;
    }
    case 'component': {
      const component = componentOf(registry.model, attribute.component);
      if (!registry.switches.hasType(component)) return null;
      return attribute.repeatable ? new GraphQLList(registry.input(component)) : registry.input(component);
    }
    case 'dynamiczone':
      return new GraphQLList(new GraphQLNonNull(registry.zoneInput(contentSchema, attribute)));
    default:
      return null;
  }
};

const attributeInputs = (registry: TypeRegistry, contentSchema: ContentSchema): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    Object.values(contentSchema.attributes).flatMap((attribute) => {
      const name = fieldNameOf(attribute.name);
      const type =
        name === null || !attribute.writable || !registry.switches.hasInput(contentSchema, attribute.name)
          ? null
          : inputOf(registry, contentSchema, attribute);
      return name === null || type === null ? [] : [[name, { type }]];
    }),
  );

const systemInputs = (registry: TypeRegistry, contentSchema: ContentSchema): GraphQLInputFieldConfigMap => {
  if (!isContentType(contentSchema)) return { id: { type: GraphQLID } };
  const publishedAt = { type: registry.scalar('DateTime') };
  // For localised documents the locale is an argument of the mutation.
  return contentSchema.localized ? { publishedAt } : { publishedAt, locale: { type: GraphQLString } };
};

/**
 * Builds `ArticleInput`: all attributes that clients can write, including private ones and passwords. Nothing
 * is required, because drafts may be incomplete and updates are partial.
 */
export function buildInputType(
  registry: TypeRegistry,
  contentSchema: ContentSchema,
  name: string,
): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    fields: () => ({
      ...filterEnabled(systemInputs(registry, contentSchema), (field) =>
        registry.switches.hasInput(contentSchema, field),
      ),
      ...attributeInputs(registry, contentSchema),
    }),
  });
}
