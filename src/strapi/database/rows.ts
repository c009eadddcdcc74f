import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { Database } from '../../database/database.js';
import type { DocumentService, VersionTimes } from '../../documents/documents.js';
import type { VersionStore } from '../../documents/write/version-store.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, ContentType, VersionStatus } from '../../model/model.js';
import { IDS_ONLY } from '../../query/query.js';
import type { Lifecycles } from './lifecycles.js';
import type { QueryParams } from './query-params.js';
import type { Entry, VersionReader } from './version-reader.js';
import { parseChangedVersion, parseNewVersion, parseTime } from '../../documents/write/write-params.js';
import { knownData } from './entry-shape.js';

export interface RowDependencies {
  readonly model: ContentModel;
  readonly database: Database;
  /** The documents, with the rules that keep files and their rows consistent. */
  readonly documents: DocumentService;
  readonly versions: VersionStore;
  readonly reader: VersionReader;
  readonly lifecycles: Lifecycles;
  readonly defaultLocale: () => string;
}

export interface TypeEngine extends RowDependencies {
  readonly type: ContentType;
  readonly call: string;
}

export const invalidCall = ({ call }: TypeEngine, method: string, reason: string): Error =>
  createError('strapi/invalid-call', { call: `${call}.${method}`, reason });

export const requireData = (
  engine: TypeEngine,
  method: string,
  { data }: QueryParams,
): Record<string, unknown> => {
  if (!isRecord(data)) throw invalidCall(engine, method, 'it requires { data } with an object');
  return data;
};

export const assertWhere = (engine: TypeEngine, method: string, { where }: QueryParams): void => {
  const isEmpty =
    where === undefined || where === null || (isRecord(where) && Object.keys(where).length === 0);
  if (isEmpty) throw invalidCall(engine, method, 'it requires { where } with at least one condition');
};

/** Throws if a condition is present but undefined. Only an omitted condition means all rows. */
export const assertWhereDefined = (engine: TypeEngine, method: string, params: QueryParams): void => {
  for (const name of ['where', 'filters'])
    if (name in params && params[name] === undefined)
      throw invalidCall(engine, method, `${name} is undefined, which would match all rows`);
};

/** The values that identify a row among all versions. */
interface RowIdentity {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string | undefined;
  readonly status: VersionStatus;
}

export const findRows = async (
  { reader, type }: TypeEngine,
  params: QueryParams,
  limit?: number,
): Promise<readonly RowIdentity[]> => {
  const { where, filters, _q, orderBy, page, pageSize } = params;
  const entries = await reader.find(type.uid, {
    where,
    filters,
    _q,
    orderBy,
    page,
    pageSize,
    limit: limit ?? params.limit,
    offset: params.offset,
    select: ['id', 'documentId', 'publishedAt', ...(type.localized ? ['locale'] : [])],
  });
  return entries.map((entry) => ({
    id: entry.id,
    documentId: entry.documentId,
    locale: typeof entry['locale'] === 'string' ? entry['locale'] : undefined,
    status: type.draftAndPublish && entry['publishedAt'] === null ? 'draft' : 'published',
  }));
};

/** Reads a written row with the selection of the caller. */
export const readRow = async (
  { reader, type }: TypeEngine,
  id: number,
  { select, populate }: QueryParams,
): Promise<Entry | null> =>
  (await reader.find(type.uid, { where: { id }, select, populate, limit: 1 }))[0] ?? null;

const findRowId = async (
  { reader, type }: TypeEngine,
  { documentId, locale, status }: Omit<RowIdentity, 'id'>,
): Promise<number | null> => {
  const state = type.draftAndPublish
    ? { publishedAt: { [status === 'draft' ? '$null' : '$notNull']: true } }
    : {};
  const where = { documentId, ...state, ...(type.localized && locale !== undefined ? { locale } : {}) };
  return (await reader.find(type.uid, { where, select: ['id'], limit: 1 }))[0]?.id ?? null;
};

/** Returns the times that an update sets. Null keeps the stored time. */
const rowTimes = ({ updatedAt, publishedAt }: Readonly<Record<string, unknown>>): VersionTimes => ({
  updatedAt: parseTime('updatedAt', updatedAt ?? undefined),
  publishedAt: parseTime('publishedAt', publishedAt ?? undefined),
});

const writtenStatus = ({ type }: TypeEngine, publishedAt: unknown): VersionStatus =>
  type.draftAndPublish && publishedAt === null ? 'draft' : 'published';

/** Throws if data set another id than that of the row, since the database assigns ids. */
const assertId = (engine: TypeEngine, method: string, id: unknown, known?: number): void => {
  if (Object.hasOwn(engine.type.attributes, 'id') || (id ?? null) === null || id === known) return;
  throw invalidCall(engine, method, 'the database assigns ids; omit data.id');
};

/** @throws `request/document-exists` if the document has such a version, or is not that of its single type */
const assertFree = async (
  engine: TypeEngine,
  { documentId, locale: localeName, status }: Omit<RowIdentity, 'id'>,
  singleId: string | null,
): Promise<void> => {
  const locale = localeName ?? engine.defaultLocale();
  const isOther = singleId !== null && singleId !== documentId;
  if (isOther || (await findRowId(engine, { documentId, locale, status })) !== null)
    throw createError('request/document-exists', {
      type: engine.type.uid,
      documentId: singleId ?? documentId,
    });
};

const requireRowId = (id: number | null): number => {
  if (id === null) throw createError('request/not-found');
  return id;
};

export const insertRow = async (engine: TypeEngine, data: Record<string, unknown>): Promise<number> => {
  const { model, type, versions, documents } = engine;
  assertId(engine, 'create', data['id']);
  const given = parseNewVersion(type, { data, locale: undefined });
  const { locale, times } = given;
  const known = knownData(model, type, given.data);
  if (type.uid === FILE_UID) {
    const created = { ...given, type: type.uid, data: known, selection: IDS_ONLY };
    const { documentId } = await documents.create(created);
    return requireRowId(await findRowId(engine, { documentId, locale: undefined, status: 'published' }));
  }
  const status = writtenStatus(engine, data['publishedAt']);
  const single = type.kind === 'singleType' ? await documents.singleDocumentId(type.uid) : null;
  if (given.documentId !== undefined)
    await assertFree(engine, { documentId: given.documentId, locale, status }, single);
  const { documentId } = await versions.write({
    type: type.uid,
    documentId: given.documentId ?? single,
    locale,
    status,
    data: known,
    times,
  });
  return requireRowId(await findRowId(engine, { documentId, locale, status }));
};

/** Publishes or unpublishes a row's document if its time of publication is set or cleared. */
const publishOrUnpublish = async (
  { type, documents }: TypeEngine,
  { documentId, locale, status }: RowIdentity,
  publishedAt: unknown,
): Promise<boolean> => {
  if (!type.draftAndPublish || publishedAt === undefined) return false;
  const params = { type: type.uid, documentId, locale, selection: IDS_ONLY };
  if (status === 'draft' && publishedAt !== null) await documents.publish(params);
  else if (status === 'published' && publishedAt === null) await documents.unpublish(params);
  else return false;
  return true;
};

export const updateRow = async (
  engine: TypeEngine,
  row: RowIdentity,
  data: Record<string, unknown>,
): Promise<number | null> => {
  const { model, type, versions, documents, defaultLocale } = engine;
  const { documentId, locale, status } = row;
  assertId(engine, 'update', data['id'], row.id);
  const given = parseChangedVersion(type, { data, locale, documentId }, defaultLocale());
  const known = knownData(model, type, given.data);
  if (type.uid === FILE_UID) {
    await documents.update({ type: type.uid, documentId, data: known, selection: IDS_ONLY });
    return row.id;
  }
  const hasMoved = await publishOrUnpublish(engine, row, data['publishedAt']);
  const moved = { ...row, status: hasMoved ? (status === 'draft' ? 'published' : 'draft') : status } as const;
  await versions.write({
    type: type.uid,
    documentId,
    locale,
    status: moved.status,
    data: known,
    times: { ...given.times, ...rowTimes(data) },
  });
  return hasMoved ? findRowId(engine, moved) : row.id;
};

export const deleteRow = async (
  { type, versions, documents }: TypeEngine,
  { documentId, locale, status }: RowIdentity,
): Promise<void> => {
  if (type.uid === FILE_UID) await documents.delete({ type: type.uid, documentId });
  else await versions.delete({ type: type.uid, documentId, locale, status });
};
