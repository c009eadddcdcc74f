import type { MediaFile } from '../../transfer/store/media-store.js';
import type { TableColumn } from '../terminal/table.js';

const KILO = 1000;

/** Prints a size in kilobytes as people read it. */
export function printSize(kilobytes: number): string {
  if (kilobytes < KILO) return `${kilobytes < 10 ? kilobytes : Math.round(kilobytes)} kB`;
  return `${(kilobytes / KILO).toFixed(1)} MB`;
}

const printDimensions = ({ width, height }: MediaFile): string =>
  typeof width === 'number' && typeof height === 'number' ? `${width} × ${height}` : '';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The columns of a list of files. */
export const FILE_COLUMNS: readonly TableColumn<MediaFile>[] = [
  { header: 'ID', value: ({ id }) => id, align: 'right' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'TYPE', value: ({ mime }) => mime },
  { header: 'SIZE', value: ({ size }) => printSize(size), align: 'right' },
  { header: 'PIXELS', value: printDimensions, optional: true },
  { header: 'ALTERNATIVE TEXT', value: ({ alternativeText }) => textOf(alternativeText), optional: true },
  { header: 'URL', value: ({ url }) => url, optional: true },
];
