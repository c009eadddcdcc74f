import type { DocumentService } from '../../documents/documents.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { parseReadQuery, parseSelection } from '../../query/parse-read-query.js';
import { parseStatus } from '../../query/parse-version.js';
import type { QueryLimits, RawReadParams, ReadQuery, Selection } from '../../query/query.js';

/** One document as the API shows it: attributes, times, and what was populated. */
export type ShownDocument = Readonly<Record<string, unknown>> & { readonly documentId: string };

/** Parameters of a read, in the REST API's forms. `status` is `draft` where nothing else is said. */
export type FindParams = RawReadParams & { readonly start?: number; readonly limit?: number };
type OneParams = FindParams & { readonly documentId: string };
type WriteParams = Pick<FindParams, 'fields' | 'populate' | 'status' | 'locale'> & { readonly data?: unknown };
type VersionParams = Pick<FindParams, 'fields' | 'populate'> & { readonly documentId: string; readonly locale?: string };

/** The documents of one type, read and written with the server's own rights. Missing documents are null. */
export interface TypeDocuments {
  readonly findMany: (params?: FindParams) => Promise<readonly ShownDocument[]>;
  readonly findFirst: (params?: FindParams) => Promise<ShownDocument | null>;
  readonly findOne: (params: OneParams) => Promise<ShownDocument | null>;
  readonly count: (params?: FindParams) => Promise<number>;
  readonly create: (params: WriteParams) => Promise<ShownDocument>;
  readonly update: (params: WriteParams & { readonly documentId: string }) => Promise<ShownDocument | null>;
  readonly delete: (params: { readonly documentId: string; readonly locale?: string }) => Promise<{ readonly documentId: string } | null>;
  readonly publish: (params: VersionParams) => Promise<ShownDocument | null>;
  readonly unpublish: (params: VersionParams) => Promise<ShownDocument | null>;
  readonly discardDraft: (params: VersionParams) => Promise<ShownDocument | null>;
}

export interface TypeDocumentsParts {
  readonly model: ContentModel;
  readonly documents: DocumentService;
  readonly defaultLocale: () => string;
}

const ACCESS = { canFind: () => true };

/** The server does not limit itself. */
const LIMITS: QueryLimits = { defaultLimit: Number.MAX_SAFE_INTEGER, maxLimit: -1, populateDepth: 20, maxNodes: 10_000 };

const shown = (text: string): ShownDocument => JSON.parse(text) as ShownDocument;
const shownOrNull = (found: { readonly record: string } | null): ShownDocument | null => (found === null ? null : shown(found.record));

const assertType = (model: ContentModel, uid: Uid): void => {
  if (!Object.hasOwn(model.typesByUid, uid)) throw fail('project/unknown-document-type', { uid, allowed: Object.keys(model.typesByUid).join(', ') });
};

/** The document service of one type in the form project code calls it. */
export function createTypeDocuments({ model, documents, defaultLocale }: TypeDocumentsParts, uid: Uid): TypeDocuments {
  assertType(model, uid);
  const queryOf = ({ start, limit, ...params }: FindParams, paginated: boolean): ReadQuery => {
    const sliced = start === undefined && limit === undefined ? params.pagination : { start, limit };
    const raw = { ...params, status: params.status ?? 'draft', pagination: { ...(isRecord(sliced) ? sliced : {}), withCount: false } };
    return parseReadQuery(model, uid, raw, { access: ACCESS, limits: LIMITS, defaultLocale: defaultLocale(), paginated });
  };
  const selectionOf = ({ fields, populate }: Pick<FindParams, 'fields' | 'populate'>): Selection => parseSelection(model, uid, { fields, populate }, { access: ACCESS, limits: LIMITS });
  const writeOf = ({ data, status, locale, ...rest }: WriteParams) =>
    ({ type: uid, data, status: parseStatus(status ?? 'draft'), locale: typeof locale === 'string' ? locale : undefined, selection: selectionOf(rest) });
  const versionOf = ({ documentId, locale, ...rest }: VersionParams) => ({ type: uid, documentId, locale, selection: selectionOf(rest) });
  const findMany: TypeDocuments['findMany'] = async (params = {}) => (await documents.findMany(queryOf(params, true))).records.map(shown);
  return Object.freeze<TypeDocuments>({
    findMany,
    findFirst: async (params = {}) => (await findMany({ ...params, pagination: undefined, limit: 1 }))[0] ?? null,
    findOne: async ({ documentId, ...params }) => {
      const record = await documents.findOne(queryOf(params, false), documentId);
      return record === null ? null : shown(record);
    },
    count: async (params = {}) => documents.count(queryOf(params, false)),
    create: async (params) => shown((await documents.create(writeOf(params))).record),
    update: async ({ documentId, ...params }) => shownOrNull(await documents.update({ ...writeOf(params), documentId })),
    delete: async ({ documentId, locale }) => ((await documents.delete({ type: uid, documentId, locale })) ? { documentId } : null),
    publish: async (params) => shownOrNull(await documents.publish(versionOf(params))),
    unpublish: async (params) => shownOrNull(await documents.unpublish(versionOf(params))),
    discardDraft: async (params) => shownOrNull(await documents.discardDraft(versionOf(params))),
  });
}
