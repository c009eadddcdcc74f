/** The start tag of an `svg` element, with its attributes as text. */
const START_TAG = /<(?:[a-z][\w.-]*:)?svg\b([^>]*)>/i;

const attributeValue = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];

const parsePixels = (length: string | undefined): number | null => {
  const value = /^\s*(\d{1,7}(?:\.\d{1,6})?)(?:px)?\s*$/.exec(length ?? '')?.[1];
  return value === undefined ? null : Math.round(Number(value));
};

/**
 * Returns the size in the attributes of an SVG's first element, or else that of its view box; null if it has
 * neither. Nothing is rendered.
 */
export function svgSize(head: string): { readonly width: number; readonly height: number } | null {
  const tag = START_TAG.exec(head)?.[1] ?? '';
  const viewBox = (attributeValue(tag, 'viewBox') ?? '').trim().split(/[\s,]+/);
  const width = parsePixels(attributeValue(tag, 'width')) ?? parsePixels(viewBox[2]);
  const height = parsePixels(attributeValue(tag, 'height')) ?? parsePixels(viewBox[3]);
  return width === null || height === null ? null : { width, height };
}
