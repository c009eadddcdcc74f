import { accessIn, fromCode } from '../../query/read-access.js';
import type { ReadAccess } from '../../query/read-access.js';
import { joinTransaction } from '../../documents/document-context.js';
import { createError } from '../../errors/catalogue.js';
import { createDocumentId } from '../../lib/ids.js';
import { isRecord } from '../../lib/records.js';
import { deepPopulate, toPopulate } from './query-params.js';
import { parseChangedVersion, parseNewVersion } from '../../documents/write/write-params.js';
import type { VersionData } from '../../documents/write/write-params.js';
import {
  requireData,
  requireDocumentId,
  parseWriteLocale,
  parseEntry,
  parseDocumentQuery,
  parseCallSelection,
  statusOrDraft,
  nonEmptyText,
  preconditionIn,
} from './document-params.js';
import type { Entries, Params, StrapiDocuments, TypeDocuments } from './document-params.js';
import { exposeModel } from '../../query/schema-fields.js';
import type { Entry } from './version-reader.js';
import { knownData, unknownData } from './entry-shape.js';

/** Parses the parameters of `create` into a new version. As in Strapi, `publishedAt` publishes nothing. */
const newVersionOf = (context: TypeDocuments, params: Params): VersionData => {
  const { model, type, call, log } = context;
  const data = requireData(context, 'create', params);
  if ((data['id'] ?? null) !== null && !Object.hasOwn(type.attributes, 'id'))
    throw createError('strapi/invalid-call', {
      call: `${call}.create`,
      reason: 'the database assigns ids; omit data.id, or set data.documentId',
    });
  const given = parseNewVersion(type, { data, locale: parseWriteLocale(params['locale']) });
  if (
    given.times?.publishedAt !== undefined &&
    type.draftAndPublish &&
    statusOrDraft(params['status']) === 'draft'
  )
    log.warn(`${call}.create: data.publishedAt has no effect on a draft. Publish with status: 'published'.`);
  return { ...given, data: knownData(model, type, given.data) };
};

const changedVersionOf = (context: TypeDocuments, documentId: string, params: Params): VersionData => {
  const { model, type, defaultLocale } = context;
  const data = requireData(context, 'update', params);
  const locale = parseWriteLocale(params['locale']);
  const given = parseChangedVersion(type, { data, locale, documentId }, defaultLocale());
  return { ...given, data: knownData(model, type, given.data) };
};

/** Returns the locales of an operation: for `*`, those of the document. */
const localesOf = async (
  { type, reader, defaultLocale }: TypeDocuments,
  documentId: string,
  locale: unknown,
): Promise<readonly (string | undefined)[]> => {
  if (!type.localized) return [undefined];
  if (Array.isArray(locale)) return locale.flatMap((code: unknown) => nonEmptyText(code) ?? []);
  if (locale !== '*') return [nonEmptyText(locale) ?? defaultLocale()];
  const versions = await reader.find(type.uid, { where: { documentId }, select: ['locale'] });
  return [...new Set(versions.flatMap((version) => nonEmptyText(version['locale']) ?? []))];
};

/** Returns the access of the client that code acts for. Code may write attributes that clients may not. */
const codeAccess = (params: Params): ReadAccess | undefined => {
  const access = accessIn(params);
  return access === undefined ? undefined : { ...access, isOfClient: false };
};

const withCallParams = <Operation extends object>(params: Params, operation: Operation): Operation =>
  fromCode(operation, { params, access: accessIn(params) });

export const createContentWrites = (
  context: TypeDocuments,
): Pick<StrapiDocuments, 'create' | 'update' | 'clone'> => {
  const { model, documents, type, database } = context;
  const create = async (params: Params, documentId?: string): Promise<Entry> => {
    const written = {
      type: type.uid,
      ...newVersionOf(context, params),
      ...(documentId === undefined ? {} : { documentId }),
      status: statusOrDraft(params['status']),
      selection: parseCallSelection(context, params),
      access: codeAccess(params),
      ifMatch: preconditionIn(params),
    };
    const { record } = await documents.create(withCallParams(params, written));
    return parseEntry(context, { selection: written.selection, params }, record);
  };
  const update = async (params: Params): Promise<Entry | null> => {
    const documentId = requireDocumentId(context, 'update', params);
    const written = {
      type: type.uid,
      ...changedVersionOf(context, documentId, params),
      documentId,
      status: statusOrDraft(params['status']),
      selection: parseCallSelection(context, params),
      access: codeAccess(params),
      ifMatch: preconditionIn(params),
    };
    const updated = await documents.update(withCallParams(params, written));
    return updated === null
      ? null
      : parseEntry(context, { selection: written.selection, params }, updated.record);
  };
  const clone = async (params: Params): Promise<Entries> => {
    const { documentId: _sourceId, ...rest } = params;
    const sourceId = requireDocumentId(context, 'clone', params);
    const given = parseNewVersion(type, {
      data: requireData(context, 'clone', params),
      locale: nonEmptyText(params['locale']),
    });
    const overrides = knownData(model, type, given.data);
    const documentId = given.documentId ?? createDocumentId();
    const entries: Entry[] = [];
    for (const locale of await localesOf(context, sourceId, params['locale'])) {
      const source = await findSource(context, sourceId, locale);
      if (source === null) continue;
      const data = {
        ...dataOfCopy(context, source),
        ...unknownData(type, given.data),
        ...overrides,
        ...given.times,
      };
      const entry: Entry | null =
        entries.length === 0
          ? await create({ ...rest, status: 'draft', locale, data }, documentId)
          : await update({ ...rest, documentId, status: 'draft', locale, data });
      if (entry !== null) entries.push(entry);
    }
    return { documentId: entries[0]?.documentId, entries };
  };
  return {
    create: (params) => create(params),
    update,
    clone: (params) => joinTransaction(database, () => clone(params)),
  };
};

/** Returns a version with everything it links, as the data of a copy. */
const findSource = async (
  context: TypeDocuments,
  documentId: string,
  locale: string | undefined,
): Promise<Entry | null> => {
  const { type, documents } = context;
  const query = parseDocumentQuery(
    context,
    {
      populate: deepPopulate(context.model, type),
      locale,
      status: type.draftAndPublish ? 'draft' : 'published',
    },
    { paginated: false },
  );
  const record = await documents.findOne(query, documentId);
  return record === null ? null : (JSON.parse(record) as Entry);
};

/** Removes the ids of components, since a copy gets new ones. */
const withoutComponentIds = (entry: Entry): Entry => {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (!isRecord(value)) return value;
    if (typeof value['documentId'] === 'string') return value['documentId'];
    const { id: _id, ...rest } = value;
    return Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, strip(member)]));
  };
  return {
    ...entry,
    ...Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, strip(value)])),
  };
};

/** The system attributes of a copy that listeners receive. */
const COPY_SYSTEM_DATA = { locale: null, createdBy: null, updatedBy: null };

/** Returns a version as the data of another document. Absent components are omitted. */
const dataOfCopy = ({ model, type }: TypeDocuments, source: Entry): Record<string, unknown> => {
  const data = Object.entries(knownData(model, type, withoutComponentIds(source))).filter(
    ([name, value]) => value !== null || type.attributes[name]?.family !== 'component',
  );
  return { ...COPY_SYSTEM_DATA, ...Object.fromEntries(data) };
};

/** Returns versions of a document, in the form in which `delete` and the draft actions return them. */
const findVersions = (
  { model, type, reader }: TypeDocuments,
  documentId: string,
  {
    locales,
    isPublished,
    fields,
    populate,
  }: {
    readonly locales: readonly (string | undefined)[];
    readonly isPublished?: boolean;
    readonly fields?: unknown;
    readonly populate?: unknown;
  },
): Promise<Entry[]> => {
  const codes = locales.filter((locale) => locale !== undefined);
  return reader.find(type.uid, {
    where: {
      documentId,
      ...(type.localized ? { locale: { $in: codes } } : {}),
      ...(isPublished === undefined || !type.draftAndPublish
        ? {}
        : { publishedAt: { [isPublished ? '$notNull' : '$null']: true } }),
    },
    select: fields,
    populate: populate === undefined ? [] : toPopulate(exposeModel(model), type, populate),
    orderBy: type.localized ? ['locale', 'id'] : 'id',
  });
};

export const createDelete = (context: TypeDocuments): StrapiDocuments['delete'] => {
  const { documents, type, database } = context;
  return (params) =>
    joinTransaction(database, async () => {
      const documentId = requireDocumentId(context, 'delete', params);
      const locales = await localesOf(context, documentId, params['locale']);
      const entries = await findVersions(context, documentId, { ...params, locales });
      const locale = params['locale'] === '*' ? '*' : locales[0];
      const ifMatch = preconditionIn(params);
      const deleted = { type: type.uid, documentId, locale, access: accessIn(params), ifMatch };
      if (entries.length > 0 || ifMatch !== undefined)
        await documents.delete(withCallParams(params, deleted));
      return { documentId, entries };
    });
};

export const createDraftActions = (
  context: TypeDocuments,
): Pick<StrapiDocuments, 'publish' | 'unpublish' | 'discardDraft'> => {
  const { documents, type, database } = context;
  const run =
    (action: 'publish' | 'unpublish' | 'discardDraft') =>
    (params: Params): Promise<Entries> =>
      joinTransaction(database, async () => {
        const documentId = requireDocumentId(context, action, params);
        const locales = await localesOf(context, documentId, params['locale']);
        const published = await findVersions(context, documentId, { ...params, locales, isPublished: true });
        const codes = action === 'publish' ? locales : published.map(({ locale }) => nonEmptyText(locale));
        for (const locale of codes) {
          const version = {
            type: type.uid,
            documentId,
            locale,
            selection: parseCallSelection(context, params),
          };
          await documents[action](withCallParams(params, version));
        }
        if (action === 'unpublish') return { documentId, entries: published };
        const entries = await findVersions(context, documentId, {
          ...params,
          locales: codes,
          isPublished: action === 'publish',
        });
        return { documentId, entries };
      });
  return { publish: run('publish'), unpublish: run('unpublish'), discardDraft: run('discardDraft') };
};
