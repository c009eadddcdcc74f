import {
  GraphQLEnumType,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { GraphQLFieldConfigArgumentMap } from 'graphql';
import { memoizeWeakly } from '../../../lib/memoize.js';
import type { ContentType } from '../../../model/model.js';
import { queryNamesOf } from '../names.js';
import { resolveFindSchedule, resolveSchedule } from '../resolvers/schedule.js';
import { localeArgument } from './arguments.js';
import type { RootTypes } from './arguments.js';
import type { RootFields } from './query-fields.js';
import type { TypeRegistry } from './type-registry.js';

/** Names with an underscore, which those of content-types never have. */
const ACTION = new GraphQLEnumType({
  name: 'Schedule_Action',
  values: { PUBLISH: { value: 'publish' }, UNPUBLISH: { value: 'unpublish' } },
});

const scheduleType = memoizeWeakly((registry: TypeRegistry): GraphQLObjectType => {
  const dateTime = registry.scalar('DateTime');
  const failure = new GraphQLObjectType({
    name: 'Schedule_Failure',
    description: 'What was to be done and could not be.',
    fields: {
      action: { type: new GraphQLNonNull(ACTION) },
      at: { type: new GraphQLNonNull(dateTime) },
      message: { type: new GraphQLNonNull(GraphQLString) },
    },
  });
  return new GraphQLObjectType({
    name: 'Document_Schedule',
    fields: {
      documentId: { type: new GraphQLNonNull(GraphQLID) },
      locale: { type: GraphQLString },
      publishAt: { type: dateTime },
      unpublishAt: { type: dateTime },
      failures: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(failure))) },
    },
  });
});

const addressOf = ({ localeCode }: RootTypes, type: ContentType): GraphQLFieldConfigArgumentMap => ({
  ...(type.kind === 'singleType' ? {} : { documentId: { type: new GraphQLNonNull(GraphQLID) } }),
  ...localeArgument(localeCode, type),
});

const isScheduled = ({ registry: { switches } }: RootTypes, type: ContentType): boolean =>
  type.draftAndPublish && switches.hasAction(type, 'update');

/** Builds `article_schedule` of types with drafts. */
export function scheduleQueriesOf(types: RootTypes, type: ContentType): RootFields {
  const reads = type.kind === 'singleType' ? 'find' : 'findOne';
  if (!isScheduled(types, type) || !types.registry.switches.hasAction(type, reads)) return {};
  return {
    [`${queryNamesOf(type).one}_schedule`]: {
      type: scheduleType(types.registry),
      args: addressOf(types, type),
      resolve: resolveFindSchedule(type),
    },
  };
}

/** Builds `scheduleArticle` of types with drafts. Null takes a time back; what is not given stays. */
export function scheduleMutationsOf(types: RootTypes, type: ContentType): RootFields {
  if (!isScheduled(types, type)) return {};
  const time = { type: types.registry.scalar('DateTime') };
  return {
    [`schedule${types.registry.object(type).name}`]: {
      type: scheduleType(types.registry),
      args: { ...addressOf(types, type), publishAt: time, unpublishAt: time },
      resolve: resolveSchedule(type),
    },
  };
}
