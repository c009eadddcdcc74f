import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { populatePreview, previewValues } from '../../../../src/cli/browse/preview.js';
import { MIN_SIZE, reduce, neededPreview } from '../../../../src/cli/browse/state.js';
import { nextRead } from '../../../../src/cli/browse/read-and-write.js';
import {
  documentLines,
  headerLine,
  helpLines,
  hintLine,
  messageLine,
  previewLines,
  typeLines,
} from '../../../../src/cli/browse/lines.js';
import { typeOf } from '../../../../src/model/lookup.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import { loadFixtureModel } from '../../../support/models.js';
import { listed, model, pressAll, printLines, SMALL, startState, withPage } from './support.js';

const article = typeOf(model, 'api::article.article');

const DOCUMENT = {
  documentId: 'document0',
  updatedAt: '2026-01-02T03:04:05.678Z',
  title: 'A \u001B[31mlamp\u0007',
  body: 'First line\nSecond line',
  secret: 'hidden',
  price: 19.5,
  extra: { colour: 'red' },
  author: { documentId: 'a', name: 'Ada' },
  others: Array.from({ length: 21 }, (_each, index) => ({ documentId: `o${index}`, name: `Other ${index}` })),
  seo: {
    id: '1',
    metaTitle: 'Meta',
    card: { id: '2', text: 'Inner', tag: { documentId: 't', label: 'Tag' } },
  },
  cards: [
    { id: '3', text: 'One' },
    { id: '4', text: 'Two' },
  ],
  zone: [
    { id: '5', __component: 'shared.card', text: 'Three' },
    { id: '6', __component: 'shared.seo', metaTitle: 'Four' },
  ],
};

const previewed = () => {
  const state = withPage(startState(), 3);
  const request = neededPreview(state);
  if (request === null) throw new Error('Nothing is selected');
  return reduce(state, { kind: 'preview', preview: { request, document: DOCUMENT } });
};

describe('the values of a preview', () => {
  const values = previewValues(model, article, DOCUMENT);

  it('are those that may be seen, in the order of the schema, in one line each', () => {
    expect(values.map(({ label, text }) => [label, text])).toEqual([
      ['title', 'A  [31mlamp'],
      ['body', 'First line Second line'],
      ['price', '19.5'],
      ['extra', '{"colour":"red"}'],
      ['author', 'Ada'],
      ['others', `${Array.from({ length: 20 }, (_each, index) => `Other ${index}`).join(', ')}, …`],
      ['seo', 'shared.seo: Meta'],
      ['cards', '2 of shared.card'],
      ['zone', '2 of shared.card, shared.seo'],
    ]);
  });

  it('ask only for what names linked documents, also below components', () => {
    const linked = { fields: ['name'] };
    const card = { populate: { tag: { fields: ['label'] } } };
    const seo = { populate: { card } };
    expect(populatePreview(model, article)).toEqual({
      author: linked,
      others: { ...linked, limit: 21 },
      seo,
      cards: card,
      zone: { on: { 'shared.seo': seo, 'shared.card': card } },
    });
  });
});

describe.each(['magazine', 'launchpad'] as const)('the preview of %s', (fixture) => {
  it('asks for what the API has', async () => {
    const site = await loadFixtureModel(fixture);
    const access = { canFind: () => true };
    const limits = { defaultLimit: 25, maxLimit: 100, populateDepth: 20, maxNodes: 10_000 };
    const options = { access, limits, defaultLocale: 'en', paginated: false };
    const read = site.types.map((type) =>
      parseReadQuery(site, type.uid, { populate: populatePreview(site, type) }, options),
    );
    expect(read.some(({ selection }) => selection.populate.length > 0)).toBe(true);
  });
});

describe('what is read', () => {
  it('is the page first, then the preview, then the numbers of other types', () => {
    const empty = startState();
    expect(nextRead(empty)).toMatchObject({ kind: 'page' });
    const paged = withPage(empty, 3);
    expect(nextRead(paged)).toMatchObject({ kind: 'preview', request: { documentId: 'document0' } });
    const counting = nextRead(previewed());
    expect(counting).toMatchObject({ kind: 'count', request: { type: 'api::author.author', search: '' } });
    if (counting?.kind !== 'count') throw new Error('Nothing is counted');
    const counted = reduce(previewed(), { kind: 'count', key: counting.key, count: 4 });
    expect(nextRead(counted)).toMatchObject({ kind: 'count', request: { type: 'api::tag.tag' } });
    const again = pressAll(counted, ['r']).state;
    expect([nextRead(again)?.kind, again.counts]).toEqual(['page', counted.counts]);
    expect(nextRead(withPage(again, 3))?.kind).toBe('preview');
    expect(nextRead(pressAll(counted, ['j']).state)).toMatchObject({ kind: 'preview' });
    expect(nextRead(pressAll(counted, ['/', 'x']).state)).toMatchObject({
      kind: 'page',
      request: { search: 'x' },
    });
  });
});

/** From the first value to the component. */
const SIX_DOWN = Array.from({ length: 6 }, () => 'j');

describe('the lines', () => {
  const inPreview = (...keys: readonly string[]) => pressAll(previewed(), ['tab', ...keys]).state;

  it('unfold components and long texts, and fold them again', () => {
    expect(printLines(previewLines(inPreview('j', 'enter'))).slice(1, 6)).toEqual([
      '  title        A  [31mlamp',
      '> body       - First line Second line',
      '               First line',
      '               Second line',
      '  price        19.5',
    ]);
    expect(printLines(previewLines(inPreview('G'))).at(0)).toMatch(/^── Title 0 ─+ 10–11 of 11 ──$/);
    const { state } = pressAll(previewed(), ['tab', ...SIX_DOWN, 'enter']);
    const unfolded = printLines(previewLines(state));
    expect(unfolded.slice(-3)).toEqual([
      '> seo         - shared.seo: Meta',
      '    metaTitle   Meta',
      '    card      + shared.card: Inner',
    ]);
    expect(printLines(previewLines(pressAll(state, ['enter']).state))).toEqual(
      printLines(previewLines(inPreview(...SIX_DOWN))),
    );
  });

  it('show status and locale, and cut titles by the cells that they take', () => {
    const wide = '漢字とかな'.repeat(20);
    const state = previewed();
    const page = {
      ...(state.page ?? { request: {} as never, total: 0 }),
      documents: [listed(0, { title: wide, publication: 'modified' }), listed(1, { title: '🚢'.repeat(40) })],
    };
    const lines = printLines(documentLines({ ...state, page, pane: 'types' }));
    expect(lines[1]).toMatch(/^· modified {3}en {6}漢字とかな.*…$/);
    const widths = documentLines({ ...state, page }).map((line) =>
      stringWidth(line.map(({ text }) => text).join('')),
    );
    expect(new Set(widths)).toEqual(new Set([58]));
  });

  it('fit the terminal, for any size', () => {
    for (const size of [SMALL, { columns: 120, rows: 40 }, MIN_SIZE]) {
      const state = withPage({ ...previewed(), size }, 60);
      const lines = [headerLine(state), messageLine(state), hintLine(state), ...helpLines(size.rows - 3)];
      const widths = lines.map((line) => stringWidth(printLines([line])[0] ?? ''));
      expect(Math.max(...widths)).toBeLessThanOrEqual(size.columns);
      expect(printLines(helpLines(size.rows - 3)).at(-1)).toBe('  Press any key to go back.');
      const panes = typeLines(state).map((line) => stringWidth(printLines([line])[0] ?? ''));
      expect(Math.max(...panes)).toBeLessThan(size.columns / 4);
    }
  });

  it('name the list, the search, the question and what is being done', () => {
    const text = (state: ReturnType<typeof startState>) => printLines([messageLine(state)])[0];
    expect(printLines([headerLine(previewed())])[0]).toBe(
      ' article · drafts · en · 1–3 of 3 · last changed first',
    );
    expect(text(pressAll(previewed(), ['/', 'r']).state)).toBe('Search: r_');
    expect(text(pressAll(previewed(), ['/', 'r', 'enter']).state)).toBe('Search: r   (Esc ends it)');
    expect(text(pressAll(previewed(), ['x']).state)).toContain('Delete article "Title 0"?');
    expect(text(reduce(previewed(), { kind: 'began', label: 'Publishing "A"' }))).toBe('Publishing "A"…');
  });
});
