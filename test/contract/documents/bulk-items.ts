import { parseBulkItems } from '../../../src/documents/write/parse-bulk-items.js';
import type { BulkItem, BulkOutcome } from '../../../src/documents/documents.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { uidOf } from './service.js';

export type Item = Readonly<Record<string, unknown>>;

export const itemsOf = (
  environment: TestEnvironment,
  type: string,
  items: readonly Item[],
): readonly BulkItem[] =>
  parseBulkItems(items, {
    type: uidOf(environment, type),
    locale: undefined,
    defaultLocale: 'en',
    status: undefined,
    defaultStatus: 'published',
    access: undefined,
    selectionOf: () => ({ fields: [], populate: [] }),
    maxItems: 1000,
  });

export const documentIdOf = (outcome: BulkOutcome): string => {
  if ('error' in outcome) throw outcome.error;
  return outcome.documentId;
};

export const create = (data: unknown, options: Item = {}): Item => ({ action: 'create', data, ...options });
