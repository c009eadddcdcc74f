import type { Size } from './layout.js';
import { pageLimit } from './layout.js';
import {
  countKey,
  currentType,
  isSameRequest,
  selectedDocument,
  wantedPage,
  wantedPreview,
} from './state.js';
import type { BrowseState, Message, Page, Preview } from './state.js';

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
