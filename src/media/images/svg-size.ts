/** An `svg` start tag, its attributes as text. */
const START_TAG = /<(?:[a-z][\w.-]*:)?svg\b([^>]*)>/i;

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];

const pixels = (length: string | undefined): number | null => {
  const value = /^\s*(\d{1,7}(?:\.\d{1,6})?)(?:px)?\s*$/.exec(length ?? '')?.[1];
  return value === undefined ? null : Math.round(Number(value));
};

/** The size an SVG states in its first element, or the size of its view box; null where it states neither. Nothing is drawn. */
export function svgSize(head: string): { readonly width: number; readonly height: number } | null {
  const tag = START_TAG.exec(head)?.[1] ?? '';
  const box = (attribute(tag, 'viewBox') ?? '').trim().split(/[\s,]+/);
  const width = pixels(attribute(tag, 'width')) ?? pixels(box[2]);
  const height = pixels(attribute(tag, 'height')) ?? pixels(box[3]);
  return width === null || height === null ? null : { width, height };
}
