import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecordOrder, matchesFilter } from '../../../src/query/match-record.js';
import type { InMemoryRecord } from '../../../src/query/match-record.js';
import { withListRange } from '../../../src/query/parse/parse-pagination.js';
import type { ListRangeOptions } from '../../../src/query/parse/parse-pagination.js';
import { parseFilters } from '../../../src/query/parse/parse-filters.js';
import { parseSort } from '../../../src/query/parse/parse-sort.js';
import type { ReadQuery } from '../../../src/query/query.js';
import { createReadContext } from '../../../src/query/read-context.js';
import { databases } from '../../support/databases.js';
import { modelFrom } from '../../support/models.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import {
  COMPARISON_PROJECT,
  COMPARISON_RECORDS,
  FILTER_CASES,
  SORT_CASES,
} from './compile/comparison-cases.js';
import type { ComparisonRecord } from './compile/comparison-cases.js';
import { queryOf, runQuery } from './compile/run-query.js';
import { seed } from './compile/seed.js';

const VALUE = 'api::value.value';
const OWNER = 'api::owner.owner';
const PART = 'parts.part';

type Range = Partial<ListRangeOptions['rawOptions']>;

/** A row as it is written. */
const toRow = ({ big, moment, ...values }: ComparisonRecord): Readonly<Record<string, unknown>> => ({
  ...values,
  ...(big === undefined ? {} : { big: BigInt(big) }),
  ...(moment === undefined ? {} : { moment: new Date(moment) }),
});

const keysOf = (records: readonly unknown[]): string =>
  records.map((record) => String(Reflect.get(record as object, 'key'))).join('');

const createContext = ({ model }: Pick<TestEnvironment, 'model'>) =>
  createReadContext(model, {
    access: { canFind: () => true },
    limits: { defaultLimit: 100, maxLimit: 100, populateDepth: 5, maxNodes: 100 },
  });

describe.each(databases)('comparisons on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: COMPARISON_PROJECT, database });
    const rows = COMPARISON_RECORDS.map((record) => ({ documentId: record.key, values: toRow(record) }));
    await seed(testEnvironment, VALUE, rows);
    const parts = COMPARISON_RECORDS.map((record, index) => ({ id: index + 1, ...record }));
    await seed(testEnvironment, OWNER, [{ documentId: 'o', values: { parts } }]);
  });
  afterAll(() => testEnvironment.close());

  /** Keys of the items of a repeatable component that are in the range. */
  const keysOfItems = async ({ filters, sort, pagination }: Range): Promise<string> => {
    const context = createContext(testEnvironment);
    const schema = testEnvironment.model.componentsByUid[PART];
    if (schema === undefined) throw new TypeError(`No component ${PART}`);
    const selection = { fields: ['key'], populate: [] };
    const node = { kind: 'component', attribute: 'parts', key: 'parts', selection } as const;
    const query: ReadQuery = {
      ...queryOf(testEnvironment, OWNER),
      selection: {
        fields: [],
        populate: [withListRange(context, node, { schema, rawOptions: { filters, sort, pagination } })],
      },
    };
    const { sql, parameters } = testEnvironment.compiler.read(query);
    const [text] = await testEnvironment.database.readTexts(sql, parameters);
    return keysOf((JSON.parse(text ?? 'null') as { readonly parts: readonly unknown[] }).parts);
  };

  it.each(FILTER_CASES)('of columns: $what', async ({ filters, found }) => {
    const params = { filters, fields: ['key'], sort: 'id', pagination: { limit: 100 } };
    expect(keysOf(await runQuery(testEnvironment, VALUE, params))).toBe(found);
  });

  it.each(FILTER_CASES)('of items in JSON: $what', async ({ filters, found }) => {
    expect(await keysOfItems({ filters })).toBe(found);
  });

  it.each(SORT_CASES)('order columns by $sort', async ({ sort, found }) => {
    const params = { sort, fields: ['key'], pagination: { limit: 100 } };
    expect(keysOf(await runQuery(testEnvironment, VALUE, params))).toBe(found);
  });

  it.each(SORT_CASES)('order items in JSON by $sort', async ({ sort, found }) => {
    expect(await keysOfItems({ sort })).toBe(found);
  });

  it('return one page of the matching items', async () => {
    const filters = { text: { $notNull: true } };
    expect(await keysOfItems({ filters, pagination: { start: 1, limit: 2 } })).toBe('bc');
    expect(await keysOfItems({ filters, sort: 'text:desc', pagination: { page: 2, pageSize: 3 } })).toBe(
      'eid',
    );
    expect(await keysOfItems({ pagination: { start: 10 } })).toBe('n');
    expect(await keysOfItems({ pagination: { start: 11 } })).toBe('');
  });
});

describe('comparisons in memory', () => {
  const model = modelFrom(COMPARISON_PROJECT);
  const schema = model.typesByUid[VALUE];
  if (schema === undefined) throw new TypeError(`No type ${VALUE}`);

  const records: readonly InMemoryRecord[] = COMPARISON_RECORDS.map((record) => ({ ...record }));

  it.each(FILTER_CASES)('of records: $what', ({ filters, found }) => {
    const filter = parseFilters(createContext({ model }), { schema, path: 'filters', depth: 0 }, filters);
    expect(filter).not.toBeNull();
    expect(keysOf(records.filter((record) => filter !== null && matchesFilter(schema, filter, record)))).toBe(
      found,
    );
  });

  it.each(SORT_CASES)('order records by $sort', ({ sort, found }) => {
    const nodes = parseSort(createContext({ model }), { schema, path: 'sort', depth: 0 }, sort);
    expect(keysOf(records.toSorted(createRecordOrder(schema, nodes)))).toBe(found);
  });
});
