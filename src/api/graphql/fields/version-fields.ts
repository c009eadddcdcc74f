import {
  GraphQLEnumType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { GraphQLFieldConfigArgumentMap } from 'graphql';
import type { HistoryAction } from '../../../access/permissions/actions.js';
import type { DocumentHistory, HistoryParams } from '../../../documents/versions/document-history.js';
import { parseRevision } from '../../../documents/write/precondition.js';
import { defined } from '../../../lib/assert.js';
import { memoizeWeakly } from '../../../lib/collections.js';
import type { ContentType } from '../../../model/model.js';
import { parseDocumentId } from '../../../query/parse/parse-version.js';
import { queryNamesOf } from '../field-names.js';
import { requiredId, requiredText } from '../schema/fixed-types.js';
import type { RootFields } from './query-fields.js';
import { createDocumentResolver, localeOf, parseRecord } from './root-field.js';
import type { AuthorisedResolver, RootCall } from './root-field.js';
import { IF_MATCH_ARGUMENT, localeArgument } from '../schema/type-registry.js';
import type { RootTypes, TypeRegistry } from '../schema/type-registry.js';

/** Returns the locale of a document in the arguments of a field. Null: the document cannot exist. */
const documentParamsOf = async (call: RootCall): Promise<HistoryParams | null> => {
  const { type, args, context } = call;
  const documentId =
    type.kind === 'singleType'
      ? await context.dependencies.documents.singleDocumentId(type.uid)
      : parseDocumentId(args['documentId']);
  return documentId === null
    ? null
    : { type: type.uid, documentId, locale: localeOf(call), access: context.rights };
};

type Resolve = (history: DocumentHistory, params: HistoryParams, version: number) => Promise<unknown>;

const resolveHistory = (type: ContentType, action: HistoryAction, resolve: Resolve): AuthorisedResolver =>
  createDocumentResolver(type, action, async (call: RootCall) => {
    const params = await documentParamsOf(call);
    if (params === null) return null;
    const { history } = call.context.dependencies;
    const ifMatch = parseRevision(call.args['ifMatch']);
    return resolve(defined(history, 'The history'), { ...params, ifMatch }, Number(call.args['version']));
  });

/** Resolves `article_versions` to the versions without their values, the latest first. */
function resolveVersions(type: ContentType): AuthorisedResolver {
  return resolveHistory(type, 'findVersions', (history, params) => history.list(params));
}

/** Resolves `article_version` to one version with its values. */
function resolveVersion(type: ContentType): AuthorisedResolver {
  return resolveHistory(type, 'findVersions', (history, params, version) => history.find(params, version));
}

/** Resolves `restoreArticleVersion` to the restored draft, with the attributes that could not be restored. */
function resolveRestoreVersion(type: ContentType): AuthorisedResolver {
  return resolveHistory(type, 'restoreVersion', async (history, params, version) => {
    const restored = await history.restore(params, version);
    if (restored === null) return null;
    const { documentId, locale } = Object(parseRecord(restored.record)) as Readonly<Record<string, unknown>>;
    return { documentId, locale, omitted: restored.omitted };
  });
}

/** The types of versions. The underscore in their names avoids the names of content-types. */
const versionTypesOf = memoizeWeakly((registry: TypeRegistry) => {
  const omission = new GraphQLObjectType({
    name: 'Version_Omission',
    description: 'An attribute of a version that could not be restored.',
    fields: { attribute: requiredText, reason: requiredText },
  });
  return {
    version: new GraphQLObjectType({
      name: 'Document_Version',
      fields: {
        version: { type: new GraphQLNonNull(GraphQLInt) },
        publishedAt: { type: new GraphQLNonNull(registry.scalar('DateTime')) },
        author: { type: GraphQLString, description: 'The name of the caller who published it.' },
        content: {
          type: registry.scalar('JSON'),
          description: 'The values, with the documentIds of linked documents. Lists of versions lack them.',
        },
      },
    }),
    restored: new GraphQLObjectType({
      name: 'Restored_Version',
      fields: {
        documentId: requiredId,
        locale: { type: GraphQLString },
        omitted: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(omission))) },
      },
    }),
  };
});

/** Returns the arguments that select one locale of a document. */
const documentArgumentsOf = (
  { localeCode }: RootTypes,
  type: ContentType,
): GraphQLFieldConfigArgumentMap => ({
  ...(type.kind === 'singleType' ? {} : { documentId: requiredId }),
  ...localeArgument(localeCode, type),
});

const VERSION_ARGUMENT = { version: { type: new GraphQLNonNull(GraphQLInt) } };

/** Builds `article_versions` and `article_version` of types with drafts. */
export function historyQueriesOf(types: RootTypes, type: ContentType): RootFields {
  const { switches } = types.registry;
  if (!type.draftAndPublish || !switches.hasAction(type, type.kind === 'singleType' ? 'find' : 'findOne'))
    return {};
  const { version } = versionTypesOf(types.registry);
  const name = queryNamesOf(type).one;
  return {
    [`${name}_versions`]: {
      type: new GraphQLList(new GraphQLNonNull(version)),
      args: documentArgumentsOf(types, type),
      ...resolveVersions(type),
    },
    [`${name}_version`]: {
      type: version,
      args: { ...documentArgumentsOf(types, type), ...VERSION_ARGUMENT },
      ...resolveVersion(type),
    },
  };
}

/** Builds `restoreArticleVersion` of types with drafts. */
export function historyMutationsOf(types: RootTypes, type: ContentType): RootFields {
  const { registry } = types;
  if (!type.draftAndPublish || !registry.switches.hasAction(type, 'update')) return {};
  return {
    [`restore${registry.object(type).name}Version`]: {
      type: versionTypesOf(registry).restored,
      args: { ...documentArgumentsOf(types, type), ...VERSION_ARGUMENT, ...IF_MATCH_ARGUMENT },
      ...resolveRestoreVersion(type),
    },
  };
}

/** Resolves `article_schedule` to the schedule of a document, or null if there is no such draft. */
function resolveFindSchedule(type: ContentType): AuthorisedResolver {
  return createDocumentResolver(type, 'update', async (call) => {
    const params = await documentParamsOf(call);
    return params === null ? null : call.context.dependencies.documents.findSchedule(params);
  });
}

/** Resolves `scheduleArticle` to the new schedule, or null if there is no such draft. */
function resolveSchedule(type: ContentType): AuthorisedResolver {
  return createDocumentResolver(type, 'update', async (call) => {
    const params = await documentParamsOf(call);
    const { publishAt, unpublishAt } = call.args;
    return params === null
      ? null
      : call.context.dependencies.documents.schedule({ ...params, data: { publishAt, unpublishAt } });
  });
}

/** The actions of schedules. The underscore in the name avoids the names of content-types. */
const ACTION = new GraphQLEnumType({
  name: 'Schedule_Action',
  values: { PUBLISH: { value: 'publish' }, UNPUBLISH: { value: 'unpublish' } },
});

const scheduleType = memoizeWeakly((registry: TypeRegistry): GraphQLObjectType => {
  const dateTime = registry.scalar('DateTime');
  const failure = new GraphQLObjectType({
    name: 'Schedule_Failure',
    description: 'A scheduled change that failed.',
    fields: {
      action: { type: new GraphQLNonNull(ACTION) },
      at: { type: new GraphQLNonNull(dateTime) },
      message: { type: new GraphQLNonNull(GraphQLString) },
    },
  });
  return new GraphQLObjectType({
    name: 'Document_Schedule',
    fields: {
      documentId: requiredId,
      locale: { type: GraphQLString },
      publishAt: { type: dateTime },
      unpublishAt: { type: dateTime },
      author: { type: GraphQLString, description: 'The name of the caller who scheduled it.' },
      failures: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(failure))) },
    },
  });
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
      args: documentArgumentsOf(types, type),
      ...resolveFindSchedule(type),
    },
  };
}

/** Builds `scheduleArticle` of types with drafts. Null removes a time; an omitted one is unchanged. */
export function scheduleMutationsOf(types: RootTypes, type: ContentType): RootFields {
  if (!isScheduled(types, type)) return {};
  const time = { type: types.registry.scalar('DateTime') };
  return {
    [`schedule${types.registry.object(type).name}`]: {
      type: scheduleType(types.registry),
      args: { ...documentArgumentsOf(types, type), publishAt: time, unpublishAt: time },
      ...resolveSchedule(type),
    },
  };
}
