import { typeOf } from '../../model/lookup.js';
import type { ContentType } from '../../model/model.js';
import { showsField } from '../../query/schema-fields.js';
import type {
  ContentDocument,
  ContentStore,
  ContentWrite,
  FindParams,
} from '../../transfer/store/content-store.js';
import { duplicateData, unknownDocument } from '../content/find-document.js';
import { findPublications, versionKey } from '../content/print-documents.js';
import { cellText, titleAttribute } from '../content/print-value.js';
import { runWrites } from '../content/save-document.js';
import { toOneLine } from '../terminal/text-layout.js';
import { populatePreview } from './preview.js';
import { countKey, isSameRequest, neededPage, neededPreview } from './state.js';
import type {
  BrowseEvent,
  BrowseState,
  ListedDocument,
  Operation,
  Order,
  PageRequest,
  PreviewRequest,
} from './state.js';

/** A read of values that the screen needs and the state lacks. */
export type Read =
  | { readonly kind: 'page'; readonly request: PageRequest }
  | { readonly kind: 'preview'; readonly request: PreviewRequest }
  | { readonly kind: 'count'; readonly key: string; readonly request: PageRequest };

/** Returns the next read, the most visible values first. Null if nothing is missing. */
export function nextRead(state: BrowseState): Read | null {
  const page = neededPage(state);
  if (!isSameRequest(state.page?.request, page)) return { kind: 'page', request: page };
  const preview = neededPreview(state);
  if (preview !== null && !isSameRequest(state.preview?.request, preview))
    return { kind: 'preview', request: preview };
  const index = state.types.findIndex(({ type }) => !state.counted.has(countKey(state, type)));
  const [uncounted] = state.types.slice(index === -1 ? state.types.length : index);
  if (uncounted === undefined) return null;
  const request = neededPage({ ...state, typeIndex: index, search: '' });
  return { kind: 'count', key: countKey(state, uncounted.type), request };
}

const filterOf = ({ status, locale, search }: PageRequest): FindParams => ({
  status,
  ...(locale === null ? {} : { locale }),
  ...(search === '' ? {} : { _q: search }),
});

const sortOf = (type: ContentType, order: Order, title: string | null): readonly string[] => {
  const isByTitle = title !== null && (order !== 'updated' || !showsField(type, 'updatedAt'));
  if (isByTitle) return [`${title}:asc`];
  return showsField(type, 'updatedAt') ? ['updatedAt:desc'] : [];
};

const toListedDocument = (
  type: ContentType,
  document: ContentDocument,
): Omit<ListedDocument, 'publication' | 'draftUpdatedAt'> => {
  const title = titleAttribute(type);
  const text = toOneLine(cellText(title === null ? null : document[title]));
  return {
    type: type.uid,
    documentId: document.documentId,
    locale: type.localized ? cellText(document['locale']) : null,
    title: text === '' ? document.documentId : text,
    updatedAt: cellText(document['updatedAt']),
  };
};

const readPage = async (store: ContentStore, request: PageRequest): Promise<BrowseEvent> => {
  const type = typeOf(store.model, request.type);
  const title = titleAttribute(type);
  const filter = filterOf(request);
  const documents = await store.find(type.uid, {
    ...filter,
    fields: [
      ...(title === null ? [] : [title]),
      ...['updatedAt', 'locale'].filter((name) => showsField(type, name)),
    ],
    sort: sortOf(type, request.order, title),
    start: request.start,
    limit: request.limit,
  });
  const total = await store.count(type.uid, filter);
  const publications = await findPublications(store, type, documents);
  const publicationOf = (document: ContentDocument): ListedDocument['publication'] =>
    type.draftAndPublish ? (publications.get(versionKey(document)) ?? request.status) : null;
  const rows = documents.map((document): ListedDocument => {
    const listed = toListedDocument(type, document);
    const publication = publicationOf(document);
    const showsDraft = request.status === 'draft' || publication !== 'modified';
    const isKnown = showsDraft && showsField(type, 'updatedAt');
    return { ...listed, publication, draftUpdatedAt: isKnown ? listed.updatedAt : undefined };
  });
  return { kind: 'page', page: { request, documents: rows, total } };
};

const readPreview = async (store: ContentStore, request: PreviewRequest): Promise<BrowseEvent> => {
  const type = typeOf(store.model, request.type);
  const document = await store.findOne(type.uid, request.documentId, {
    status: request.status,
    ...(request.locale === null ? {} : { locale: request.locale }),
    populate: populatePreview(store.model, type),
  });
  return { kind: 'preview', preview: { request, document } };
};

/** Performs a read of {@link nextRead}. */
export async function performRead(store: ContentStore, read: Read): Promise<BrowseEvent> {
  switch (read.kind) {
    case 'page':
      return readPage(store, read.request);
    case 'preview':
      return readPreview(store, read.request);
    case 'count':
      return {
        kind: 'count',
        key: read.key,
        count: await store.count(read.request.type, filterOf(read.request)),
      };
  }
}

/** Returns the event of an empty result for a read that failed, so that it is not retried endlessly. */
export function emptyResult(read: Read): BrowseEvent {
  switch (read.kind) {
    case 'page':
      return { kind: 'page', page: { request: read.request, documents: [], total: 0 } };
    case 'preview':
      return { kind: 'preview', preview: { request: read.request, document: null } };
    case 'count':
      return { kind: 'count', key: read.key, count: null };
  }
}

/** Operations without an editor. */
type Write = Exclude<Operation, { readonly kind: 'edit' | 'create' }>;

const LABELS: Readonly<Record<Operation['kind'], readonly [doing: string, done: string]>> = {
  publish: ['Publishing', 'Published'],
  unpublish: ['Unpublishing', 'Unpublished'],
  discardDraft: ['Discarding the changes of', 'Discarded the changes of'],
  duplicate: ['Duplicating', 'Duplicated'],
  delete: ['Deleting', 'Deleted'],
  edit: ['Editing', 'Saved'],
  translate: ['Copying', 'Copied'],
  create: ['Creating', 'Created'],
};

const targetName = (operation: Operation): string =>
  operation.kind === 'create' ? 'a document' : `"${operation.target.title}"`;

export function describeRunning(operation: Operation): string {
  return `${LABELS[operation.kind][0]} ${targetName(operation)}`;
}

export function describeResult(operation: Operation): string {
  return `${LABELS[operation.kind][1]} ${targetName(operation)}.`;
}

const composeWrite = async (
  store: ContentStore,
  write: Exclude<Write, { readonly kind: 'translate' }>,
): Promise<ContentWrite> => {
  const { documentId, locale, type, draftUpdatedAt } = write.target;
  const localized = locale === null ? {} : { locale };
  const ifMatch = store.comparesRevisions ? draftUpdatedAt : undefined;
  switch (write.kind) {
    case 'duplicate': {
      const draft = { documentId, locale: locale ?? undefined };
      const data = await duplicateData(store, typeOf(store.model, type), draft);
      return { action: 'create', data, ...localized };
    }
    case 'delete':
      // Other locales may have changed later than the listed one.
      return locale === null || write.onlyLocale
        ? { action: 'delete', documentId, locale: locale ?? '*', ifMatch }
        : { action: 'delete', documentId, locale: '*' };
    default:
      return { action: write.kind, documentId, ...localized, ifMatch };
  }
};

/**
 * Performs an operation on a document. Returns a line for each attribute that it omitted.
 *
 * @throws the errors of the write
 */
export async function performWrite(store: ContentStore, write: Write): Promise<readonly string[]> {
  const { type: uid, documentId, locale } = write.target;
  if (write.kind !== 'translate') {
    await runWrites(store, typeOf(store.model, uid), [await composeWrite(store, write)], false);
    return [];
  }
  const translation = {
    documentId,
    locale: write.to,
    from: locale ?? undefined,
    attributes: undefined,
    data: {},
    status: 'draft',
  } as const;
  const translated = await store.translate(uid, translation, { isDryRun: false });
  if (translated === null) throw unknownDocument(typeOf(store.model, uid), documentId);
  return translated.omitted.map(({ attribute, reason }) => `${attribute}: ${reason}.`);
}
