import { GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { GraphQLFieldConfigArgumentMap } from 'graphql';
import { watchKey } from '../../../documents/changes/leases.js';
import type { DocumentChange } from '../../../documents/changes/change-log.js';
import { createError } from '../../../errors/catalogue.js';
import type { ContentType } from '../../../model/model.js';
import { parseDocumentId } from '../../../query/parse/parse-version.js';
import type { ReadQuery } from '../../../query/query.js';
import { queryNamesOf } from '../field-names.js';
import type { RootFields } from '../fields/query-fields.js';
import { createDocumentResolver, parseRecord } from '../fields/root-field.js';
import type { RootCall, RootResolver } from '../fields/root-field.js';
import { localeArgument, statusArgument } from '../schema/type-registry.js';
import type { RootTypes } from '../schema/type-registry.js';
import { planRead } from '../selection/plan-read.js';
import { REMOVAL_KINDS } from './delivery.js';
import type { ChangeKind, Delivery } from './delivery.js';

const deliveryOf = ({ context }: RootCall): Delivery => {
  if (context.delivery === null) throw createError('graphql/subscription-requires-websocket');
  return context.delivery;
};

/**
 * Plans the read of the changed document, as for the query of the same type, with the rights of the
 * subscriber. Throws errors in the arguments of nested fields when the subscription starts, not with the
 * first change.
 */
const planChangeRead = ({ type, args, context, info }: RootCall): ReadQuery => {
  const query = planRead({
    context,
    info,
    type,
    args,
    list: isSingleDocument(type, args) ? null : { recordsField: null, withCount: false },
  });
  const [argumentError] = context.argumentErrors.values();
  if (argumentError !== undefined) throw argumentError;
  return query;
};

const isSingleDocument = ({ kind }: ContentType, { documentId }: RootCall['args']): boolean =>
  kind === 'singleType' || (documentId !== undefined && documentId !== null);

const matchesLocale = ({ locale }: DocumentChange, query: ReadQuery): boolean =>
  locale === null || query.locale === '*' || query.locale === locale;

/**
 * Returns the payload of a removal; null if the subscriber could not read the document. The deleting
 * transaction has listed the watches whose reads included the document.
 */
const removalPayload = (change: DocumentChange, query: ReadQuery, type: ContentType): unknown => {
  if (!change.watches.includes(watchKey(query))) return null;
  const locale = change.locale ?? (query.locale === '*' ? null : query.locale);
  return { documentId: change.documentId, locale: type.localized ? locale : null };
};

/**
 * Reads the written version with the subscriber's current rights. Returns null if the subscriber may not read
 * it, or has subscribed to the other status.
 */
const readWrittenVersion = async (
  { context }: RootCall,
  change: DocumentChange,
  query: ReadQuery,
  type: ContentType,
): Promise<unknown> => {
  if (type.draftAndPublish && query.status === 'published' && change.status !== 'published') return null;
  if (type.draftAndPublish && query.status === 'draft' && change.action === 'publish') return null;
  const record = await context.dependencies.documents.findOne(
    { ...query, page: null, sort: [], locale: change.locale ?? query.locale },
    change.documentId,
  );
  return record === null ? null : parseRecord(record);
};

const payloadOf = async (
  call: RootCall,
  change: DocumentChange,
  query: ReadQuery,
  kind: ChangeKind,
): Promise<unknown> => {
  const { type, args } = call;
  if (!matchesLocale(change, query)) return null;
  if (
    isSingleDocument(type, args) &&
    type.kind === 'collectionType' &&
    args['documentId'] !== change.documentId
  )
    return null;
  return REMOVAL_KINDS.has(kind)
    ? removalPayload(change, query, type)
    : readWrittenVersion(call, change, query, type);
};

const resolveDelivery = async (call: RootCall, kind: ChangeKind): Promise<unknown> => {
  const delivery = deliveryOf(call);
  const query = planChangeRead(call);
  const documentId = isSingleDocument(call.type, call.args) ? parseDocumentId(call.args['documentId']) : null;
  delivery.topic = {
    type: call.type.uid,
    kind,
    documentId,
    watch: REMOVAL_KINDS.has(kind) ? query : null,
  };
  if (delivery.change === null) return null;
  try {
    const value = await payloadOf(call, delivery.change, query, kind);
    delivery.shouldSend = value !== null;
    return value;
  } catch (error) {
    delivery.topic = null;
    throw error;
  }
};

/**
 * Returns the resolver of a subscription's root field, such as `articleCreated`. It resolves to null for
 * changes that the subscriber does not receive.
 */
function resolveChange(type: ContentType, kind: ChangeKind): RootResolver {
  const forType = createDocumentResolver(type, 'find', (call) => resolveDelivery(call, kind));
  const forDocument = createDocumentResolver(type, 'findOne', (call) => resolveDelivery(call, kind));
  return (source, args: RootCall['args'], context, info) =>
    (isSingleDocument(type, args) ? forDocument : forType).resolve(source, args, context, info);
}

/** The payload of removals: the ids of the document that can no longer be read. */
const DELETED_DOCUMENT = new GraphQLObjectType({
  name: 'DeletedDocument',
  description: 'A document, or one locale of it, that was deleted or is no longer published',
  fields: { documentId: { type: new GraphQLNonNull(GraphQLID) }, locale: { type: GraphQLString } },
});

const argumentsOf = (
  { registry, localeCode }: RootTypes,
  type: ContentType,
  hasStatus: boolean,
): GraphQLFieldConfigArgumentMap => ({
  ...(type.kind === 'singleType'
    ? {}
    : { documentId: { type: GraphQLID }, filters: { type: registry.filters(type) } }),
  ...(hasStatus ? { status: statusArgument(registry) } : {}),
  ...localeArgument(localeCode, type),
});

const subscriptionKindsOf = ({ kind, draftAndPublish }: ContentType): readonly ChangeKind[] => [
  ...(kind === 'singleType' ? [] : ['created' as const]),
  'updated',
  'deleted',
  ...(draftAndPublish ? (['published', 'unpublished'] as const) : []),
];

const DESCRIPTIONS: Readonly<Record<ChangeKind, string>> = {
  created: 'Each document that is created with a version of the given status',
  updated: 'Each change of a version of the given status',
  deleted: 'Each document that is deleted, if the subscriber could read it before',
  published: 'Each version that is published, by any operation',
  unpublished: 'Each document that is unpublished, if the subscriber could read it before',
};

const FIELD_SUFFIXES: Readonly<Record<ChangeKind, string>> = {
  created: 'Created',
  updated: 'Updated',
  deleted: 'Deleted',
  published: 'Published',
  unpublished: 'Unpublished',
};

/**
 * Builds the subscription fields of a type: `articleCreated`, `articleUpdated` and `articleDeleted`, and for
 * types with drafts `articlePublished` and `articleUnpublished`.
 */
export function subscriptionFieldsOf(types: RootTypes, type: ContentType): RootFields {
  if (!types.registry.switches.hasAction(type, 'find')) return {};
  const { one } = queryNamesOf(type);
  return Object.fromEntries(
    subscriptionKindsOf(type).map((kind) => {
      const hasStatus = type.draftAndPublish && kind !== 'published' && kind !== 'unpublished';
      const field = {
        description: DESCRIPTIONS[kind],
        type: REMOVAL_KINDS.has(kind) ? DELETED_DOCUMENT : types.registry.object(type),
        args: argumentsOf(types, type, hasStatus),
        resolve: resolveChange(type, kind),
      };
      return [`${one}${FIELD_SUFFIXES[kind]}`, field];
    }),
  );
}
