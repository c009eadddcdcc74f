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
import type { GraphQLFieldConfigArgumentMap, GraphQLScalarType } from 'graphql';
import { permissionOf } from '../../../access/permissions/actions.js';
import { deleteSingle, saveSingle } from '../../../documents/documents.js';
import type { BulkItem, BulkOutcome, CreateParams } from '../../../documents/documents.js';
import { WRITE_ACTIONS } from '../../../documents/hooks.js';
import { parseBulkItems, requiredAction } from '../../../documents/write/parse-bulk-items.js';
import { parseRevision } from '../../../documents/write/precondition.js';
import { printError } from '../../../errors/error-envelope.js';
import { upperFirst } from '../../../lib/names.js';
import { isRecord } from '../../../lib/records.js';
import { memoize } from '../../../lib/collections.js';
import type { ContentModel, ContentType } from '../../../model/model.js';
import { parseDocumentId, parseStatus, sentLocale, sentStatus } from '../../../query/parse/parse-version.js';
import { queryNamesOf } from '../field-names.js';
import type { RootFields } from './query-fields.js';
import { createDocumentResolver, localeOf, parseRecord } from './root-field.js';
import type { AuthorisedResolver, RootCall, RootResolver } from './root-field.js';
import { toData } from '../selection/decode-input.js';
import { argumentsOf, planRootSelection, responseAction } from '../selection/plan-read.js';
import { DELETE_RESPONSE } from '../schema/fixed-types.js';
import { IF_MATCH_ARGUMENT, localeArgument, statusArgument } from '../schema/type-registry.js';
import type { RootTypes } from '../schema/type-registry.js';

const writeParamsOf = (call: RootCall, action: 'create' | 'update'): CreateParams => {
  const { type, args, context, info } = call;
  const status = parseStatus(args['status']);
  return {
    type: type.uid,
    data: toData(context.dependencies.model, type, args['data']),
    locale: localeOf(call),
    status,
    access: context.rights,
    ifMatch: parseRevision(args['ifMatch']),
    selection: planRootSelection({
      context,
      info,
      type,
      action: responseAction(context, type, action),
      status,
      recordsField: null,
    }),
  };
};

/** Resolves `createArticle` to the new document. */
function resolveCreate(type: ContentType): AuthorisedResolver {
  return createDocumentResolver(type, 'create', async (call) =>
    parseRecord((await call.context.dependencies.documents.create(writeParamsOf(call, 'create'))).record),
  );
}

/** Resolves `updateArticle` to the updated document, or null if there is none. */
function resolveUpdate(type: ContentType): AuthorisedResolver {
  return createDocumentResolver(type, 'update', async (call) => {
    const params = writeParamsOf(call, 'update');
    const documentId = parseDocumentId(call.args['documentId']);
    const updated =
      documentId === null
        ? null
        : await call.context.dependencies.documents.update({ ...params, documentId });
    return updated === null ? null : parseRecord(updated.record);
  });
}

/** Resolves `updateHomepage`. Creates the type's document if there is none. */
function resolveUpdateSingle(type: ContentType): AuthorisedResolver {
  return createDocumentResolver(type, 'update', async (call) => {
    const { documents } = call.context.dependencies;
    return parseRecord((await saveSingle(documents, writeParamsOf(call, 'update'))).record);
  });
}

/** Resolves `deleteArticle` to the given id, even if there is no such document. */
function resolveDelete(type: ContentType): AuthorisedResolver {
  return createDocumentResolver(type, 'delete', async (call) => {
    const documentId = parseDocumentId(call.args['documentId']);
    if (documentId !== null)
      await call.context.dependencies.documents.delete({
        type: type.uid,
        documentId,
        locale: localeOf(call),
        access: call.context.rights,
        ifMatch: parseRevision(call.args['ifMatch']),
      });
    return { documentId: call.args['documentId'] };
  });
}

/** Resolves `deleteHomepage` to the id of the document, or null if there was none. */
function resolveDeleteSingle(type: ContentType): AuthorisedResolver {
  return createDocumentResolver(type, 'delete', async (call) => {
    const { dependencies, rights } = call.context;
    const documentId = await deleteSingle(dependencies.documents, {
      type: type.uid,
      locale: localeOf(call),
      access: rights,
      ifMatch: parseRevision(call.args['ifMatch']),
    });
    return documentId === null ? null : { documentId };
  });
}

/**
 * Builds `createArticle`, `updateArticle` and `deleteArticle`. A single type has no create mutation: its
 * first update creates the document.
 */
export function mutationFieldsOf({ registry, localeCode }: RootTypes, type: ContentType): RootFields {
  const object = registry.object(type);
  const { name } = object;
  const locale = localeArgument(localeCode, type);
  const writeArguments = () => ({
    ...locale,
    status: statusArgument(registry),
    data: { type: new GraphQLNonNull(registry.input(type)) },
  });
  const isSingle = type.kind === 'singleType';
  const documentId: GraphQLFieldConfigArgumentMap = isSingle
    ? {}
    : { documentId: { type: new GraphQLNonNull(GraphQLID) } };
  const fields: RootFields = {};
  if (!isSingle && registry.switches.hasAction(type, 'create'))
    fields[`create${name}`] = { type: object, args: writeArguments(), ...resolveCreate(type) };
  if (registry.switches.hasAction(type, 'update')) {
    fields[`update${name}`] = {
      type: object,
      args: { ...documentId, ...writeArguments(), ...IF_MATCH_ARGUMENT },
      ...(isSingle ? resolveUpdateSingle(type) : resolveUpdate(type)),
    };
  }
  if (registry.switches.hasAction(type, 'delete')) {
    fields[`delete${name}`] = {
      type: DELETE_RESPONSE,
      args: { ...documentId, ...locale, ...IF_MATCH_ARGUMENT },
      ...(isSingle ? resolveDeleteSingle(type) : resolveDelete(type)),
    };
  }
  return fields;
}

const toItem = (model: ContentModel, type: ContentType, item: unknown): unknown =>
  isRecord(item) && item['data'] !== undefined ? { ...item, data: toData(model, type, item['data']) } : item;

const parseItems = (call: RootCall): readonly BulkItem[] => {
  const { type, args, context, info } = call;
  const { model, maxBulk } = context.dependencies;
  const data = Array.isArray(args['data']) ? args['data'] : [];
  return parseBulkItems(
    data.map((item: unknown) => toItem(model, type, item)),
    {
      type: type.uid,
      locale: sentLocale(args['locale']),
      defaultLocale: context.dependencies.access.locales.defaultCode(),
      status: sentStatus(args['status']),
      defaultStatus: 'published',
      access: context.rights,
      selectionOf: memoize((action) =>
        planRootSelection({
          context,
          info,
          type,
          action: responseAction(context, type, action),
          status: 'draft',
          recordsField: 'data',
        }),
      ),
      maxItems: maxBulk,
    },
  );
};

const toResult = (outcome: BulkOutcome, { action, params }: BulkItem): Readonly<Record<string, unknown>> => {
  if ('error' in outcome) {
    const { error } = JSON.parse(printError(outcome.error)) as { readonly error: unknown };
    return { action, documentId: 'documentId' in params ? params.documentId : null, data: null, error };
  }
  const { documentId, record } = outcome;
  return { action, documentId, data: record === null ? null : parseRecord(record), error: null };
};

/** Resolves `bulkArticles` to the outcome of each item. */
function resolveBulk(type: ContentType): RootResolver {
  return async (_source, _args, context, info) => {
    const { access, documents } = context.dependencies;
    const project = context.project.calls.get(info.path);
    const args = project?.args ?? argumentsOf(info);
    const items = parseItems({ type, args, context, info });
    if (project?.isAuthorisationSkipped !== true)
      for (const action of new Set(items.map((item) => requiredAction(item.action)))) {
        const permission = permissionOf(type, action);
        access.authorise(context.caller, permission.uid, permission.action);
      }
    const outcomes = await documents.bulk({ items, atomic: args['atomic'] !== false });
    return outcomes.flatMap((outcome, index) => {
      const item = items[index];
      return item === undefined ? [] : [toResult(outcome, item)];
    });
  };
}

/** Returns the name of an action as a value of an enumeration: `DISCARD_DRAFT`. */
const constantName = (action: string): string =>
  action.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The actions of bulk mutations. The prefix `Bulk_` of all these types avoids the names of content-types. */
const ACTION = new GraphQLEnumType({
  name: 'Bulk_Action',
  values: Object.fromEntries(WRITE_ACTIONS.map((action) => [constantName(action), { value: action }])),
});

const bulkError = (json: GraphQLScalarType): GraphQLObjectType =>
  new GraphQLObjectType({
    name: 'Bulk_Error',
    description: 'The error of one item, as a mutation of this item alone would return it.',
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
      ...IF_MATCH_ARGUMENT,
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

/** True if the project has disabled none of the mutations that a bulk mutation includes. */
const allowsBulk = ({ registry: { switches } }: RootTypes, type: ContentType): boolean =>
  type.kind === 'collectionType' &&
  switches.hasAction(type, 'create') &&
  switches.hasAction(type, 'update') &&
  switches.hasAction(type, 'delete');

/** Builds `bulkArticles` for each collection type. */
export function bulkFieldsOf(types: RootTypes, contentTypes: readonly ContentType[]): RootFields {
  const { registry, localeCode } = types;
  const error = bulkError(registry.scalar('JSON'));
  return Object.fromEntries(
    contentTypes
      .filter((type) => allowsBulk(types, type))
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
            // No default value, since actions such as `delete` reject a status.
            status: { type: registry.publicationStatus },
          },
          resolve: resolveBulk(type),
        },
      ]),
  );
}
