import type { ContentModel, ContentType, Uid, VersionStatus } from '../../model/model.js';
import type { ContentDocument } from '../../transfer/store/content-store.js';
import type { Publication } from '../content/print-documents.js';

/** The size of the terminal in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The minimum size, for the column headers and the list of keys. */
export const MIN_SIZE: Size = { columns: 60, rows: 20 };
/** The lines of the header, the message and the keys. */
const FRAME_ROWS = 3;
/** The column headers. */
const LIST_HEADER_ROWS = 1;

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < MIN_SIZE.columns || rows < MIN_SIZE.rows;
}

/** The number of rows between the header and the footer. */
export function bodyRows({ rows }: Size): number {
  return Math.max(1, rows - FRAME_ROWS);
}

/** The number of rows of the list, with its header. */
export function listRows(size: Size): number {
  return Math.ceil(bodyRows(size) / 2);
}

/** The number of documents in a page. */
export function pageLimit(size: Size): number {
  return Math.max(1, listRows(size) - LIST_HEADER_ROWS);
}

/** The number of rows of the preview, without the line above it. */
export function previewHeight(size: Size): number {
  return Math.max(1, bodyRows(size) - listRows(size) - 1);
}

/** The width of the list of types. */
export function typesWidth({ columns }: Size): number {
  return Math.min(30, Math.floor(columns / 4));
}

/** The width of the list of documents and of the preview, without the line after the types. */
export function mainWidth(size: Size): number {
  return size.columns - typesWidth(size) - 2;
}

/** The first visible row of a list. It scrolls by whole screens, which changes the fewest lines. */
export function scrollTop(index: number, height: number): number {
  return Math.floor(index / height) * height;
}

export type Pane = 'types' | 'documents' | 'preview';
export type Order = 'updated' | 'title';

/** An entry in the list of types. */
export interface BrowsedType {
  readonly type: ContentType;
  /** The short name if it is unambiguous, otherwise the uid. */
  readonly label: string;
}

/** The parameters of a page of documents. */
export interface PageRequest {
  readonly type: Uid;
  readonly status: VersionStatus;
  /** Null for types that are not localized. */
  readonly locale: string | null;
  readonly search: string;
  readonly order: Order;
  readonly start: number;
  readonly limit: number;
  /** Changes whenever loaded values may be out of date. */
  readonly revision: number;
}

/** A version in the list. */
export interface ListedDocument {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale: string | null;
  readonly title: string;
  /** Null for types without drafts. */
  readonly publication: Publication | null;
  readonly updatedAt: string;
  /** `updatedAt` of the draft. Undefined: the list shows the published version of a modified document. */
  readonly draftUpdatedAt: string | undefined;
}

export interface Page {
  readonly request: PageRequest;
  readonly documents: readonly ListedDocument[];
  readonly total: number;
}

/** The version that the preview shows. */
export interface PreviewRequest {
  readonly type: Uid;
  readonly documentId: string;
  readonly status: VersionStatus;
  readonly locale: string | null;
  readonly revision: number;
}

interface Preview {
  readonly request: PreviewRequest;
  /** Null if it was deleted. */
  readonly document: ContentDocument | null;
}

/** An operation that changes, deletes or creates one document. */
export type Operation =
  | { readonly kind: 'publish' | 'unpublish' | 'discardDraft'; readonly target: ListedDocument }
  | { readonly kind: 'duplicate'; readonly target: ListedDocument }
  | { readonly kind: 'edit'; readonly target: ListedDocument }
  /** Copies a locale to a new one. */
  | { readonly kind: 'translate'; readonly target: ListedDocument; readonly to: string }
  | { readonly kind: 'delete'; readonly target: ListedDocument; readonly onlyLocale: boolean }
  | { readonly kind: 'create'; readonly type: Uid; readonly locale: string | null };

interface Confirmation {
  readonly question: string;
  /** The operations by key. Other keys are ignored. */
  readonly choices: readonly { readonly key: string; readonly operation: Operation }[];
}

interface Message {
  readonly tone: 'info' | 'error';
  readonly text: string;
}

export interface BrowseState {
  readonly model: ContentModel;
  readonly types: readonly BrowsedType[];
  readonly locales: readonly string[];
  readonly size: Size;
  readonly pane: Pane;
  readonly mode: 'browse' | 'search' | 'help' | 'confirm';
  readonly typeIndex: number;
  readonly status: VersionStatus;
  readonly locale: string;
  readonly search: string;
  readonly order: Order;
  readonly start: number;
  /** The position in the page. */
  readonly selected: number;
  readonly revision: number;
  /** The document to select in the next loaded page. Null to keep the position. */
  readonly follow: string | null;
  /** The last loaded page, shown until the next one is loaded. */
  readonly page: Page | null;
  readonly preview: Preview | null;
  /** The paths of the unfolded values. */
  readonly unfolded: ReadonlySet<string>;
  /** The position in the preview. */
  readonly previewRow: number;
  /** By {@link countKey}. Null if counting failed. */
  readonly counts: Readonly<Record<string, number | null>>;
  /** The keys of the counts that are up to date. Others are shown until they are reloaded. */
  readonly counted: ReadonlySet<string>;
  readonly confirmation: Confirmation | null;
  /** The label of the running operation. Null if none runs. */
  readonly busy: string | null;
  readonly message: Message | null;
}

export interface Start {
  readonly model: ContentModel;
  readonly types: readonly BrowsedType[];
  readonly typeIndex: number;
  readonly locales: readonly string[];
  readonly locale: string;
  readonly size: Size;
}

export function initialState(start: Start): BrowseState {
  return {
    ...start,
    pane: 'documents',
    mode: 'browse',
    status: 'draft',
    search: '',
    order: 'updated',
    start: 0,
    selected: 0,
    revision: 0,
    follow: null,
    page: null,
    preview: null,
    unfolded: new Set(),
    previewRow: 0,
    counts: {},
    counted: new Set(),
    confirmation: null,
    busy: null,
    message: null,
  };
}

export function currentType({ types, typeIndex }: BrowseState): ContentType {
  const current = types[typeIndex];
  if (current === undefined) throw new TypeError('There is no type to browse.');
  return current.type;
}

export function labelOf({ types }: BrowseState, uid: Uid): string {
  return types.find(({ type }) => type.uid === uid)?.label ?? uid;
}

const localeOf = (state: BrowseState, type: ContentType): string | null =>
  type.localized ? state.locale : null;

/** Returns the request of the page that the screen needs. */
export function neededPage(state: BrowseState): PageRequest {
  const type = currentType(state);
  return {
    type: type.uid,
    status: type.draftAndPublish ? state.status : 'published',
    locale: localeOf(state, type),
    search: state.search.trim(),
    order: state.order,
    start: state.start,
    limit: pageLimit(state.size),
    revision: state.revision,
  };
}

/** Returns the visible page of the selected type, even if a newer one is being loaded. */
export function visiblePage(state: BrowseState): Page | null {
  return state.page?.request.type === currentType(state).uid ? state.page : null;
}

export function selectedDocument(state: BrowseState): ListedDocument | null {
  return visiblePage(state)?.documents[state.selected] ?? null;
}

/** Returns the request of the version that the preview needs. */
export function neededPreview(state: BrowseState): PreviewRequest | null {
  const document = selectedDocument(state);
  const page = visiblePage(state);
  if (document === null || page === null) return null;
  const { type, documentId, locale } = document;
  const { status, revision } = page.request;
  return { type, documentId, locale, status, revision };
}

/** Returns the key of a count: of the documents of a type in a status and a locale. */
export function countKey(state: BrowseState, type: ContentType): string {
  return `${type.uid} ${type.draftAndPublish ? state.status : ''} ${localeOf(state, type) ?? ''}`;
}

export function isSameRequest(left: object | undefined, right: object | null): boolean {
  return left !== undefined && right !== null && JSON.stringify(left) === JSON.stringify(right);
}

/** An event other than a pressed key. */
export type BrowseEvent =
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'preview'; readonly preview: Preview }
  | { readonly kind: 'count'; readonly key: string; readonly count: number | null }
  | { readonly kind: 'message'; readonly message: Message | null }
  | { readonly kind: 'began'; readonly label: string }
  /**
   * Something may have been written. `isNewest`: to the document that now stands first by time of change.
   * `locale`: in a locale that is shown now.
   */
  | {
      readonly kind: 'ended';
      readonly message: Message;
      readonly isNewest: boolean;
      readonly locale?: string | undefined;
    };

/** Marks all loaded values as out of date. */
export function reload(state: BrowseState): BrowseState {
  const follow = selectedDocument(state)?.documentId ?? null;
  return { ...state, revision: state.revision + 1, counted: new Set(), follow };
}

/** Keeps the selected document when the length of the page changes. */
const resize = (state: BrowseState, size: Size): BrowseState => {
  const limit = pageLimit(size);
  const place = state.start + state.selected;
  const start = Math.floor(place / limit) * limit;
  return { ...state, size, start, selected: place - start };
};

const withCount = (state: BrowseState, key: string, count: number | null): BrowseState => ({
  ...state,
  counts: { ...state.counts, [key]: count },
  counted: new Set([...state.counted, key]),
});

const showPage = (state: BrowseState, page: Page): BrowseState => {
  const { request, documents, total } = page;
  if (!isSameRequest(request, neededPage(state))) return state;
  const { limit } = request;
  // The last document of the page may have been deleted.
  if (documents.length === 0 && request.start > 0)
    return { ...state, start: Math.max(0, Math.ceil(total / limit) - 1) * limit };
  const followed = documents.findIndex(({ documentId }) => documentId === state.follow);
  const selected = followed === -1 ? Math.max(0, Math.min(state.selected, documents.length - 1)) : followed;
  const shown = { ...state, page, selected, follow: null };
  return request.search === '' ? withCount(shown, countKey(state, currentType(state)), total) : shown;
};

const showPreview = (state: BrowseState, preview: Preview): BrowseState => {
  if (!isSameRequest(preview.request, neededPreview(state))) return state;
  const { preview: before } = state;
  const isSame = before?.request.documentId === preview.request.documentId;
  return isSame ? { ...state, preview } : { ...state, preview, unfolded: new Set(), previewRow: 0 };
};

export function reduce(state: BrowseState, event: BrowseEvent): BrowseState {
  switch (event.kind) {
    case 'resized':
      return resize(state, event.size);
    case 'page':
      return showPage(state, event.page);
    case 'preview':
      return showPreview(state, event.preview);
    case 'count':
      return withCount(state, event.key, event.count);
    case 'message':
      return { ...state, message: event.message };
    case 'began':
      return { ...state, busy: event.label, message: null };
    case 'ended': {
      const { message, isNewest, locale = state.locale } = event;
      const ended = { ...reload(state), busy: null, message, locale };
      const isFirst = isNewest && state.order === 'updated';
      return isFirst ? { ...ended, start: 0, selected: 0, follow: null } : ended;
    }
  }
}
