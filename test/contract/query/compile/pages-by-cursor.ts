import { createDocumentService } from '../../../../src/documents/create-document-service.js';
import type { FindManyResult } from '../../../../src/documents/documents.js';
import { memoizeWeakly } from '../../../../src/lib/collections.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { queryOf } from './run-query.js';

const LOCALES = { defaultCode: () => 'en', has: () => true };

const documentsOf = memoizeWeakly(({ model, database }: TestEnvironment) =>
  createDocumentService({ model, database, locales: LOCALES }),
);

/** Reads one page of a list. */
export async function readPage(
  testEnvironment: TestEnvironment,
  type: string,
  params: RawReadParams,
): Promise<FindManyResult> {
  return documentsOf(testEnvironment).findMany(queryOf(testEnvironment, type, params));
}

export const idsOf = ({ records }: FindManyResult): readonly number[] =>
  records.map((text) => (JSON.parse(text) as { readonly id: number }).id);

/** Reads a whole list in pages, from its start or from its end. Returns the ids in the order of the list. */
export async function idsByCursor(
  testEnvironment: TestEnvironment,
  type: string,
  params: RawReadParams & { readonly pagination: Readonly<Record<string, unknown>> },
  key: 'after' | 'before',
  betweenPages: () => Promise<void> = async () => {},
): Promise<readonly number[]> {
  const pages: (readonly number[])[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const pagination: Readonly<Record<string, unknown>> = { ...params.pagination, [key]: cursor };
    const page = await readPage(testEnvironment, type, { ...params, pagination });
    const { first, last, hasPrevious, hasNext } = page.ends ?? {};
    pages.push(idsOf(page));
    await betweenPages();
    cursor = (key === 'after' ? hasNext === true && last : hasPrevious === true && first) || null;
  }
  return (key === 'after' ? pages : pages.toReversed()).flat();
}
