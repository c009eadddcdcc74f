import { initialState, reduce, neededPage } from '../../../../src/cli/browse/state.js';
import type { BrowseState, ListedDocument, Page } from '../../../../src/cli/browse/state.js';
import { press } from '../../../../src/cli/browse/press.js';
import type { Pressed } from '../../../../src/cli/browse/press.js';
import { styleFor } from '../../../../src/cli/terminal/terminal.js';
import { printLine } from '../../../../src/cli/browse/lines.js';
import type { Line } from '../../../../src/cli/browse/lines.js';
import { modelFrom } from '../../../support/models.js';

export const model = modelFrom({
  types: {
    article: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        title: { type: 'string' },
        body: { type: 'richtext' },
        secret: { type: 'string', private: true },
        price: { type: 'decimal' },
        extra: { type: 'json' },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        others: { type: 'relation', relation: 'manyToMany', target: 'api::author.author' },
        seo: { type: 'component', component: 'shared.seo' },
        cards: { type: 'component', component: 'shared.card', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.card'] },
      },
    },
    author: { attributes: { name: { type: 'string' } } },
    tag: { attributes: { label: { type: 'string' } } },
  },
  components: {
    'shared.seo': {
      attributes: { metaTitle: { type: 'string' }, card: { type: 'component', component: 'shared.card' } },
    },
    'shared.card': {
      attributes: {
        text: { type: 'text' },
        tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
      },
    },
  },
});

const types = ['article', 'author', 'tag'].map((label) => {
  const type = model.types.find(({ singularName }) => singularName === label);
  if (type === undefined) throw new Error(`There is no ${label}`);
  return { type, label };
});

export const SMALL = { columns: 80, rows: 24 };

export function startState(change: Partial<BrowseState> = {}): BrowseState {
  const start = { model, types, typeIndex: 0, locales: ['en', 'fr', 'de'], locale: 'en', size: SMALL };
  return { ...initialState(start), ...change };
}

export function listed(index: number, change: Partial<ListedDocument> = {}): ListedDocument {
  return {
    type: 'api::article.article',
    documentId: `document${index}`,
    locale: 'en',
    title: `Title ${index}`,
    publication: 'draft',
    updatedAt: '2026-01-02T03:04:05.678Z',
    draftUpdatedAt: '2026-01-02T03:04:05.678Z',
    ...change,
  };
}

/** Answers what the state asks for, as a store with that many documents would. */
export function withPage(state: BrowseState, total: number): BrowseState {
  const request = neededPage(state);
  const length = Math.max(0, Math.min(request.limit, total - request.start));
  const documents = Array.from({ length }, (_each, index) => listed(request.start + index));
  const page: Page = { request, documents, total };
  return reduce(state, { kind: 'page', page });
}

/** Presses keys one after another, with pages of a store with that many documents. */
export function pressAll(state: BrowseState, keys: readonly string[], total = 0): Pressed {
  let pressed: Pressed = { state };
  for (const key of keys) {
    pressed = press(pressed.state, key);
    if (total > 0) pressed = { ...pressed, state: withPage(pressed.state, total) };
  }
  return pressed;
}

export const printLines = (lines: readonly Line[]): readonly string[] =>
  lines.map((line) => printLine(line, styleFor(false)).trimEnd());
