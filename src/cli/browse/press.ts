import { clampIndex } from '../../lib/collections.js';
import { previewRows } from './preview.js';
import { currentType, labelOf, reload, selectedDocument, visiblePage } from './state.js';
import type { BrowseState, ListedDocument, Operation, Pane } from './state.js';
import type { Key } from './screen.js';

const withSearch = (state: BrowseState, text: string): BrowseState => ({
  ...state,
  search: text,
  start: 0,
  selected: 0,
  follow: null,
});

/** Returns the result of a key while the user types a search. */
function pressInSearch(state: BrowseState, key: Key): BrowseState {
  switch (key) {
    case 'enter':
    case 'down':
      return { ...state, mode: 'browse' };
    case 'escape':
      return { ...withSearch(state, ''), mode: 'browse' };
    case 'backspace':
      return withSearch(state, [...state.search].slice(0, -1).join(''));
    case 'ctrl-u':
      return withSearch(state, '');
    default:
      // All other keys with names are longer than a character.
      return [...key].length === 1 ? withSearch(state, state.search + key) : state;
  }
}

/** The result of a pressed key. */
export interface Pressed {
  readonly state: BrowseState;
  /** The effect to run now. Absent if only the state changes. */
  readonly effect?: Operation | { readonly kind: 'quit' | 'suspend' };
}

const PANES: readonly Pane[] = ['types', 'documents', 'preview'];

const ALIASES: Readonly<Record<Key, Key>> = {
  k: 'up',
  j: 'down',
  g: 'home',
  G: 'end',
  n: 'page-down',
  b: 'page-up',
  'ctrl-f': 'page-down',
  'ctrl-b': 'page-up',
  left: 'shift-tab',
  h: 'shift-tab',
  right: 'tab',
  ' ': 'enter',
};

const withMessage = (state: BrowseState, text: string): Pressed => ({
  state: { ...state, message: { tone: 'error', text } },
});

/** Shows another list from its beginning. */
const restart = (state: BrowseState, change: Partial<BrowseState>): BrowseState => ({
  ...state,
  start: 0,
  selected: 0,
  follow: null,
  ...change,
});

const cycle = <T>(values: readonly T[], value: T, step: number): T => {
  const index = values.indexOf(value) + step;
  return values.at(index % values.length) ?? value;
};

const showType = (state: BrowseState, index: number): BrowseState => {
  const typeIndex = clampIndex(index, state.types.length);
  return typeIndex === state.typeIndex ? state : restart(state, { typeIndex, search: '' });
};

/** Moves to a position in the whole list, and to its page. */
const showDocument = (state: BrowseState, place: number): BrowseState => {
  const page = visiblePage(state);
  if (page === null) return state;
  const { limit } = page.request;
  const target = clampIndex(place, page.total);
  const start = Math.floor(target / limit) * limit;
  return { ...state, start, selected: target - start, follow: null };
};

const moveTo = (state: BrowseState, where: (place: number, count: number) => number): BrowseState => {
  switch (state.pane) {
    case 'types':
      return showType(state, where(state.typeIndex, state.types.length));
    case 'documents':
      return showDocument(state, where(state.start + state.selected, visiblePage(state)?.total ?? 0));
    case 'preview': {
      const count = previewRows(state)?.length ?? 0;
      return { ...state, previewRow: clampIndex(where(state.previewRow, count), count) };
    }
  }
};

/** Turns a page of the list, whichever pane is active. */
const turnPage = (state: BrowseState, step: number): BrowseState => {
  const page = visiblePage(state);
  const start = state.start + step * (page?.request.limit ?? 0);
  if (page === null || start < 0 || start >= page.total) return state;
  return restart(state, { start });
};

const unfold = (state: BrowseState): BrowseState => {
  const row = previewRows(state)?.[state.previewRow];
  if (row === undefined || row.isOpen === null) return state;
  const unfolded = new Set(state.unfolded);
  if (row.isOpen) unfolded.delete(row.path);
  else unfolded.add(row.path);
  return { ...state, unfolded };
};

const openSelected = (state: BrowseState): BrowseState => {
  if (state.pane === 'preview') return unfold(state);
  return { ...state, pane: state.pane === 'types' ? 'documents' : 'preview' };
};

const showLocale = (state: BrowseState, step: number): Pressed => {
  const type = currentType(state);
  if (!type.localized) return withMessage(state, `${type.singularName} is not localized.`);
  return { state: restart(state, { locale: cycle(state.locales, state.locale, step) }) };
};

const showStatus = (state: BrowseState): Pressed => {
  const type = currentType(state);
  if (!type.draftAndPublish) return withMessage(state, `${type.singularName} has no drafts.`);
  return { state: restart(state, { status: cycle(['draft', 'published'], state.status, 1) }) };
};

const askToDelete = (state: BrowseState, target: ListedDocument): BrowseState => {
  const name = `${labelOf(state, target.type)} "${target.title}"`;
  const whole = { key: 'y', operation: { kind: 'delete', target, onlyLocale: false } } as const;
  const locale = { key: 'o', operation: { kind: 'delete', target, onlyLocale: true } } as const;
  const confirmation =
    target.locale === null
      ? { question: `Delete ${name}? y yes, any other key no`, choices: [whole] }
      : {
          question: `Delete ${name}? y in all locales, o only ${target.locale}, any other key no`,
          choices: [whole, locale],
        };
  return { ...state, mode: 'confirm', confirmation };
};

/** Asks for the new locale by its number. */
const askToTranslate = (state: BrowseState, target: ListedDocument): Pressed => {
  const type = currentType(state);
  if (!type.localized) return withMessage(state, `${type.singularName} is not localized.`);
  const others = state.locales.filter((locale) => locale !== target.locale).slice(0, 9);
  if (others.length === 0)
    return withMessage(state, 'There is no other locale. Add one with: cms locale add');
  const choices = others.map((to, index) => ({
    key: String(index + 1),
    operation: { kind: 'translate', target, to } as const,
  }));
  const listed = others.map((to, index) => `${index + 1} ${to}`).join(', ');
  const question = `Copy "${target.title}" to a new locale? ${listed}, any other key no`;
  return { state: { ...state, mode: 'confirm', confirmation: { question, choices } } };
};

const DRAFT_KEYS = { p: 'publish', u: 'unpublish', v: 'discardDraft' } as const;
const DOCUMENT_KEYS = { e: 'edit', d: 'duplicate' } as const;

const operate = (state: BrowseState, key: Key): Pressed | null => {
  const isOperation =
    ['c', 'x', 't'].includes(key) || Object.hasOwn({ ...DRAFT_KEYS, ...DOCUMENT_KEYS }, key);
  if (!isOperation) return null;
  if (state.busy !== null) return { state };
  const type = currentType(state);
  if (key === 'c') {
    const locale = type.localized ? state.locale : null;
    return { state, effect: { kind: 'create', type: type.uid, locale } };
  }
  const target = selectedDocument(state);
  if (target === null) return withMessage(state, 'No document is selected.');
  if (key === 'x') return { state: askToDelete(state, target) };
  if (key === 't') return askToTranslate(state, target);
  if (key === 'e' || key === 'd') return { state, effect: { kind: DOCUMENT_KEYS[key], target } };
  if (key !== 'p' && key !== 'u' && key !== 'v') return null;
  if (!type.draftAndPublish) return withMessage(state, `${type.singularName} has no drafts.`);
  if (key === 'u' && target.publication === 'draft')
    return withMessage(state, `"${target.title}" is not published.`);
  return { state, effect: { kind: DRAFT_KEYS[key], target } };
};

const switchPane = (state: BrowseState, step: number): BrowseState => ({
  ...state,
  pane: cycle(PANES, state.pane, step),
});

const move = (state: BrowseState, key: Key): BrowseState | null => {
  switch (key) {
    case 'up':
      return moveTo(state, (place) => place - 1);
    case 'down':
      return moveTo(state, (place) => place + 1);
    case 'home':
      return moveTo(state, () => 0);
    case 'end':
      return moveTo(state, (_place, count) => count - 1);
    case 'page-down':
      return turnPage(state, 1);
    case 'page-up':
      return turnPage(state, -1);
    case 'tab':
      return switchPane(state, 1);
    case 'shift-tab':
      return switchPane(state, -1);
    case 'enter':
      return openSelected(state);
    default:
      return null;
  }
};

const switchList = (state: BrowseState, key: Key): Pressed => {
  switch (key) {
    case '/':
      return { state: { ...state, mode: 'search', pane: 'documents' } };
    case 'escape':
      return { state: state.search === '' ? state : restart(state, { search: '' }) };
    case 's':
      return showStatus(state);
    case 'l':
      return showLocale(state, 1);
    case 'L':
      return showLocale(state, -1);
    case 'o':
      return { state: restart(state, { order: cycle(['updated', 'title'], state.order, 1) }) };
    case 'r':
      return { state: reload(state) };
    case '?':
      return { state: { ...state, mode: 'help' } };
    case 'q':
      return { state, effect: { kind: 'quit' } };
    default:
      return { state };
  }
};

const pressInBrowse = (before: BrowseState, key: Key): Pressed => {
  const state = { ...before, message: null };
  const moved = move(state, ALIASES[key] ?? key);
  if (moved !== null) return { state: moved };
  return operate(state, key) ?? switchList(state, key);
};

/** Returns the new state, and the effect, of a key. */
export function press(state: BrowseState, key: Key): Pressed {
  if (key === 'ctrl-c') return { state, effect: { kind: 'quit' } };
  if (key === 'ctrl-z') return { state, effect: { kind: 'suspend' } };
  switch (state.mode) {
    case 'browse':
      return pressInBrowse(state, key);
    case 'search':
      return { state: pressInSearch(state, key) };
    case 'help':
      return { state: { ...state, mode: 'browse' } };
    case 'confirm': {
      const chosen = state.confirmation?.choices.find((choice) => choice.key === key);
      const closed = { ...state, mode: 'browse', confirmation: null } as const;
      return chosen === undefined ? { state: closed } : { state: closed, effect: chosen.operation };
    }
  }
}
