import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/records.js';
import { typeOf } from '../model/lookup.js';
import type { ContentModel, ContentType } from '../model/model.js';
import type { AggregateQuery, RawAggregateParams } from '../query/aggregate.js';
import { accessIn, defaultStatusOfCode, FULL_ACCESS } from '../query/read-access.js';
import { parseAggregate } from '../query/parse/parse-aggregate.js';
import { parseReadQuery, parseSelection } from '../query/parse/parse-read-query.js';
import { parseStatus, sentStatus } from '../query/parse/parse-version.js';
import type { ReadQuery, Selection } from '../query/query.js';
import { SERVER_LIMITS } from '../query/read-context.js';
import type { RawReadParams } from '../query/read-context.js';
import { parseBulkItems } from './write/parse-bulk-items.js';
import { parseRevision } from './write/precondition.js';
import type {
  AnyDocument,
  ContentTypeUid,
  DocumentPage,
  DocumentRepository,
  FigureGroup,
  GetRepository,
} from './document-repository.js';
import type { BulkItem, BulkOutcome, DocumentService, VersionTimes } from './documents.js';
import { parseChangedVersion, parseNewVersion } from './write/write-params.js';
import type { VersionData } from './write/write-params.js';
import type { DocumentHooks } from './hooks.js';

interface RepositoryDependencies {
  readonly model: ContentModel;
  readonly documents: DocumentService;
  readonly defaultLocale: () => string;
}

type FindParams = RawReadParams & { readonly start?: number; readonly limit?: number };
type OneParams = RawReadParams & { readonly documentId: string };
type ReturnParams = Pick<RawReadParams, 'fields' | 'populate'>;
interface VersionParams extends ReturnParams {
  readonly documentId: string;
  readonly locale?: string;
  readonly ifMatch?: unknown;
}
type BulkParams = Omit<WriteParams, 'data'> & { readonly items?: unknown; readonly atomic?: boolean };
type WriteParams = ReturnParams &
  Pick<RawReadParams, 'status' | 'locale'> & { readonly data?: unknown; readonly ifMatch?: unknown };

/** A write whose data may identify the version. */
type CodeWrite = Pick<WriteParams, 'data' | 'locale' | 'status'> & { readonly documentId?: unknown };

/** The default number of documents on a page. */
const PAGE_SIZE = 25;

const parseDocument = (text: string): AnyDocument => JSON.parse(text) as AnyDocument;
const parseDocumentOrNull = (found: { readonly record: string } | null): AnyDocument | null =>
  found === null ? null : parseDocument(found.record);

const toResult = (outcome: BulkOutcome) =>
  'error' in outcome
    ? { error: outcome.error }
    : {
        documentId: outcome.documentId,
        document: outcome.record === null ? null : parseDocument(outcome.record),
      };

const assertType = (model: ContentModel, uid: string): void => {
  if (!Object.hasOwn(model.typesByUid, uid))
    throw createError('project/unknown-content-type', {
      uid,
      allowed: Object.keys(model.typesByUid).join(', '),
    });
};

/** Throws `project/missing-document-id` if the id is not text. */
const assertDocumentId = (type: string, method: string, documentId: unknown): void => {
  if (typeof documentId !== 'string') throw createError('project/missing-document-id', { type, method });
};

/**
 * Separates the id, locale and times of a version from the data of a write. The validator rejects data that
 * is not an object.
 */
const versionOf = (
  type: ContentType,
  { data, locale: localeName, documentId, status }: CodeWrite,
  defaultLocale: string,
): Omit<VersionData, 'data'> & { readonly data: unknown } => {
  const locale = typeof localeName === 'string' ? localeName : undefined;
  if (!isRecord(data)) return { data, locale };
  if (typeof documentId === 'string')
    return parseChangedVersion(type, { data, locale, documentId }, defaultLocale);
  const given = parseNewVersion(type, { data, locale });
  if (given.times?.publishedAt !== undefined && type.draftAndPublish && status !== 'published')
    throw createError('request/invalid-parameter', {
      parameter: 'data.publishedAt',
      reason: 'a draft has no publication time. Write with status: published.',
    });
  return given;
};

/** Parses the items of a bulk. The times in their data become parameters. */
const parseItemsOfCode = (
  items: unknown,
  versionOfItem: (item: CodeWrite) => ReturnType<typeof versionOf>,
  parse: (items: unknown) => readonly BulkItem[],
): readonly BulkItem[] => {
  if (!Array.isArray(items)) return parse(items);
  const times: (VersionTimes | undefined)[] = [];
  const named = items.map((item: unknown, index) => {
    if (!isRecord(item) || !isRecord(item['data'])) return item;
    const { times: given, locale, ...rest } = versionOfItem(item);
    times[index] = given;
    return { ...item, ...rest, ...(locale === undefined ? {} : { locale }) };
  });
  return parse(named).map((item, index) => {
    const given = times[index];
    return given !== undefined && (item.action === 'create' || item.action === 'update')
      ? ({ ...item, params: { ...item.params, times: given } } as BulkItem)
      : item;
  });
};

/** Creates functions that parse the parameters of project code into those of the document service. */
const createParamsParser = ({ model, defaultLocale }: RepositoryDependencies, type: string) => {
  const selectionOf = (params: ReturnParams): Selection => {
    const { fields, populate } = params;
    const access = accessIn(params) ?? FULL_ACCESS;
    return parseSelection(model, type, { fields, populate }, { access, limits: SERVER_LIMITS });
  };
  return {
    query: ({ start, limit, ...params }: FindParams, paginated: boolean): ReadQuery => {
      const slice = start === undefined && limit === undefined ? params.pagination : { start, limit };
      const access = accessIn(params) ?? FULL_ACCESS;
      const raw = {
        ...params,
        status: params.status ?? defaultStatusOfCode(access, { uid: type }),
        pagination: { ...(isRecord(slice) ? slice : {}), withCount: false },
      };
      return parseReadQuery(model, type, raw, {
        access,
        limits: SERVER_LIMITS,
        defaultLocale: defaultLocale(),
        paginated,
      });
    },
    aggregate: (params: RawReadParams & RawAggregateParams): AggregateQuery =>
      parseAggregate(
        model,
        type,
        { ...params, status: params.status ?? 'draft' },
        { access: FULL_ACCESS, limits: SERVER_LIMITS, defaultLocale: defaultLocale() },
      ),
    write: ({ status, ...rest }: WriteParams & { readonly documentId?: string }) => ({
      type,
      ...versionOf(typeOf(model, type), { ...rest, status }, defaultLocale()),
      status: parseStatus(status ?? 'draft'),
      selection: selectionOf(rest),
      access: accessIn(rest),
      ifMatch: parseRevision(rest.ifMatch),
    }),
    items: ({ items, status, locale, ...rest }: BulkParams) => {
      const selection = selectionOf(rest);
      const itemLocale = typeof locale === 'string' ? locale : defaultLocale();
      return parseItemsOfCode(
        items,
        (item) => versionOf(typeOf(model, type), { status, ...item }, itemLocale),
        (named) =>
          parseBulkItems(named, {
            type,
            locale: itemLocale,
            defaultLocale: itemLocale,
            status: sentStatus(status),
            defaultStatus: 'draft',
            access: undefined,
            selectionOf: () => selection,
            maxItems: Number.MAX_SAFE_INTEGER,
            allowsNewIds: true,
          }),
      );
    },
    version: ({ documentId, locale, ifMatch, ...rest }: VersionParams) => ({
      type,
      documentId,
      locale,
      selection: selectionOf(rest),
      ifMatch: parseRevision(ifMatch),
    }),
  };
};

type ParamsParser = ReturnType<typeof createParamsParser>;
type Reads = 'findMany' | 'findPage' | 'findFirst' | 'findOne' | 'count' | 'aggregate' | 'findSchedule';

const createReads = (
  { documents }: RepositoryDependencies,
  type: string,
  parse: ParamsParser,
): Pick<DocumentRepository, Reads> => {
  const findPage = async ({ pagination, ...params }: FindParams = {}): Promise<DocumentPage<AnyDocument>> => {
    const { limit = PAGE_SIZE, after, before, ...range } = isRecord(pagination) ? pagination : {};
    const start = (before ?? null) === null ? { after: after ?? '' } : { before };
    const query = parse.query({ ...params, pagination: { ...range, ...start, limit } }, true);
    const { records, ends } = await documents.findMany(query);
    return {
      results: records.map(parseDocument),
      next: ends?.hasNext === true ? ends.last : null,
      previous: ends?.hasPrevious === true ? ends.first : null,
    };
  };
  const findMany = async (params: FindParams = {}): Promise<readonly AnyDocument[]> =>
    (await documents.findMany(parse.query(params, true))).records.map(parseDocument);
  return {
    findMany,
    findPage,
    findFirst: async (params: FindParams = {}) =>
      (await findMany({ ...params, pagination: undefined, limit: 1 }))[0] ?? null,
    findOne: async ({ documentId, ...params }: OneParams) => {
      assertDocumentId(type, 'findOne', documentId);
      const record = await documents.findOne(parse.query(params, false), documentId);
      return record === null ? null : parseDocument(record);
    },
    count: async (params: FindParams = {}) => documents.count(parse.query(params, true)),
    aggregate: (async (params: RawReadParams & RawAggregateParams) => {
      const query = parse.aggregate(params);
      const groups = (await documents.aggregate(query)).records.map(
        (text) => JSON.parse(text) as FigureGroup,
      );
      return query.slice === null ? groups[0] : groups;
    }) as DocumentRepository['aggregate'],
    findSchedule: async (params: Parameters<DocumentRepository['findSchedule']>[0]) => {
      assertDocumentId(type, 'findSchedule', params.documentId);
      return documents.findSchedule({ type, ...params });
    },
  };
};

const createWrites = (
  { documents }: RepositoryDependencies,
  type: string,
  parse: ParamsParser,
): Omit<DocumentRepository, Reads> => {
  const draftAction =
    (action: 'publish' | 'unpublish' | 'discardDraft') =>
    async (params: VersionParams): Promise<AnyDocument | null> => {
      assertDocumentId(type, action, params.documentId);
      return parseDocumentOrNull(await documents[action](parse.version(params)));
    };
  return {
    create: async (params: WriteParams) =>
      parseDocument((await documents.create(parse.write(params))).record),
    update: async (params: WriteParams & { readonly documentId: string }) => {
      const { documentId } = params;
      assertDocumentId(type, 'update', documentId);
      return parseDocumentOrNull(await documents.update({ ...parse.write(params), documentId }));
    },
    delete: async ({
      documentId,
      locale,
      ifMatch: revision,
      ...rest
    }: Pick<VersionParams, 'documentId' | 'locale' | 'ifMatch'>) => {
      assertDocumentId(type, 'delete', documentId);
      const ifMatch = parseRevision(revision);
      const isDeleted = await documents.delete({ type, documentId, locale, access: accessIn(rest), ifMatch });
      return isDeleted ? { documentId } : null;
    },
    publish: draftAction('publish'),
    unpublish: draftAction('unpublish'),
    discardDraft: draftAction('discardDraft'),
    schedule: async ({ documentId, locale, ...data }: Parameters<DocumentRepository['schedule']>[0]) => {
      assertDocumentId(type, 'schedule', documentId);
      return documents.schedule({ type, documentId, locale, data });
    },
    bulk: async (params: BulkParams) =>
      (await documents.bulk({ items: parse.items(params), atomic: params.atomic !== false })).map(toResult),
  };
};

const createRepository = (dependencies: RepositoryDependencies, type: string): DocumentRepository => {
  assertType(dependencies.model, type);
  const parse = createParamsParser(dependencies, type);
  return Object.freeze({
    ...createReads(dependencies, type, parse),
    ...createWrites(dependencies, type, parse),
  });
};

/** Returns the function `documents(uid)` for project code. */
export function createGetRepository(dependencies: RepositoryDependencies): GetRepository {
  return <Uid extends ContentTypeUid>(uid: Uid) => createRepository(dependencies, uid);
}

/**
 * The document service for project code. `documents(uid)` reads and writes; `use`, `before` and `after`
 * register hooks.
 *
 * @example
 *   const drafts = await documents('api::article.article').findMany({ sort: 'title' });
 *   documents.after('publish', ({ documentId }) => console.error('published', documentId));
 */
export type ProjectDocuments = GetRepository & Pick<DocumentHooks, 'use' | 'before' | 'after'>;

/** Creates the document service for project code. */
export function createProjectDocuments({
  hooks: { use, before, after },
  ...dependencies
}: RepositoryDependencies & { readonly hooks: DocumentHooks }): ProjectDocuments {
  return Object.assign(createGetRepository(dependencies), { use, before, after });
}
