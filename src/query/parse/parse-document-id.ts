import { isStorableText } from '../../model/fields/text-value.js';

/** Returns the document id a client names, or null for a value that no database could store. */
export function parseDocumentId(value: unknown): string | null {
  return typeof value === 'string' && isStorableText(value) ? value : null;
}
