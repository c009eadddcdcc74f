import { GraphQLInputObjectType, GraphQLList } from 'graphql';
import type { GraphQLInputFieldConfigMap } from 'graphql';
import { componentOf, typeOf } from '../../../model/lookup.js';
import type { Attribute, ContentSchema } from '../../../model/model.js';
import { isContentType, LOCALIZATIONS, showsField } from '../../../query/schema-fields.js';
import { fieldNameOf } from '../names.js';
import { filterEnabled } from './switches.js';
import type { TypeRegistry } from './type-registry.js';

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
