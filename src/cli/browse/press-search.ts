import type { Key } from './keys.js';
import type { BrowseState } from './state.js';

const search = (state: BrowseState, text: string): BrowseState => ({
  ...state,
  search: text,
  start: 0,
  selected: 0,
  follow: null,
});

/** Returns what a key does while a search is typed. */
export function pressInSearch(state: BrowseState, key: Key): BrowseState {
  switch (key) {
    case 'enter':
    case 'down':
      return { ...state, mode: 'browse' };
    case 'escape':
      return { ...search(state, ''), mode: 'browse' };
    case 'backspace':
      return search(state, [...state.search].slice(0, -1).join(''));
    case 'ctrl-u':
      return search(state, '');
    default:
      // All other keys with names are longer than a character.
      return [...key].length === 1 ? search(state, state.search + key) : state;
  }
}
