import stringWidth from 'string-width';
import type { Publication } from '../content/print-documents.js';
import type { Style } from '../terminal/terminal.js';
import { cutText, fitText, toOneLine } from '../terminal/text-layout.js';
import { labelWidth, previewRows } from './preview.js';
import type { PreviewRow } from './preview.js';
import { KEY_HELP, KEY_HINTS } from './screen.js';
import {
  bodyRows,
  countKey,
  currentType,
  labelOf,
  mainWidth,
  pageLimit,
  previewHeight,
  scrollTop,
  selectedDocument,
  visiblePage,
  typesWidth,
} from './state.js';
import type { BrowseState, BrowsedType, ListedDocument, Pane } from './state.js';

type Tone = Exclude<keyof Style, 'width'>;

/** A part of a line with one style. */
interface Span {
  readonly text: string;
  readonly tone?: Tone;
}

/** One row of a pane, as wide as the pane at most. */
export type Line = readonly Span[];

export function plainLine(text: string): Line {
  return [{ text }];
}

function tonedLine(text: string, tone: Tone): Line {
  return [{ text, tone }];
}

export function printLine(line: Line, style: Style): string {
  return line.map(({ text, tone }) => (tone === undefined ? text : style[tone](text))).join('');
}

const GAP = '  ';

const placeText = (state: BrowseState): string => {
  const page = visiblePage(state);
  if (page === null) return 'reading…';
  const { documents, total, request } = page;
  if (total === 0) return 'none';
  return `${request.start + 1}–${request.start + documents.length} of ${total}`;
};

/** The line at the top, which names the list. */
export function headerLine(state: BrowseState): Line {
  const { size, order } = state;
  const type = currentType(state);
  const parts = [
    labelOf(state, type.uid),
    ...(type.draftAndPublish ? [state.status === 'draft' ? 'drafts' : 'published'] : []),
    ...(type.localized ? [state.locale] : []),
    placeText(state),
    order === 'updated' ? 'last changed first' : 'by title',
  ];
  return tonedLine(fitText(` ${parts.join(' · ')}`, size.columns), 'inverse');
}

/** The line of the last message, a question or the typed search. */
export function messageLine(state: BrowseState): Line {
  const { mode, search, confirmation, busy, message, size } = state;
  const cut = (text: string): string => cutText(toOneLine(text), size.columns);
  if (mode === 'confirm' && confirmation !== null) return tonedLine(cut(confirmation.question), 'yellow');
  if (mode === 'search') return tonedLine(cut(`Search: ${search}_`), 'bold');
  if (busy !== null) return tonedLine(cut(`${busy}…`), 'dim');
  if (message !== null) return tonedLine(cut(message.text), message.tone === 'error' ? 'red' : 'green');
  return plainLine(search === '' ? '' : cut(`Search: ${search}   (Esc ends it)`));
}

/** The line of keys, as many as fit. */
export function hintLine({ size }: BrowseState): Line {
  const hints = KEY_HINTS.map(([key, meaning]) => `${key} ${meaning}`);
  const fitting = hints.filter(
    (_hint, index) => stringWidth(hints.slice(0, index + 1).join(GAP)) <= size.columns,
  );
  return tonedLine(fitting.join(GAP), 'dim');
}

/** All keys, for `?`. */
export function helpLines(rows: number): readonly Line[] {
  const width = Math.max(...KEY_HELP.map(([keys]) => stringWidth(keys)));
  const lines = KEY_HELP.map(([keys, meaning]) => [
    { text: `  ${fitText(keys, width)}  `, tone: 'bold' as const },
    { text: meaning },
  ]);
  const spaced = lines.length + 3 <= rows ? [plainLine(''), ...lines, plainLine('')] : lines;
  return [...spaced, tonedLine('  Press any key to go back.', 'dim')].slice(0, rows);
}

/** Wide enough for `published`. */
const STATUS_WIDTH = 9;
const TIME_WIDTH = 16;
/** From this width on, lists have a column with the time of the last change. */
const MIN_WIDTH_WITH_TIME = 80;

const TONES: Readonly<Record<Publication, Tone>> = { draft: 'dim', modified: 'yellow', published: 'green' };

/** Returns the prefix of a row, which marks the active pane even without color. */
const marker = (isSelected: boolean, hasKeys: boolean): string => {
  if (!isSelected) return '  ';
  return hasKeys ? '> ' : '· ';
};

const hasKeys = (state: BrowseState, pane: Pane): boolean => state.pane === pane && state.mode !== 'search';

/** The types with the number of their documents. */
export function typeLines(state: BrowseState): readonly Line[] {
  const [width, height] = [typesWidth(state.size), bodyRows(state.size)];
  const lineOf = ({ type, label }: BrowsedType, index: number): Line => {
    const isSelected = index === state.typeIndex;
    const count = state.counts[countKey(state, type)];
    const number = count === undefined ? '…' : String(count ?? '?');
    const name = fitText(marker(isSelected, hasKeys(state, 'types')) + label, width - number.length - 2);
    const text = `${name} ${number} `;
    if (!isSelected) return plainLine(text);
    return tonedLine(text, hasKeys(state, 'types') ? 'inverse' : 'bold');
  };
  const top = scrollTop(state.typeIndex, height);
  return state.types.map(lineOf).slice(top, top + height);
}

const emptyText = (state: BrowseState): string => {
  if (visiblePage(state) === null) return 'Reading…';
  return state.search === '' ? 'No documents. Press c to create one.' : 'No matches.';
};

const listColumns = (
  state: BrowseState,
): readonly (readonly [
  header: string,
  width: number,
  value: (row: ListedDocument) => string,
  tone?: (row: ListedDocument) => Tone | undefined,
])[] => {
  const type = currentType(state);
  const localeWidth = Math.max(...state.locales.map((code) => code.length), 'LOCALE'.length);
  const toneOf = ({ publication }: ListedDocument): Tone | undefined =>
    publication === null ? undefined : TONES[publication];
  return [
    ...(type.draftAndPublish
      ? [['STATUS', STATUS_WIDTH, (row: ListedDocument) => row.publication ?? '', toneOf] as const]
      : []),
    ...(type.localized ? [['LOCALE', localeWidth, (row: ListedDocument) => row.locale ?? ''] as const] : []),
    ...(mainWidth(state.size) >= MIN_WIDTH_WITH_TIME
      ? ([
          [
            'CHANGED',
            TIME_WIDTH,
            ({ updatedAt }: ListedDocument) => updatedAt.slice(0, 16).replace('T', ' '),
          ],
        ] as const)
      : []),
  ];
};

/** The documents of a page. Titles come last, since the width of their characters is uncertain. */
export function documentLines(state: BrowseState): readonly Line[] {
  const width = mainWidth(state.size);
  const columns = listColumns(state);
  const before = 2 + columns.reduce((sum, [, columnWidth]) => sum + columnWidth + 2, 0);
  const titled = (title: string): string => fitText(title, width - before);
  const headers = columns.map(([header, columnWidth]) => `${fitText(header, columnWidth)}  `);
  const header = tonedLine(`  ${headers.join('')}${titled('TITLE')}`, 'bold');
  const documents = visiblePage(state)?.documents ?? [];
  if (documents.length === 0) return [header, tonedLine(cutText(`  ${emptyText(state)}`, width), 'dim')];
  const lineOf = (row: ListedDocument, index: number): Line => {
    const isSelected = index === state.selected;
    const isInverse = isSelected && hasKeys(state, 'documents');
    const spans = [
      { text: marker(isSelected, hasKeys(state, 'documents')) },
      ...columns.map(([, columnWidth, value, tone]) => ({
        text: `${fitText(value(row), columnWidth)}  `,
        tone: tone?.(row),
      })),
      { text: titled(row.title) },
    ];
    if (isInverse) return tonedLine(spans.map(({ text }) => text).join(''), 'inverse');
    return spans.map(({ text, ...span }) =>
      'tone' in span && span.tone !== undefined ? { text, tone: span.tone } : { text },
    );
  };
  return [header, ...documents.map(lineOf)].slice(0, pageLimit(state.size) + 1);
}

const FOLD_MARKS = new Map([
  [true, '- '],
  [false, '+ '],
]);

const previewLine = (
  row: PreviewRow,
  {
    width,
    labels,
    isSelected,
  }: { readonly width: number; readonly labels: number; readonly isSelected: boolean },
): Line => {
  const label = fitText('  '.repeat(row.depth) + row.label, labels);
  const mark = (row.isOpen === null ? undefined : FOLD_MARKS.get(row.isOpen)) ?? '  ';
  const text = cutText(row.text, width - labels - 5);
  const start = isSelected ? '> ' : '  ';
  if (isSelected) return tonedLine(fitText(`${start}${label} ${mark}${text}`, width), 'inverse');
  return [{ text: `${start}${label} `, tone: 'cyan' }, { text: mark + text }];
};

/** The title of the selected document, and its values below. */
export function previewLines(state: BrowseState): readonly Line[] {
  const [width, height] = [mainWidth(state.size), previewHeight(state.size)];
  const rows = previewRows(state) ?? [];
  const labels = labelWidth(rows);
  const top = scrollTop(state.previewRow, height);
  const isCut = rows.length > height;
  const place = isCut ? ` ${top + 1}–${Math.min(top + height, rows.length)} of ${rows.length} ──` : '';
  const title = selectedDocument(state)?.title;
  const named = title === undefined ? '' : ` ${cutText(title, width - place.length - 6)} `;
  const rule = `──${named}${'─'.repeat(Math.max(0, width - 2 - stringWidth(named + place)))}${place}`;
  const lines = rows.slice(top, top + height).map((row, index) =>
    previewLine(row, {
      width,
      labels,
      isSelected: hasKeys(state, 'preview') && top + index === state.previewRow,
    }),
  );
  return [tonedLine(rule, hasKeys(state, 'preview') ? 'bold' : 'dim'), ...lines];
}
