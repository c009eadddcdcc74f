import stringWidth from 'string-width';
import { cutText, fitText, toOneLine } from '../../terminal/cut-text.js';
import { KEY_HELP, KEY_HINTS } from '../keys.js';
import { currentType, labelOf, shownPage } from '../state.js';
import type { BrowseState } from '../state.js';
import { plainLine, tonedLine } from './line.js';
import type { Line } from './line.js';

const GAP = '  ';

const placeText = (state: BrowseState): string => {
  const page = shownPage(state);
  if (page === null) return 'reading…';
  const { documents, total, request } = page;
  if (total === 0) return 'none';
  return `${request.start + 1}–${request.start + documents.length} of ${total}`;
};

/** The line at the top: which list is shown. */
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

/** The line of what was said last, of a question, or of what is typed. */
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
  return [...spaced, tonedLine('  Any key goes back.', 'dim')].slice(0, rows);
}
