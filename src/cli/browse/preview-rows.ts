import stringWidth from 'string-width';
import { cellText } from '../content/print-value.js';
import { wrapText } from '../terminal/wrap-text.js';
import { toOneLine } from '../terminal/cut-text.js';
import { typeOf } from '../../model/lookup.js';
import { mainWidth } from './layout.js';
import { previewValues } from './preview-values.js';
import type { PreviewValue } from './preview-values.js';
import { isSameRequest, wantedPreview } from './state.js';
import type { BrowseState } from './state.js';

/** A line of the preview. */
export interface PreviewRow {
  readonly path: string;
  readonly depth: number;
  readonly label: string;
  readonly text: string;
  /** Null: there is nothing to unfold. */
  readonly isOpen: boolean | null;
}

const MAX_LABEL_WIDTH = 20;

/** The width of the names of values, beside which the values begin. */
export function labelWidth(rows: readonly PreviewRow[]): number {
  return Math.min(MAX_LABEL_WIDTH, Math.max(0, ...rows.map((row) => row.depth * 2 + stringWidth(row.label))));
}

const rowsOf = (
  value: PreviewValue,
  depth: number,
  options: { readonly width: number; readonly unfolded: ReadonlySet<string> },
): readonly PreviewRow[] => {
  const { path, label, text, children, lines } = value;
  const isLong = lines.length > 1 || stringWidth(text) > options.width;
  const isFoldable = children.length > 0 || isLong;
  const isOpen = options.unfolded.has(path);
  const row = { path, depth, label, text, isOpen: isFoldable ? isOpen : null };
  if (!isFoldable || !isOpen) return [row];
  const textRows = isLong
    ? lines
        .flatMap((line) => wrapText(toOneLine(line), options.width))
        .map((line) => ({ path, depth: depth + 1, label: '', text: line, isOpen: null }))
    : [];
  return [row, ...children.flatMap((child) => rowsOf(child, depth + 1, options)), ...textRows];
};

/** Returns the lines of the preview. Null: what it has to show is not read yet, or nothing is selected. */
export function rowsOfPreview(state: BrowseState): readonly PreviewRow[] | null {
  const { preview, model, size, unfolded } = state;
  const wanted = wantedPreview(state);
  if (preview === null || wanted === null || preview.document === null) return null;
  const { revision: _read, ...shown } = preview.request;
  const { revision: _wanted, ...selected } = wanted;
  if (!isSameRequest(shown, selected)) return null;
  const { document } = preview;
  const type = typeOf(model, preview.request.type);
  const system = ['documentId', 'updatedAt', 'publishedAt']
    .filter((name) => cellText(document[name]) !== '')
    .map((name) => ({
      path: `$${name}`,
      depth: 0,
      label: name,
      text: cellText(document[name]),
      isOpen: null,
    }));
  const width = mainWidth(size) - MAX_LABEL_WIDTH - 4;
  const values = previewValues(model, type, document);
  return [...values.flatMap((value) => rowsOf(value, 0, { width, unfolded })), ...system];
}
