/** How much work one image may make. */
export interface ImageLimits {
  /** Width times height; what an image takes in memory when it is opened. */
  readonly maxPixels: number;
}

/** Seconds after which an image that takes so long is given up. */
export const IMAGE_TIMEOUT = 30;
