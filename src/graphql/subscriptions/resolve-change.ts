import type { DocumentChange } from '../../documents/changes/document-change.js';
import { watchKey } from '../../documents/changes/watch.js';
import type { Watch } from '../../documents/changes/watch.js';
import { fail } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { documentIdOf, guarded, parseRecord } from '../resolvers/root-field.js';
import type { RootCall, RootResolver } from '../resolvers/root-field.js';
import { planRead } from '../selection/plan-read.js';
import type { ChangeKind, Delivery } from './delivery.js';

const REMOVALS: ReadonlySet<ChangeKind> = new Set(['deleted', 'unpublished']);

const deliveryOf = ({ context }: RootCall): Delivery => {
  if (context.delivery === null) throw fail('graphql/websocket-only');
  return context.delivery;
};

/** The read that says what this subscriber may see, and wants to: as of the query of the same name. */
const planOf = ({ type, args, context, info }: RootCall): ReadQuery =>
  planRead({ context, info, type, args, list: isForOne(type, args) ? null : { under: null, withCount: false } });

const isForOne = ({ kind }: ContentType, { documentId }: RootCall['args']): boolean => kind === 'singleType' || (documentId !== undefined && documentId !== null);

const watchOf = ({ type, filter, locale, status, hasPublishedVersion, publicationFilter }: ReadQuery): Watch =>
  ({ type, filter, locale, status, hasPublishedVersion, ...(publicationFilter === undefined ? {} : { publicationFilter }) });

const isOfLocale = ({ locale }: DocumentChange, query: ReadQuery): boolean => locale === null || query.locale === '*' || query.locale === locale;

/** What was removed cannot be looked at; whether it could have been was found out before it went. */
const removed = (change: DocumentChange, query: ReadQuery, type: ContentType): unknown => {
  if (!change.watches.includes(watchKey(watchOf(query)))) return null;
  const locale = change.locale ?? (query.locale === '*' ? null : query.locale);
  return { documentId: change.documentId, locale: type.localized ? locale : null };
};

/** The version that was written, as this subscriber may see it now. */
const written = async ({ context }: RootCall, change: DocumentChange, query: ReadQuery, type: ContentType): Promise<unknown> => {
  if (type.draftAndPublish && query.status === 'published' && change.status !== 'published') return null;
  if (type.draftAndPublish && query.status === 'draft' && change.action === 'publish') return null;
  const record = await context.parts.documents.findOne({ ...query, page: null, sort: [], locale: change.locale ?? query.locale }, change.documentId);
  return record === null ? null : parseRecord(record);
};

const tell = async (call: RootCall, change: DocumentChange, query: ReadQuery, kind: ChangeKind): Promise<unknown> => {
  const { type, args } = call;
  if (!isOfLocale(change, query)) return null;
  if (isForOne(type, args) && type.kind === 'collectionType' && args['documentId'] !== change.documentId) return null;
  return REMOVALS.has(kind) ? removed(change, query, type) : written(call, change, query, type);
};

const resolve = async (call: RootCall, kind: ChangeKind): Promise<unknown> => {
  const delivery = deliveryOf(call);
  const query = planOf(call);
  const documentId = isForOne(call.type, call.args) ? documentIdOf(call.args) : null;
  delivery.topic = { type: call.type.uid, kind, documentId, watch: REMOVALS.has(kind) ? watchOf(query) : null };
  if (delivery.change === null) return null;
  try {
    const value = await tell(call, delivery.change, query, kind);
    delivery.isTold = value !== null;
    return value;
  } catch (error) {
    delivery.topic = null;
    throw error;
  }
};

/** `articleCreated` and the like: the change that is being told, as the subscriber may see it; null where it may not, which is then not told. */
export function resolveChange(type: ContentType, kind: ChangeKind): RootResolver {
  const toAll = guarded(type, 'find', (call) => resolve(call, kind));
  const toOne = guarded(type, 'findOne', (call) => resolve(call, kind));
  return (source, args: RootCall['args'], context, info) => (isForOne(type, args) ? toOne : toAll)(source, args, context, info);
}
