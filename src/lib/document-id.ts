import { createId } from '@paralleldrive/cuid2';

/** A new document's id: 24 lower-case letters and digits that nobody can guess or count. */
export function createDocumentId(): string {
  return createId();
}
