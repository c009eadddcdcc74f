import type { ContentStore, ContentWrite } from '../../transfer/store/content-store.js';
import { typeOf } from '../../model/lookup.js';
import { duplicateData } from '../content/duplicate-data.js';
import { runWrites } from '../content/run-write.js';
import type { Operation } from './state.js';

/** Operations that need no editor. */
export type Write = Exclude<Operation, { readonly kind: 'edit' | 'create' }>;

const LABELS: Readonly<Record<Operation['kind'], readonly [doing: string, done: string]>> = {
  publish: ['Publishing', 'Published'],
  unpublish: ['Unpublishing', 'Unpublished'],
  discardDraft: ['Discarding the changes of', 'Discarded the changes of'],
  duplicate: ['Duplicating', 'Duplicated'],
  delete: ['Deleting', 'Deleted'],
  edit: ['Editing', 'Saved'],
  create: ['Creating', 'Created'],
};

const nameOf = (operation: Operation): string =>
  operation.kind === 'create' ? 'a document' : `"${operation.target.title}"`;

export function describeDoing(operation: Operation): string {
  return `${LABELS[operation.kind][0]} ${nameOf(operation)}`;
}

export function describeDone(operation: Operation): string {
  return `${LABELS[operation.kind][1]} ${nameOf(operation)}.`;
}

const composeWrite = async (store: ContentStore, write: Write): Promise<ContentWrite> => {
  const { documentId, locale, type } = write.target;
  const localized = locale === null ? {} : { locale };
  switch (write.kind) {
    case 'duplicate': {
      const draft = { documentId, locale: locale ?? undefined };
      const data = await duplicateData(store, typeOf(store.model, type), draft);
      return { action: 'create', data, ...localized };
    }
    case 'delete':
      return { action: 'delete', documentId, locale: write.onlyLocale ? (locale ?? '*') : '*' };
    default:
      return { action: write.kind, documentId, ...localized };
  }
};

/**
 * Does to a document what a key asks for.
 *
 * @throws the errors of the write
 */
export async function performWrite(store: ContentStore, write: Write): Promise<void> {
  const type = typeOf(store.model, write.target.type);
  await runWrites(store, type, [await composeWrite(store, write)], false);
}
