const POSITIVE_DIGITS = /^[1-9]\d{0,15}$/;

/** True if a text is a positive integer of at most 16 digits, without leading zeros. */
export function isPositiveIdText(text: string): boolean {
  return POSITIVE_DIGITS.test(text);
}

/**
 * Parses a numeric id, sent as a number or as text. Returns null for anything but a positive integer that
 * JavaScript represents exactly.
 */
export function parsePositiveId(value: unknown): number | null {
  const id = typeof value === 'string' && isPositiveIdText(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null;
}
