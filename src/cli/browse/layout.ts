/** The size of the terminal in cells. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The size that the names of the columns and the list of keys need. */
export const MIN_SIZE: Size = { columns: 60, rows: 20 };
/** The line at the top, and those of the message and of the keys. */
const FRAME_ROWS = 3;
/** The names of the columns, above the list. */
const LIST_HEADER_ROWS = 1;

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < MIN_SIZE.columns || rows < MIN_SIZE.rows;
}

/** The number of rows between the lines at the top and at the bottom. */
export function bodyRows({ rows }: Size): number {
  return Math.max(1, rows - FRAME_ROWS);
}

/** The number of rows of the list, with its header. */
export function listRows(size: Size): number {
  return Math.ceil(bodyRows(size) / 2);
}

/** The number of documents in a page. */
export function pageLimit(size: Size): number {
  return Math.max(1, listRows(size) - LIST_HEADER_ROWS);
}

/** The number of rows of the preview, without the line above it. */
export function previewHeight(size: Size): number {
  return Math.max(1, bodyRows(size) - listRows(size) - 1);
}

/** The width of the list of types. */
export function typesWidth({ columns }: Size): number {
  return Math.min(30, Math.floor(columns / 4));
}

/** The width of the list of documents and of the preview, beside the line that parts them from the types. */
export function mainWidth(size: Size): number {
  return size.columns - typesWidth(size) - 2;
}

/** The first row that is shown of a list: it is scrolled by whole screens, which changes the fewest lines. */
export function scrollTop(index: number, height: number): number {
  return Math.floor(index / height) * height;
}
