import type { ContentModel, ContentType, Uid, VersionStatus } from '../../model/model.js';
import type { ContentDocument } from '../../transfer/store/content-store.js';
import type { Publication } from '../content/print-documents.js';

/** The size of the terminal in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The size that the names of the columns and the list of keys need. */
export const MIN_SIZE: Size = { columns: 60, rows: 20 };
/** The line at the top, and those of the message and of the keys. */
const FRAME_ROWS = 3;
/** The names of the columns, above the list. */
const LIST_HEADER_ROWS = 1;

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < MIN_SIZE.columns || rows < MIN_SIZE.rows;
}

/** The number of rows between the lines at the top and at the bottom. */
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

/** The width of the list of documents and of the preview, beside the line that parts them from the types. */
export function mainWidth(size: Size): number {
  return size.columns - typesWidth(size) - 2;
}

/** The first row that is shown of a list: it is scrolled by whole screens, which changes the fewest lines. */
export function scrollTop(index: number, height: number): number {
  return Math.floor(index / height) * height;
}

export type Pane = 'types' | 'documents' | 'preview';
export type Order = 'updated' | 'title';

/** A type as it is listed. */
export interface BrowsedType {
  readonly type: ContentType;
  /** Short where that is unambiguous. */
  readonly label: string;
}

/** The parameters that the shown page of documents was read with. */
export interface PageRequest {
  readonly type: Uid;
  readonly status: VersionStatus;
  /** Null for types that are not localised. */
  readonly locale: string | null;
  readonly search: string;
  readonly order: Order;
  readonly start: number;
  readonly limit: number;
  /** Another one whenever what was read may be out of date. */
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
  /** Null: it is not there any longer. */
  readonly document: ContentDocument | null;
}

/** An operation that changes, deletes or creates one document. */
export type Operation =
  | { readonly kind: 'publish' | 'unpublish' | 'discardDraft'; readonly target: ListedDocument }
  | { readonly kind: 'duplicate'; readonly target: ListedDocument }
  | { readonly kind: 'edit'; readonly target: ListedDocument }
  | { readonly kind: 'delete'; readonly target: ListedDocument; readonly onlyLocale: boolean }
  | { readonly kind: 'create'; readonly type: Uid; readonly locale: string | null };

interface Confirmation {
  readonly question: string;
  /** The operations by key. All other keys do nothing and keep the question. */
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
  /** The place in the page. */
  readonly selected: number;
  readonly revision: number;
  /** The document that is to be selected in the next page that is read. Null: the place stays. */
  readonly follow: string | null;
  /** The last page that was read, shown until the next one is. */
  readonly page: Page | null;
  readonly preview: Preview | null;
  /** The paths of the values that are unfolded. */
  readonly unfolded: ReadonlySet<string>;
  /** The place in the preview. */
  readonly previewRow: number;
  /** By {@link countKey}. Null: it cannot be counted. */
  readonly counts: Readonly<Record<string, number | null>>;
  /** The keys of the counts that are up to date. The others are shown until they are read again. */
  readonly counted: ReadonlySet<string>;
  readonly confirmation: Confirmation | null;
  /** The label of the running operation. Null: none runs. */
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

/** Returns the page that the screen has to show. */
export function wantedPage(state: BrowseState): PageRequest {
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

/** Returns the page that is shown: that of the type, even if it is about to be replaced. */
export function shownPage(state: BrowseState): Page | null {
  return state.page?.request.type === currentType(state).uid ? state.page : null;
}

export function selectedDocument(state: BrowseState): ListedDocument | null {
  return shownPage(state)?.documents[state.selected] ?? null;
}

/** Returns the version that the preview has to show. */
export function wantedPreview(state: BrowseState): PreviewRequest | null {
  const document = selectedDocument(state);
  const page = shownPage(state);
  if (document === null || page === null) return null;
  const { type, documentId, locale } = document;
  const { status, revision } = page.request;
  return { type, documentId, locale, status, revision };
}

/** Names a number of documents: that of a type in a status and a locale. */
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
  /** Something may have been written. `isNewest`: to the document that now stands first by time of change. */
  | { readonly kind: 'ended'; readonly message: Message; readonly isNewest: boolean };

/** Lets everything be read again. */
export function readAgain(state: BrowseState): BrowseState {
  const follow = selectedDocument(state)?.documentId ?? null;
  return { ...state, revision: state.revision + 1, counted: new Set(), follow };
}

/** Keeps the selected document where the page has another length now. */
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
  if (!isSameRequest(request, wantedPage(state))) return state;
  const { limit } = request;
  // What was last on its page may have been deleted.
  if (documents.length === 0 && request.start > 0)
    return { ...state, start: Math.max(0, Math.ceil(total / limit) - 1) * limit };
  const followed = documents.findIndex(({ documentId }) => documentId === state.follow);
  const selected = followed === -1 ? Math.max(0, Math.min(state.selected, documents.length - 1)) : followed;
  const shown = { ...state, page, selected, follow: null };
  return request.search === '' ? withCount(shown, countKey(state, currentType(state)), total) : shown;
};

const showPreview = (state: BrowseState, preview: Preview): BrowseState => {
  if (!isSameRequest(preview.request, wantedPreview(state))) return state;
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
      const ended = { ...readAgain(state), busy: null, message: event.message };
      const isFirst = event.isNewest && state.order === 'updated';
      return isFirst ? { ...ended, start: 0, selected: 0, follow: null } : ended;
    }
  }
}
