import { deleteSingle, saveSingle } from '../../documents/single-type.js';
import type { CreateParams } from '../../documents/documents.js';
import { createError } from '../../errors/catalogue.js';
import type { LocaleRecord } from '../../access/access.js';
import { clientSignalOf } from '../http/client-signal.js';
import type { ContentType } from '../../model/model.js';
import { parseAggregate } from '../../query/parse/parse-aggregate.js';
import { createReadHandler } from './cached-read.js';
import { bodyOfMany, bodyOfOne, printAggregate, printOne, sendJson } from './envelope.js';
import { createBulkHandler } from './bulk-handler.js';
import { callerOf } from './guard.js';
import { cachedQueryOf, localeOf, writeParamsOf } from './read-params.js';
import { dataOf, documentIdOf, queryOf } from './request-params.js';
import { findVersion, findVersions, restoreVersion } from './history-handlers.js';
import { findSchedule, schedule } from './schedule-handlers.js';
import type { Handler, ReadDependencies, RestDependencies } from './rest-dependencies.js';
import type { ContentOperation } from './routes/content-routes.js';

/** GET /api/articles */
const find = (dependencies: ReadDependencies, type: ContentType): Handler =>
  createReadHandler(type, {
    queryOf: (request) => cachedQueryOf(dependencies, type, request, true),
    read: async (query, _request, signal) =>
      bodyOfMany(await dependencies.documents.findMany(query, signal), query.page),
  });

/** GET /api/articles/:documentId and GET /api/homepage */
const findOne = (dependencies: ReadDependencies, type: ContentType): Handler => {
  const isSingle = type.kind === 'singleType';
  return createReadHandler(type, {
    queryOf: (request) => cachedQueryOf(dependencies, type, request, false),
    read: async (query, request, signal) => {
      const documentId = documentIdOf(request);
      const record =
        isSingle || documentId !== null
          ? await dependencies.documents.findOne(query, documentId, signal)
          : null;
      if (record === null) throw createError('request/not-found');
      return bodyOfOne(record);
    },
  });
};

/** GET /api/articles/aggregate */
const aggregate =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const { model, limits, access, documents } = dependencies;
    const query = parseAggregate(model, type.uid, queryOf(request), {
      limits,
      access: access.readAccessOf(callerOf(request)),
      defaultLocale: access.locales.defaultCode(),
    });
    const figures = await documents.aggregate(query, clientSignalOf(reply));
    return sendJson(reply, 200, printAggregate(figures, query));
  };

interface CreatedData {
  readonly data: Readonly<Record<string, unknown>>;
  /** Keys of the data without effect, each with what has it. */
  readonly ignored: readonly string[];
}

/**
 * Returns the data of a new document. Clients of Strapi send `locale` and `publishedAt` within those of
 * localised types, which has no effect there; the response says so. All other writes refuse what is ignored.
 */
const createdDataOf = (
  type: ContentType,
  sent: Readonly<Record<string, unknown>>,
  { locale: writtenLocale, status }: Pick<CreateParams, 'locale' | 'status'>,
): CreatedData => {
  if (!type.localized) return { data: sent, ignored: [] };
  const { locale = writtenLocale, publishedAt, ...data } = sent;
  const isDraft = publishedAt === null && type.draftAndPublish && status === 'draft';
  return {
    data,
    ignored: [
      ...(locale === null || locale === writtenLocale ? [] : ['data.locale: send the parameter locale']),
      ...(publishedAt === undefined || isDraft ? [] : ['data.publishedAt: send the parameter status']),
    ],
  };
};

/** POST /api/articles */
const create =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const params = writeParamsOf(dependencies, type, request, 'create');
    const { data, ignored } = createdDataOf(type, dataOf(request), params);
    const { record } = await dependencies.documents.create({ ...params, data });
    if (ignored.length > 0) reply.header('warning', `299 - "Ignored ${ignored.join('; ')}"`);
    return sendJson(reply, 201, printOne(record));
  };

/** PUT /api/articles/:documentId */
const update =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const params = writeParamsOf(dependencies, type, request, 'update');
    const documentId = documentIdOf(request);
    const updated =
      documentId === null ? null : await dependencies.documents.update({ documentId, ...params });
    if (updated === null) throw createError('request/not-found');
    return sendJson(reply, 200, printOne(updated.record));
  };

/** PUT /api/homepage */
const updateSingle =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const params = writeParamsOf(dependencies, type, request, 'update');
    const { record } = await saveSingle(dependencies.documents, params);
    return sendJson(reply, 200, printOne(record));
  };

/** DELETE /api/articles/:documentId: 204 whether or not there was such a document, as Strapi does. */
const deleteOne =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const { access, documents } = dependencies;
    const locale = localeOf(dependencies, request);
    const documentId = documentIdOf(request);
    if (documentId !== null)
      await documents.delete({
        type: type.uid,
        documentId,
        locale,
        access: access.readAccessOf(callerOf(request)),
      });
    return reply.code(204).send();
  };

/** DELETE /api/homepage: 204 whether or not there was a document. */
const deleteSingleDocument =
  (dependencies: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const { access, documents } = dependencies;
    await deleteSingle(documents, {
      type: type.uid,
      locale: localeOf(dependencies, request),
      access: access.readAccessOf(callerOf(request)),
    });
    return reply.code(204).send();
  };

/** Creates the handler of each operation for one content type. */
export const CONTENT_HANDLERS: Readonly<
  Record<ContentOperation, (dependencies: ReadDependencies, type: ContentType) => Handler>
> = {
  find,
  findOne,
  aggregate,
  create,
  update,
  delete: deleteOne,
  bulk: createBulkHandler,
  findSingle: findOne,
  updateSingle,
  deleteSingle: deleteSingleDocument,
  findSchedule,
  schedule,
  findScheduleOfSingle: findSchedule,
  scheduleSingle: schedule,
  findVersions,
  findVersion,
  restoreVersion,
};

const printLocale = (locale: LocaleRecord): Readonly<Record<string, unknown>> => {
  const { id, documentId, name, code, createdAt, updatedAt, publishedAt, isDefault } = locale;
  return { id, documentId, name, code, createdAt, updatedAt, publishedAt, isDefault };
};

/** GET /api/i18n/locales: a list without an envelope. */
export function createListLocalesHandler({ access }: RestDependencies): Handler {
  return async (_request, reply) =>
    sendJson(reply, 200, JSON.stringify(access.locales.all().map(printLocale)));
}
