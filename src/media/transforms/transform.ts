/** The types that a client may ask for. */
export type TransformFormat = 'webp' | 'avif' | 'jpeg' | 'png';

/**
 * Fit of an image for which both sides are given: `cover` crops it around its focal point, `inside` keeps all
 * of it within them.
 */
type TransformFit = 'cover' | 'inside';

/** Transformation that a client requests of an image. Null: the server's default. */
export interface Transform {
  readonly width: number | null;
  readonly height: number | null;
  readonly fit: TransformFit;
  /** Null: the type that the image has. */
  readonly format: TransformFormat | null;
  readonly quality: number | null;
}

/** True if an image is cropped, and so depends on its focal point. */
export function isCropped({ width, height, fit }: Transform): boolean {
  return width !== null && height !== null && fit === 'cover';
}

/** A file to be sent: a name in a folder. */
export interface TransformedImage {
  readonly folder: string;
  readonly name: string;
}

/** A point of an image that stays in view: percentages from its left and top. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

export const MIDDLE: FocalPoint = { x: 50, y: 50 };
