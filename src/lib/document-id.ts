import { createId } from '@paralleldrive/cuid2';

/** Returns a new document id: 24 lower-case letters and digits, not guessable. */
export function createDocumentId(): string {
  return createId();
}
