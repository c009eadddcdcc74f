import { describe, expect, it } from 'vitest';
import {
  currentType,
  pageLimit,
  reduce,
  selectedDocument,
  neededPage,
} from '../../../../src/cli/browse/state.js';
import { press } from '../../../../src/cli/browse/press.js';
import { listed, pressAll, SMALL, startState, withPage } from './support.js';

const LIMIT = pageLimit(SMALL);
const start = () => withPage(startState(), 25);

describe('the list of keys', () => {
  it.each(['q', 'j', 'enter', 'escape'])('is left by %s', (key) => {
    const help = press(start(), '?').state;
    expect(help.mode).toBe('help');
    const left = press(help, key);
    expect(left).toMatchObject({ state: { mode: 'browse' } });
    expect(left.effect).toBeUndefined();
  });
});

describe('moving', () => {
  it('goes through the documents, and from one page to the next', () => {
    const down = pressAll(
      start(),
      Array.from({ length: LIMIT }, () => 'j'),
      25,
    ).state;
    expect({ start: down.start, selected: down.selected }).toEqual({ start: LIMIT, selected: 0 });
    const up = pressAll(down, ['up'], 25).state;
    expect({ start: up.start, selected: up.selected }).toEqual({ start: 0, selected: LIMIT - 1 });
  });

  it('stops at both ends', () => {
    expect(selectedDocument(pressAll(start(), ['k', 'up'], 25).state)?.documentId).toBe('document0');
    expect(selectedDocument(pressAll(start(), ['G', 'j', 'down'], 25).state)?.documentId).toBe('document24');
    expect(selectedDocument(pressAll(start(), ['G', 'g'], 25).state)?.documentId).toBe('document0');
  });

  it('turns pages without leaving the list', () => {
    expect(neededPage(pressAll(start(), ['n', 'n'], 25).state).start).toBe(2 * LIMIT);
    expect(neededPage(pressAll(start(), ['n', 'n', 'n', 'n'], 25).state).start).toBe(2 * LIMIT);
    expect(neededPage(pressAll(start(), ['n', 'b', 'page-up'], 25).state).start).toBe(0);
  });

  it('goes through the panes, and Enter goes on', () => {
    expect(pressAll(start(), ['tab']).state.pane).toBe('preview');
    expect(pressAll(start(), ['tab', 'right']).state.pane).toBe('types');
    expect(pressAll(start(), ['left']).state.pane).toBe('types');
    expect(pressAll(start(), ['left', 'enter', 'enter']).state.pane).toBe('preview');
  });

  it('shows another type from its beginning, without the search', () => {
    const before = pressAll(start(), ['/', 'a', 'enter', 'n', 'left'], 25).state;
    const { state } = pressAll(before, ['down', 'down', 'down']);
    expect(currentType(state).uid).toBe('api::tag.tag');
    expect(neededPage(state)).toMatchObject({ start: 0, search: '', locale: null, status: 'published' });
  });
});

describe('lists', () => {
  it('search while typing', () => {
    const { state } = pressAll(start(), ['n', '/', 'r', 'y', 'e', 'q', 'backspace']);
    expect({ ...neededPage(state), mode: state.mode }).toMatchObject({
      search: 'rye',
      start: 0,
      mode: 'search',
    });
    expect(pressAll(state, ['enter']).state).toMatchObject({ mode: 'browse', search: 'rye' });
    expect(pressAll(state, ['ctrl-u']).state).toMatchObject({ mode: 'search', search: '' });
    expect(pressAll(state, ['escape']).state).toMatchObject({ mode: 'browse', search: '' });
    expect(pressAll(state, ['enter', 'escape']).state.search).toBe('');
    expect(pressAll(state, ['page-down', 'ctrl-a', '日']).state.search).toBe('rye日');
  });

  it('go through the locales and statuses', () => {
    expect(pressAll(start(), ['l']).state.locale).toBe('fr');
    expect(pressAll(start(), ['L']).state.locale).toBe('de');
    expect(pressAll(start(), ['l', 'l', 'l']).state.locale).toBe('en');
    expect(neededPage(pressAll(start(), ['s']).state).status).toBe('published');
    expect(neededPage(pressAll(start(), ['s', 's']).state).status).toBe('draft');
    expect(neededPage(pressAll(start(), ['o']).state).order).toBe('title');
  });

  it('say where a type has no locales and no drafts', () => {
    const author = startState({ typeIndex: 1 });
    expect(pressAll(author, ['l']).state.message?.text).toBe('author is not localized.');
    expect(pressAll(author, ['s']).state.message?.text).toBe('author has no drafts.');
    expect(pressAll(withPage(author, 1), ['p']).state.message?.text).toBe('author has no drafts.');
  });
});

describe('operations', () => {
  it.each([
    ['p', 'publish'],
    ['v', 'discardDraft'],
    ['d', 'duplicate'],
    ['e', 'edit'],
  ])('%s: %s the selected document', (key, kind) => {
    expect(pressAll(pressAll(start(), ['j']).state, [key]).effect).toEqual({ kind, target: listed(1) });
  });

  it('u: unpublishes what is published, and says what is not', () => {
    const request = neededPage(startState());
    const published = listed(0, { publication: 'modified' });
    const page = { request, documents: [published, listed(1)], total: 2 };
    const state = reduce(startState(), { kind: 'page', page });
    expect(press(state, 'u').effect).toEqual({ kind: 'unpublish', target: published });
    const { state: after, effect } = pressAll(state, ['j', 'u'], 2);
    expect(effect).toBeUndefined();
    expect(after.message?.text).toBe('"Title 1" is not published.');
  });

  it('create in the locale that is shown', () => {
    expect(pressAll(start(), ['l', 'c']).effect).toEqual({
      kind: 'create',
      type: 'api::article.article',
      locale: 'fr',
    });
    expect(pressAll(startState({ typeIndex: 1 }), ['c']).effect).toMatchObject({ locale: null });
  });

  it('translates to a locale that is chosen by its number', () => {
    const { state, effect } = pressAll(start(), ['t']);
    expect(effect).toBeUndefined();
    expect(state.confirmation?.question).toBe('Copy "Title 0" to a new locale? 1 fr, 2 de, any other key no');
    expect(press(state, '2').effect).toEqual({ kind: 'translate', target: listed(0), to: 'de' });
    expect(press(state, '3')).toEqual({ state: { ...state, mode: 'browse', confirmation: null } });
  });

  it('translates only types with locales, where there are others', () => {
    const alone = pressAll(withPage(startState({ locales: ['en'] }), 1), ['t']).state;
    expect(alone).toMatchObject({ mode: 'browse', message: { tone: 'error' } });
    expect(alone.message?.text).toContain('cms locale add');
    const unlocalized = withPage(startState({ typeIndex: 2 }), 1);
    expect(press(unlocalized, 't').state.confirmation).toBeNull();
  });

  it('delete only what is confirmed, whole or in one locale', () => {
    const { state, effect } = pressAll(start(), ['x']);
    expect(effect).toBeUndefined();
    expect(state.confirmation?.question).toBe(
      'Delete article "Title 0"? y in all locales, o only en, any other key no',
    );
    expect(press(state, 'y').effect).toEqual({ kind: 'delete', target: listed(0), onlyLocale: false });
    expect(press(state, 'o').effect).toEqual({ kind: 'delete', target: listed(0), onlyLocale: true });
    for (const key of ['n', 'escape', 'enter', 'x', 'q'])
      expect(press(state, key)).toEqual({ state: { ...state, mode: 'browse', confirmation: null } });
  });

  it('wait for the one before, and need a document', () => {
    for (const key of ['p', 'u', 'v', 'd', 'e', 'x', 'c'])
      expect(press({ ...start(), busy: 'Publishing' }, key).effect).toBeUndefined();
    expect(pressAll(withPage(startState(), 0), ['p']).state.message?.text).toBe('No document is selected.');
  });

  it('are about the row that is shown, also while another list is read', () => {
    const { effect } = pressAll(start(), ['l', 'p']);
    expect(effect).toMatchObject({ kind: 'publish', target: { documentId: 'document0', locale: 'en' } });
  });

  it('quit and suspend from everywhere', () => {
    for (const keys of [[], ['/'], ['x'], ['?']]) {
      const { state } = pressAll(start(), keys);
      expect(press(state, 'ctrl-c').effect).toEqual({ kind: 'quit' });
      expect(press(state, 'ctrl-z').effect).toEqual({ kind: 'suspend' });
    }
    expect(pressAll(start(), ['q']).effect).toEqual({ kind: 'quit' });
    expect(pressAll(start(), ['/', 'q']).effect).toBeUndefined();
  });
});

describe('what was read and done', () => {
  it('is thrown away where something else is looked at by now', () => {
    const late = { request: neededPage(start()), documents: [listed(7)], total: 1 };
    const { state } = pressAll(start(), ['l']);
    expect(reduce(state, { kind: 'page', page: late })).toBe(state);
  });

  it('keeps the selected document selected where it has moved', () => {
    const state = pressAll(start(), ['j', 'j', 'r']).state;
    const documents = [listed(9), listed(0), listed(1), listed(2)];
    const shown = reduce(state, { kind: 'page', page: { request: neededPage(state), documents, total: 4 } });
    expect(selectedDocument(shown)?.documentId).toBe('document2');
  });

  it('selects the document that was written last, which is first by time', () => {
    const message = { tone: 'info' as const, text: 'Saved.' };
    const state = pressAll(start(), ['n', 'j'], 25).state;
    const ended = reduce({ ...state, busy: 'Editing' }, { kind: 'ended', message, isNewest: true });
    expect(ended).toMatchObject({ start: 0, selected: 0, busy: null, message });
    const byTitle = pressAll(start(), ['o', 'n', 'j'], 25).state;
    expect(reduce(byTitle, { kind: 'ended', message, isNewest: true })).toMatchObject({
      start: LIMIT,
      selected: 1,
    });
  });

  it('goes back a page where the last document of one is gone', () => {
    const state = pressAll(start(), ['G', 'r']).state;
    const gone = withPage({ ...state, start: 2 * LIMIT }, 2 * LIMIT);
    expect(gone.start).toBe(LIMIT);
    expect(neededPage(withPage({ ...state, start: LIMIT }, 0)).start).toBe(0);
  });

  it('keeps the selected document selected in a terminal of another size', () => {
    const state = pressAll(start(), ['n', 'j', 'j'], 25).state;
    const resized = withPage(reduce(state, { kind: 'resized', size: { columns: 120, rows: 40 } }), 25);
    expect(selectedDocument(resized)?.documentId).toBe(`document${LIMIT + 2}`);
  });
});
