import { createRevisionCache } from '../../database/revision-cache.js';
import type { RevisionSource } from '../../database/revision-source.js';
import type { BoundValue } from '../../database/dialect/sql-expressions.js';
import type { ContentModel } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { typesRead } from '../../query/types-read.js';

/** Some ten thousand numbers. */
const MAX_BYTES = 8 * 1024 * 1024;
const NUMBER_BYTES = 8;

/** Longer statements are rarely repeated. */
const MAX_KEY_LENGTH = 4000;

/** A statement that counts the rows of a query. */
interface CountStatement {
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
}

/** Returns how many rows a query selects: as counted before, unless one of its types was written since. */
export type CountRows = (
  query: ReadQuery,
  statement: CountStatement,
  read: () => Promise<number>,
) => Promise<number>;

const NO_RECORDS: Pick<ReadQuery, 'sort' | 'selection'> = {
  sort: [],
  selection: { fields: [], populate: [] },
};

/** Text, numbers and large integers that look alike are different values. */
const printParameter = (value: BoundValue): string => `${typeof value} ${String(value)}`;

/** The statement and its values say which rows are counted, whoever asks. */
const cacheKeyOf = ({ sql, parameters }: CountStatement): string =>
  parameters.length === 0 ? sql : `${sql}\n${JSON.stringify(parameters.map(printParameter))}`;

/** Creates a cache of counts, which are current until the revision of one of their content-types changes. */
export function createCountCache(model: ContentModel, revisions: Pick<RevisionSource, 'current'>): CountRows {
  const cache = createRevisionCache<number>(MAX_BYTES);
  return async (query, statement, read) => {
    const key = cacheKeyOf(statement);
    const current = key.length > MAX_KEY_LENGTH ? null : await revisions.current();
    if (current === null) return read();
    const cached = cache.get(key, current);
    if (cached !== undefined) return cached;
    const value = await read();
    const types = typesRead(model, { ...query, ...NO_RECORDS });
    cache.set(key, { value, bytes: NUMBER_BYTES, types, revisions: current });
    return value;
  };
}
