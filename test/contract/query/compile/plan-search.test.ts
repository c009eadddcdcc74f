import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../../src/lib/assert.js';
import { foldText } from '../../../../src/lib/text.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { readPage } from '../../../../src/documents/read/find-documents.js';
import { createRecordReader } from '../../../../src/documents/read/record-reader.js';
import { searchedTables } from '../../../../src/migrations/apply/auxiliary-objects.js';
import { createReadCompiler } from '../../../../src/query/compile/read-compiler.js';
import type { ReadCompiler } from '../../../../src/query/compile/read-compiler.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import type { ProjectLiteral } from '../../../support/models.js';
import { createRandom } from '../../../support/random.js';
import { queryOf } from './run-query.js';

const NOTE = 'api::note.note';
const ROWS = 1300;

/** Ends that many texts have in common. */
const endOf = (i: number): string =>
  i <= 230 ? ' very common' : i % 50 === 0 ? ' very common later' : ' common later';

interface Note {
  readonly id: number;
  readonly title: string | null;
  readonly body: string | null;
}

interface Search extends RawReadParams {
  readonly isOfAllStatuses?: true;
}

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
          status: i % 3 === 0 ? 'draft' : 'published',
          createdAt: new Date(i),
          updatedAt: new Date(i),
          title: random.next() < 0.1 ? null : textOf(3),
          body: random.next() < 0.1 ? null : textOf(6) + endOf(i),
          kind: pick(['letter', 'memo', null]),
          rank: i % 7,
          weight: i / 4,
          slug: `s-${i}-slug`,
        })),
      });
    });
    await opened.transact(async (tx) => {
      await tx.execute('UPDATE notes SET title = body, body = title WHERE id % 5 = 0', []);
      await tx.execute("UPDATE notes SET status = 'draft' WHERE id % 13 = 0", []);
      await tx.execute('DELETE FROM notes WHERE id % 11 = 0', []);
    });
    const undo = new Error('undone');
    await opened
      .transact(async (tx) => {
        await tx.execute("UPDATE notes SET title = 'lamp', body = NULL", []);
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    const { expressions } = opened.dialect;
    indexed = environment.compiler;
    scanning = createReadCompiler(model, expressions);
  });
  afterAll(() => environment.close());

  const read = async (
    compiler: ReadCompiler,
    { isOfAllStatuses, ...params }: Search,
  ): Promise<{
    readonly sql: string;
    readonly texts: readonly (string | null)[];
    readonly count: number;
  }> => {
    const version = queryOf(environment, NOTE, params);
    const query = isOfAllStatuses === true ? { ...version, isOfAllStatuses } : version;
    const { sql, parameters } = compiler.read(query);
    const counting = compiler.count(query);
    return {
      sql,
      texts: await environment.database.readTexts(sql, parameters),
      count: await environment.database.readNumber(counting.sql, counting.parameters),
    };
  };

  const OPERATORS = ['$contains', '$containsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi'];

  const randomSearch = (): Search => {
    const term = pick([
      textOf(1),
      textOf(2),
      textOf(1).toUpperCase(),
      [...textOf(2)].slice(1).join(''),
      textOf(2).toLowerCase(),
      'common later',
      'very common later',
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
      ...pick([{}, { status: 'draft' }, { isOfAllStatuses: true as const }]),
      pagination: pick([
        { pageSize: pick([3, 100]), page: pick([1, 2]) },
        { before: '', pageSize: 25 },
      ]),
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

  it.each([
    ['common', 'body'],
    ['common later', 'body'],
    ['very common', 'body'],
    ['lamp very common', 'body'],
    ['-slug', 'slug'],
  ])('finds %s of a %s in any order', async (term, field) => {
    const orders = [{}, { sort: 'rank' }, { sort: 'rank:desc' }, { sort: 'weight' }];
    for (const order of orders)
      for (const pagination of [
        { pageSize: 3 },
        { pageSize: 3, page: 2 },
        { pageSize: 100 },
        { pageSize: 100, page: 3 },
        { pageSize: 100, page: 6 },
      ]) {
        const params = { filters: { [field]: { $containsi: term } }, ...order, pagination };
        const { texts } = await read(indexed, params);
        expect({ params, texts }).toEqual({ params, texts: (await read(scanning, params)).texts });
      }
  });

  it.each([{}, { sort: 'rank' }, { sort: 'weight:desc' }])('goes on by cursor, %o', async (order) => {
    const { database: opened } = environment;
    const readers = [indexed, scanning].map((compiler) => createRecordReader(opened, compiler));
    const list = { filters: { body: { $containsi: 'common' } }, ...order };
    for (const status of ['draft', 'published'])
      for (const direction of ['after', 'before']) {
        let cursor: string | null = '';
        while (cursor !== null) {
          const params = { ...list, status, pagination: { [direction]: cursor, pageSize: 150 } };
          const query = queryOf(environment, NOTE, params);
          const pages = await Promise.all(readers.map((reader) => readPage(reader, query)));
          expect(pages[0]).toEqual(pages[1]);
          const { ends } = defined(pages[0], 'a page');
          const next = direction === 'after' ? ends?.hasNext : ends?.hasPrevious;
          cursor = next === true ? ((direction === 'after' ? ends?.last : ends?.first) ?? null) : null;
        }
      }
  });

  /** BM25 as `_score` has it, of what `_q` finds in one text. */
  const scoreOf = (text: string | null, term: string): number => {
    const folded = foldText(text ?? '');
    const hits = folded.split(foldText(term)).length - 1;
    return hits / (hits + 0.3 + (0.9 * [...folded].length) / 500);
  };

  it('sorts by how well texts fit, then by id', async () => {
    const params = { _q: 'lamp', pagination: { pageSize: 100 } };
    const parsed = async (more: RawReadParams): Promise<readonly Note[]> => {
      const { texts } = await read(indexed, { ...params, ...more });
      return texts.map((text) => JSON.parse(text ?? '') as Note);
    };
    const unsorted = await parsed({});
    const score = ({ title, body }: Note): number => scoreOf(title, 'lamp') + scoreOf(body, 'lamp');
    const expected = (await parsed({ sort: '_score' })).map(score);
    expect(expected).toEqual(expected.toSorted((left, right) => right - left));
    expect(new Set(expected).size).toBeGreaterThan(10);
    expect(unsorted.length).toBe(100);
    expect(await parsed({ sort: '_score:desc' })).toEqual(await parsed({ sort: ['_score', 'id'] }));
    const worst = (await parsed({ sort: '_score:asc' })).map(score);
    expect(worst).toEqual(worst.toSorted((left, right) => left - right));
  });

  it('refuses to sort by a score where nothing is searched for', () => {
    expect(() => queryOf(environment, NOTE, { sort: '_score' })).toThrow('Only a list with _q');
    expect(() => queryOf(environment, NOTE, { _q: '', sort: { _score: 'desc' } })).toThrow(
      'Only a list with _q',
    );
    const pagination = { after: '' };
    expect(() => queryOf(environment, NOTE, { _q: 'x', sort: '_score', pagination })).toThrow('by cursor');
  });

  it('scans where the index has been dropped', async () => {
    const { database: opened, model, dialect, url } = environment;
    const records = createRecordReader(
      opened,
      createReadCompiler(model, dialect.expressions, { objects: await opened.readObjects() }),
    );
    const query = queryOf(environment, NOTE, { _q: 'lamp', sort: 'rank' });
    const names = searchedTables(model).map((table) => dialect.expressions.search.nameOf(table));
    expect([...(await opened.readObjects()).searchIndexes]).toEqual(expect.arrayContaining(names));
    const [found, number] = [await records.many(query), await records.count(query)];
    const session = await dialect.migrations.openSession(url, { lockTimeoutMs: 1000, isWritable: true });
    const objects = dialect.migrations.search.objectsFor(searchedTables(model));
    await session.runExclusive(() => session.script(objects.map(({ drop }) => drop).join('\n')));
    await dialect.migrations.search.build?.(session, []);
    await session.close();
    expect((await opened.readObjects()).searchIndexes).toEqual(new Set());
    expect(await records.many(query)).toEqual(found);
    expect(await records.count(query)).toBe(number);
    expect(found).toHaveLength(25);
  });
});
