import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getDialect } from '../../../../../src/database/get-dialect.js';
import type { MigrationSession } from '../../../../../src/database/dialect/migration-support.js';
import { isRecord } from '../../../../../src/lib/records.js';
import type { JsonValue } from '../../../../../src/lib/stored-value.js';
import { NO_DECISIONS } from '../../../../../src/migrations/content/content-decisions.js';
import type { ContentRename } from '../../../../../src/migrations/content/content-decisions.js';
import { createValueComparison } from '../../../../../src/migrations/content/json/compare-values.js';
import {
  createRewriteContext,
  rewriteValue,
} from '../../../../../src/migrations/content/json/rewrite-value.js';
import { matchModels } from '../../../../../src/migrations/content/content-transition.js';
import { attributeOf, typeOf } from '../../../../../src/model/lookup.js';
import { databases } from '../../../../support/databases.js';
import { modelFrom } from '../../../../support/models.js';
import type { ProjectLiteral } from '../../../../support/models.js';
import { fc } from '../../../../support/properties.js';
import { list, project, single, TEXT, zone } from '../../component-fixture.js';
import type { Attributes } from '../../component-fixture.js';

const TYPE = 'api::article.article';

const schema = (leaf: Attributes, ...members: readonly string[]): ProjectLiteral =>
  project(
    { part: zone(...members) },
    {
      'a.node': {
        title: TEXT,
        data: { type: 'json' },
        flag: { type: 'boolean' },
        tags: { type: 'media', multiple: true },
        child: single('a.leaf'),
        children: list('a.leaf'),
      },
      'a.leaf': leaf,
    },
  );

const LEAF = { text: TEXT, data: { type: 'json' }, other: TEXT };

const text = fc.string({ unit: 'grapheme' });
const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }) as fc.Arbitrary<JsonValue>;
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const id = fc.integer({ min: 1 });

const leaf = fc.record(
  { id, text: orNull(text), data: json, other: orNull(text), unknown: json },
  { requiredKeys: ['id'] },
);

const node = fc.record(
  {
    id,
    title: orNull(text),
    data: json,
    flag: orNull(fc.boolean()),
    tags: fc.array(fc.stringMatching(/^[a-z0-9]{24}$/), { maxLength: 2 }),
    child: orNull(leaf),
    children: orNull(fc.array(leaf, { maxLength: 3 })),
  },
  { requiredKeys: ['id'] },
);

const items = fc.array(
  fc.oneof(
    leaf.map((item) => ({ __component: 'a.leaf', ...item })),
    node.map((item) => ({ __component: 'a.node', ...item })),
  ),
  { maxLength: 4 },
);

type Item = Readonly<Record<string, unknown>>;

/** Changes every leaf of a stored list: what the SQL must do, in plain code. */
const mapLeaves = (value: unknown, change: (leaf: Item) => Item): unknown => {
  const mapItem = (item: Item): Item => {
    if (item['__component'] === 'a.leaf') return change(item);
    const { child, children } = item;
    return {
      ...item,
      ...(isRecord(child) ? { child: change(child) } : {}),
      ...(Array.isArray(children) ? { children: children.filter(isRecord).map(change) } : {}),
    };
  };
  return Array.isArray(value) ? value.filter(isRecord).map(mapItem) : value;
};

const renamed = (from: string, to: string): ContentRename => ({
  kind: 'component-attribute',
  component: 'a.leaf',
  from,
  to,
});

describe.each(databases)('rewriting stored components on $name', (kind) => {
  const dialect = getDialect(kind.name);
  const type = dialect.migrations.json;
  let session: MigrationSession;
  beforeAll(async () => {
    const { url } = await kind.create();
    session = await dialect.migrations.openSession(url, { lockTimeoutMs: 1000, isWritable: true });
  });
  afterAll(() => session.close());

  /** Returns a function that rewrites the stored JSON of the zone from one project to another. */
  const rewriter = (from: ProjectLiteral, to: ProjectLiteral, renames: readonly ContentRename[] = []) => {
    const [before, after] = [modelFrom(from), modelFrom(to)];
    const decisions = { ...NO_DECISIONS, renames };
    const match = matchModels(before, after, [], renames);
    const comparison = createValueComparison({ before, after, match, renames: [], decisions, dialect });
    const part = (model: typeof before) => attributeOf(typeOf(model, TYPE), 'part');
    const change = comparison.compare(TYPE, part(before), part(after));
    const value = rewriteValue(createRewriteContext(type, after), change, '"s"."v"');
    const stored = kind.name === 'sqlite' ? '$1' : 'CAST($1 AS JSON)';
    return async (stringified: string): Promise<string> => {
      const [row] = await session.query(
        `SELECT ${type.toText(value)} AS "json" FROM (SELECT ${stored} AS "v") AS "s"`,
        [stringified],
      );
      return String(row?.['json']);
    };
  };

  const ALL = ['a.node', 'a.leaf'];

  it('gives back what it was given where two attributes swap their names twice', async () => {
    const swap = rewriter(schema(LEAF, ...ALL), schema(LEAF, ...ALL), [
      renamed('text', 'other'),
      renamed('other', 'text'),
    ]);
    await fc.assert(
      fc.asyncProperty(items, async (value) => {
        const stored = JSON.stringify(value);
        const swapped = await swap(stored);
        const expected = mapLeaves(value, ({ text: first, other: second, ...rest }) => ({
          ...rest,
          ...(first === undefined ? {} : { other: first }),
          ...(second === undefined ? {} : { text: second }),
        }));
        expect(JSON.parse(swapped)).toEqual(JSON.parse(JSON.stringify(expected)));
        expect(JSON.parse(await swap(swapped))).toEqual(JSON.parse(stored));
      }),
      { numRuns: 60 },
    );
  });

  it('removes one attribute and nothing else', async () => {
    const { other: _removed, ...rest } = LEAF;
    const rewrite = rewriter(schema(LEAF, ...ALL), schema(rest, ...ALL));
    await fc.assert(
      fc.asyncProperty(items, async (value) => {
        const expected = mapLeaves(value, ({ other: _other, ...kept }) => kept);
        expect(JSON.parse(await rewrite(JSON.stringify(value)))).toEqual(
          JSON.parse(JSON.stringify(expected)),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('removes the items of one component and nothing else', async () => {
    const rewrite = rewriter(schema(LEAF, ...ALL), schema(LEAF, 'a.node'));
    await fc.assert(
      fc.asyncProperty(items, async (value) => {
        const expected = value.filter(({ __component }) => __component === 'a.node');
        expect(JSON.parse(await rewrite(JSON.stringify(value)))).toEqual(
          JSON.parse(JSON.stringify(expected)),
        );
      }),
      { numRuns: 60 },
    );
  });
});
