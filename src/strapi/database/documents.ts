import type { ContentTypeUid } from '../../documents/document-repository.js';
import type { Uid } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { accessIn } from '../../query/read-access.js';
import { toDocumentParams } from './query-params.js';
import { checkedCalls, DOCUMENT_PARAMS } from './call-params.js';
import { useDocumentMiddleware } from './document-middlewares.js';
import type { StrapiMiddleware } from './document-middlewares.js';
import { createContentWrites, createDelete, createDraftActions } from './document-writes.js';
import { parseEntry, parseDocumentQuery } from './document-params.js';
import type {
  Params,
  StrapiDocuments,
  StrapiDocumentsDependencies,
  TypeDocuments,
} from './document-params.js';
import { unknownTypeError, withUnavailable } from '../unavailable.js';
import type { Entry } from './version-reader.js';

/** `strapi.documents` */
export interface DocumentsFunction {
  (uid: ContentTypeUid): StrapiDocuments;
  readonly use: (middleware: StrapiMiddleware) => () => void;
  /** True if middlewares of the project read the parameters of calls. */
  readonly findsParams: () => boolean;
}

const createReads = (
  context: TypeDocuments,
): Pick<StrapiDocuments, 'findMany' | 'findFirst' | 'findOne' | 'count'> => {
  const { documents } = context;
  const read = async (query: ReadQuery, params: Params): Promise<Entry[]> => {
    const { records } = await documents.findMany(query);
    return records.map((record) => parseEntry(context, { selection: query.selection, params }, record));
  };
  return {
    findMany: async (given = {}) => {
      const params = toDocumentParams(given);
      return read(parseDocumentQuery(context, params, { paginated: true }), params);
    },
    findFirst: async (given = {}) => {
      const params = toDocumentParams(given);
      const query = parseDocumentQuery(context, { ...params, limit: 1 }, { paginated: true, isFirst: true });
      return (await read(query, params))[0] ?? null;
    },
    findOne: async ({ documentId, ...given }) => {
      const params = toDocumentParams(given);
      // As in Strapi: callers pass ids that may be missing.
      if (typeof documentId !== 'string') return null;
      const query = parseDocumentQuery(context, params, { paginated: false });
      const record = await documents.findOne(query, documentId);
      return record === null ? null : parseEntry(context, { selection: query.selection, params }, record);
    },
    count: async (params = {}) =>
      documents.count(parseDocumentQuery(context, toDocumentParams(params), { paginated: true })),
  };
};

/** Methods that types without drafts lack. Code checks whether they exist before it calls them. */
const DRAFT_ACTIONS: readonly string[] = ['publish', 'unpublish', 'discardDraft'];

/** Creates `strapi.documents`. */
export function createStrapiDocuments(dependencies: StrapiDocumentsDependencies): DocumentsFunction {
  const { model, hooks, defaultLocale, contentTypeOf, rowTypes } = dependencies;
  const repositories = new Map<Uid, StrapiDocuments>();
  /** The middlewares of the project, which read all parameters of a call. */
  const middlewares = new Set<() => void>();
  const open = (uid: Uid): StrapiDocuments => {
    const rowType = Object.hasOwn(rowTypes, uid) ? rowTypes[uid] : undefined;
    if (rowType !== undefined) return rowType.documents;
    const type = model.typesByUid[uid];
    if (type === undefined) throw unknownTypeError(model, 'strapi.documents', uid);
    const call = `strapi.documents('${uid}')`;
    const context = { ...dependencies, type, call };
    const methods: StrapiDocuments = {
      ...createReads(context),
      ...createContentWrites(context),
      delete: createDelete(context),
      ...(type.draftAndPublish ? createDraftActions(context) : {}),
    };
    const isSeen = (params: object): boolean => accessIn(params) !== undefined || middlewares.size > 0;
    return withUnavailable(checkedCalls(methods, { call, params: DOCUMENT_PARAMS, isSeen }), call, {
      absent: type.draftAndPublish ? [] : DRAFT_ACTIONS,
    });
  };
  const documents = (uid: Uid): StrapiDocuments => {
    const known = repositories.get(uid) ?? open(uid);
    repositories.set(uid, known);
    return known;
  };
  return Object.assign(documents, {
    use: (middleware: StrapiMiddleware) => {
      const remove = useDocumentMiddleware({ model, hooks, defaultLocale, contentTypeOf }, middleware);
      middlewares.add(remove);
      return () => {
        middlewares.delete(remove);
        remove();
      };
    },
    findsParams: () => middlewares.size > 0,
  });
}
