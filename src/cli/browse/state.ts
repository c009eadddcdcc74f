import type { ContentDocument } from '../../transfer/store/content-store.js';
import type { ContentModel, ContentType, Uid, VersionStatus } from '../../model/model.js';
import type { Publication } from '../content/print-documents.js';
import { pageLimit } from './layout.js';
import type { Size } from './layout.js';

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

export interface Preview {
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

export interface Message {
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
