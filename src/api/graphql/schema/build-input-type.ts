import { GraphQLID, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GraphQLInputFieldConfigMap, GraphQLInputType } from 'graphql';
import { componentOf, typeOf } from '../../../model/lookup.js';
import type { Attribute, ContentSchema, Uid } from '../../../model/model.js';
import { isContentType } from '../../../query/schema-fields.js';
import { fieldNameOf } from '../names.js';
import { filterEnabled } from './switches.js';
import type { TypeRegistry } from './type-registry.js';

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
