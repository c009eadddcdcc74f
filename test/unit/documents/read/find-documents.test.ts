import { beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../../../../src/documents/read/find-documents.js';
import type { RecordReader } from '../../../../src/documents/read/record-reader.js';
import type { ContentModel } from '../../../../src/model/model.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { loadFixtureModel } from '../../../support/models.js';
import { parse } from '../../query/compile/support.js';

const ARTICLE = 'api::article.article';

const unexpected = (): Promise<never> => Promise.reject(new Error('Nothing else is read'));

describe('reading a page', () => {
  let model: ContentModel;
  beforeAll(async () => {
    model = await loadFixtureModel('magazine');
  });

  /** Reads a page of a list of so many records. Returns what was read, in this order. */
  const read = async (
    length: number,
    params: RawReadParams,
  ): Promise<{
    readonly total: number | null;
    readonly found: number;
    readonly reads: readonly string[];
  }> => {
    const reads: string[] = [];
    const records: RecordReader = {
      many: async ({ page }) => {
        reads.push('page');
        await Promise.resolve();
        const { offset = 0, limit = length } = page ?? {};
        return Array.from({ length: Math.max(Math.min(limit, length - offset), 0) }, () => '{}');
      },
      count: async () => {
        reads.push('count');
        return length;
      },
      one: unexpected,
      oneIn: unexpected,
      aggregate: unexpected,
      documentIdsIn: unexpected,
    };
    const { total, records: found } = await readPage(records, parse(model, ARTICLE, params));
    return { total, found: found.length, reads };
  };

  const NAMED = { slug: 'a' };

  it('counts nothing where the page shows that it is the last', async () => {
    const page = (length: number, start: number): ReturnType<typeof read> =>
      read(length, { filters: NAMED, pagination: { start, limit: 10 } });
    expect(await page(3, 0)).toEqual({ total: 3, found: 3, reads: ['page'] });
    expect(await page(0, 0)).toEqual({ total: 0, found: 0, reads: ['page'] });
    expect(await page(13, 10)).toEqual({ total: 13, found: 3, reads: ['page'] });
  });

  it('counts where more may follow, or nothing was found so far into the list', async () => {
    const page = (length: number, start: number): ReturnType<typeof read> =>
      read(length, { filters: NAMED, pagination: { start, limit: 10 } });
    expect(await page(10, 0)).toEqual({ total: 10, found: 10, reads: ['page', 'count'] });
    expect(await page(13, 0)).toEqual({ total: 13, found: 10, reads: ['page', 'count'] });
    expect(await page(13, 20)).toEqual({ total: 13, found: 0, reads: ['page', 'count'] });
  });

  it('counts nothing that nobody asks for', async () => {
    const { total, reads } = await read(30, { filters: NAMED, pagination: { withCount: false } });
    expect([total, reads]).toEqual([null, ['page']]);
  });
});
