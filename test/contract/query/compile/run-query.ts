import type { RawAggregateParams } from '../../../../src/query/aggregate.js';
import { parseAggregate } from '../../../../src/query/parse/parse-aggregate.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import type { ReadQuery } from '../../../../src/query/query.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { ARTICLE } from './magazine.js';

const READ_OPTIONS = {
  limits: { defaultLimit: 25, maxLimit: 100, populateDepth: 20, maxNodes: 1000 },
  access: { canFind: () => true },
  defaultLocale: 'en',
};

export function queryOf(
  testEnvironment: TestEnvironment,
  type: string,
  params: RawReadParams = {},
): ReadQuery {
  return parseReadQuery(testEnvironment.model, type, params, READ_OPTIONS);
}

type RecordJson = Readonly<Record<string, unknown>>;

/** Parses, compiles and runs a read, as a request would. */
export async function runQuery(
  testEnvironment: TestEnvironment,
  type: string,
  params: RawReadParams = {},
): Promise<readonly RecordJson[]> {
  const { sql, parameters } = testEnvironment.compiler.read(queryOf(testEnvironment, type, params));
  const texts = await testEnvironment.database.readTexts(sql, parameters);
  return texts.map((text) => JSON.parse(text ?? 'null') as RecordJson);
}

export async function count(
  testEnvironment: TestEnvironment,
  type: string,
  params: RawReadParams = {},
): Promise<number> {
  const { sql, parameters } = testEnvironment.compiler.count(queryOf(testEnvironment, type, params));
  return testEnvironment.database.readNumber(sql, parameters);
}

/** Parses, compiles and runs an aggregate, as a request would. */
export async function aggregate(
  { model, compiler, database }: TestEnvironment,
  type: string,
  params: RawReadParams & RawAggregateParams,
): Promise<readonly RecordJson[]> {
  const query = parseAggregate(model, type, params, READ_OPTIONS);
  const { sql, parameters } = compiler.aggregate(query);
  const texts = await database.readTexts(sql, parameters);
  return texts.map((text) => JSON.parse(text ?? 'null') as RecordJson);
}

/** Reads the first article of the magazine: its title and whatever is populated. */
export async function firstArticle(
  testEnvironment: TestEnvironment,
  populate: unknown,
  more: RawReadParams = {},
): Promise<RecordJson> {
  const [record = {}] = await runQuery(testEnvironment, ARTICLE, {
    filters: { documentId: 'a1' },
    fields: ['title'],
    populate,
    ...more,
  });
  return record;
}
