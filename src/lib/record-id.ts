/** The largest id that an integer column holds on every supported database. */
const MAX_RECORD_ID = 2_147_483_647;

/**
 * Returns the numeric id that a path, parameter or argument gives as text, or null for anything that no
 * record can have as its id.
 */
export function parseRecordId(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{1,10}$/.test(value)) return null;
  const id = Number(value);
  return id >= 1 && id <= MAX_RECORD_ID ? id : null;
}
