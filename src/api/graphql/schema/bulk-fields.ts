import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { GraphQLScalarType } from 'graphql';
import { BULK_ACTIONS } from '../../../documents/bulk/parse-items.js';
import { upperFirst } from '../../../lib/casing.js';
import type { ContentType } from '../../../model/model.js';
import { queryNamesOf } from '../names.js';
import { resolveBulk } from '../resolvers/bulk.js';
import { localeArgument } from './arguments.js';
import type { RootTypes } from './arguments.js';
import type { RootFields } from './query-fields.js';

/** The names of these types have underscores, which those of content-types never begin with a part of. */
const constantName = (action: string): string =>
  action.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const ACTION = new GraphQLEnumType({
  name: 'Bulk_Action',
  values: Object.fromEntries(BULK_ACTIONS.map((action) => [constantName(action), { value: action }])),
});

const bulkError = (json: GraphQLScalarType): GraphQLObjectType =>
  new GraphQLObjectType({
    name: 'Bulk_Error',
    description: 'Why one item was not written, as the same mutation would say alone.',
    fields: {
      status: { type: new GraphQLNonNull(GraphQLInt) },
      name: { type: new GraphQLNonNull(GraphQLString) },
      message: { type: new GraphQLNonNull(GraphQLString) },
      details: { type: json },
    },
  });

const itemType = ({ registry, localeCode }: RootTypes, type: ContentType): GraphQLInputObjectType =>
  new GraphQLInputObjectType({
    name: `Bulk_${registry.object(type).name}Item`,
    fields: () => ({
      action: { type: new GraphQLNonNull(ACTION) },
      documentId: { type: GraphQLID },
      data: { type: registry.input(type) },
      ...(type.localized ? { locale: { type: localeCode } } : {}),
      status: { type: registry.publicationStatus },
    }),
  });

const resultType = (
  { registry }: RootTypes,
  type: ContentType,
  error: GraphQLObjectType,
): GraphQLObjectType =>
  new GraphQLObjectType({
    name: `Bulk_${registry.object(type).name}Result`,
    fields: () => ({
      action: { type: new GraphQLNonNull(ACTION) },
      documentId: { type: GraphQLID },
      data: { type: registry.object(type) },
      error: { type: error },
    }),
  });

/** True if the project has switched off none of the mutations that a bulk stands for. */
const isComplete = ({ registry: { switches } }: RootTypes, type: ContentType): boolean =>
  type.kind === 'collectionType' &&
  switches.hasAction(type, 'create') &&
  switches.hasAction(type, 'update') &&
  switches.hasAction(type, 'delete');

/** Builds `bulkArticles` of each type. */
export function bulkFieldsOf(types: RootTypes, contentTypes: readonly ContentType[]): RootFields {
  const { registry, localeCode } = types;
  const error = bulkError(registry.scalar('JSON'));
  return Object.fromEntries(
    contentTypes
      .filter((type) => isComplete(types, type))
      .map((type) => [
        `bulk${upperFirst(queryNamesOf(type).many)}`,
        {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(resultType(types, type, error)))),
          args: {
            data: {
              type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(itemType(types, type)))),
            },
            atomic: { type: GraphQLBoolean, defaultValue: true },
            ...localeArgument(localeCode, type),
            // Without a default, which delete and its like would not take.
            status: { type: registry.publicationStatus },
          },
          resolve: resolveBulk(type),
        },
      ]),
  );
}
