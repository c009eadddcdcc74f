import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawReadParams } from '../../../src/query/read-params.js';
import { createReadCompiler } from '../../../src/sql/read-compiler.js';
import type { ReadCompiler } from '../../../src/sql/read-compiler.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import type { ProjectLiteral } from '../../support/models.js';
import { createRandom } from '../../support/random.js';
import { queryOf } from './run-query.js';

const NOTE = 'api::note.note';
/** A word that all texts end with is found in more rows than are looked up. */
const ROWS = 600;
const COMMON = ' common';

/** `SEARCHES=10000` looks for more terms. */
const SEARCHES = Number(process.env['SEARCHES'] ?? 80);

const MODEL: ProjectLiteral = {
  types: {
    note: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', search: true },
        body: { type: 'text', search: true },
        kind: { type: 'enumeration', enum: ['letter', 'memo'] },
        rank: { type: 'integer', index: true },
        weight: { type: 'float' },
        slug: { type: 'uid' },
      },
    },
  },
};

/** Letters whose upper and lower case are not one to one, and what has a meaning in patterns and phrases. */
const PARTS = [
  'lamp Lamp LAMP lantern Straße STRASSE ΟΔΟΣ οδος οδός İstanbul istanbul ISTANBUL ıstanbul',
  'Ⴀბგ აბგ ᏣᎳᎩ ꮳꮃꭹ ﬁne',
  'K k Å å ʼn ǅ ǆ ß ẞ é É 😀 日本語 Привет ПРИВЕТ i I x 42 4.5 memo n1 common % _ * ( AND',
]
  .join(' ')
  .split(' ')
  .concat('\\', '"', "'", 'c0 : ', '\u{307}', 'e\u{301}', 'ΐ', ' ', ' ', ' ');

describe.each(databases)('searching through an index on $name', (database) => {
  let environment: TestEnvironment;
  let indexed: ReadCompiler;
  let scanning: ReadCompiler;
  const random = createRandom(11);
  const { pick } = random;
  const textOf = (parts: number): string => Array.from({ length: parts }, () => pick(PARTS)).join('');

  beforeAll(async () => {
    environment = await createTestEnvironment({ model: MODEL, database });
    const { model, database: opened } = environment;
    const { document, version } = model.typesByUid[NOTE]?.storage ?? {};
    const numbers = Array.from({ length: ROWS }, (_, i) => i + 1);
    await opened.transact(async (tx) => {
      await tx
        .model(document?.model ?? '')
        .createMany({ data: numbers.map((i) => ({ documentId: `n${i}` })) });
      await tx.model(version?.model ?? '').createMany({
        data: numbers.map((i) => ({
          id: i,
          documentId: `n${i}`,
          locale: '',
          status: 'published',
          createdAt: new Date(i),
          updatedAt: new Date(i),
          title: random.next() < 0.1 ? null : textOf(3),
          body: random.next() < 0.1 ? null : textOf(6) + COMMON,
          kind: pick(['letter', 'memo', null]),
          rank: i % 7,
          weight: i / 4,
          slug: `s-${i}`,
        })),
      });
    });
    const { expressions } = opened.dialect;
    indexed = environment.compiler;
    scanning = createReadCompiler(model, expressions);
  });
  afterAll(() => environment.close());

  const read = async (
    compiler: ReadCompiler,
    params: RawReadParams,
  ): Promise<{ readonly sql: string; readonly texts: unknown; readonly count: number }> => {
    const query = queryOf(environment, NOTE, params);
    const { sql, parameters } = compiler.read(query);
    const counting = compiler.count(query);
    return {
      sql,
      texts: await environment.database.readTexts(sql, parameters),
      count: await environment.database.readNumber(counting.sql, counting.parameters),
    };
  };

  const OPERATORS = ['$contains', '$containsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi'];

  const randomSearch = (): RawReadParams => {
    const term = pick([
      textOf(1),
      textOf(2),
      textOf(1).toUpperCase(),
      textOf(2).slice(1),
      textOf(2).toLowerCase(),
    ]);
    const compare = (): Readonly<Record<string, unknown>> =>
      pick([
        { [pick(['title', 'body', 'slug'])]: { [pick([...OPERATORS, '$eqi'])]: pick([term, textOf(1)]) } },
        { weight: { [pick(OPERATORS)]: pick([term, '4.5', '100']) } },
      ]);
    const filters = pick([
      compare(),
      { $or: [compare(), compare()] },
      { $not: compare() },
      { $and: [compare(), compare()] },
    ]);
    return {
      ...pick([{ _q: term }, { filters }]),
      ...pick([{}, { sort: 'rank' }, { sort: 'weight:desc' }]),
      pagination: { pageSize: pick([3, 100]), page: pick([1, 2]) },
    };
  };

  it('finds what a scan finds', async () => {
    let lookedUp = 0;
    for (let i = 0; i < SEARCHES; i++) {
      const params = randomSearch();
      const found = await read(indexed, params);
      const scanned = await read(scanning, params);
      expect({ params, ...found, sql: '' }).toEqual({ params, ...scanned, sql: '' });
      if (found.sql !== scanned.sql) lookedUp += 1;
    }
    expect(lookedUp).toBeGreaterThan(SEARCHES / 4);
  });
});
