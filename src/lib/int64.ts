/** The range of a signed 64-bit integer, the largest integer column of both databases. */
export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
