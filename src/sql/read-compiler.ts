import { LRUCache } from 'lru-cache';
import type { BoundValue, SqlExpressions } from '../dialects/sql-expressions.js';
import type { ContentModel } from '../model/model.js';
import type { AggregateQuery } from '../query/aggregate.js';
import type { ReadQuery } from '../query/query.js';
import { compileAggregate } from './compile-aggregate.js';
import { compileCount, compileRead } from './compile-read.js';
import type { CompiledRead } from './compile-read.js';
import { parameteriseAggregate, parameteriseCount, parameteriseRead } from './parameterise.js';
import type { ParameterisedQuery } from './parameterise.js';
import { bindSlots } from './parameter-slots.js';
import { planSearch, searchParameters } from './plan-search.js';
import type { SearchPlan } from './plan-search.js';

/** A statement with its parameters. */
interface BoundStatement {
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
}

/** Compiles each shape of query once and caches the statement. */
export interface ReadCompiler {
  /** The only column of each row is the JSON text of one record. */
  readonly read: (query: ReadQuery) => BoundStatement;
  /** Returns one number: how many rows the read selects, ignoring its page. */
  readonly count: (query: ReadQuery) => BoundStatement;
  /** The only column of each row is the JSON text of one group, or of the figures without groups. */
  readonly aggregate: (aggregate: AggregateQuery) => BoundStatement;
  /** Compiles without full-text indexes from now on, since another release has dropped one. */
  readonly leaveSearchIndexes: () => void;
}

const MAX_SHAPES = 1000;

export interface ReadCompilerOptions {
  /** The maximum number of cached statements. */
  readonly maxShapes?: number;
  /** The full-text indexes that the database has. Default: none. */
  readonly searchIndexes?: ReadonlySet<string> | undefined;
}

/** Whether a page begins beyond a record of a sorted list. It is found through the order. */
const continuesOrder = ({ page, sort }: ReadQuery): boolean =>
  sort.length > 0 && page?.cursor !== undefined && page.cursor.position !== null;

/**
 * Creates a compiler for one model and one database. For a known shape it only binds the values.
 *
 * @example
 *   const compiler = createReadCompiler(model, database.dialect.expressions);
 *   const { sql, parameters } = compiler.read(query);
 *   const records = await database.readTexts(sql, parameters);
 */
export function createReadCompiler(
  model: ContentModel,
  expressions: SqlExpressions,
  { maxShapes = MAX_SHAPES, searchIndexes = new Set() }: ReadCompilerOptions = {},
): ReadCompiler {
  const cache = new LRUCache<string, CompiledRead>({ max: maxShapes });
  const bind = ({ key, values }: ParameterisedQuery, compile: () => CompiledRead): BoundStatement => {
    let compiled = cache.get(key);
    if (compiled === undefined) {
      compiled = compile();
      cache.set(key, compiled);
    }
    return { sql: compiled.sql, parameters: bindSlots(expressions, compiled.slots, values) };
  };
  let available = searchIndexes;
  const planOf = (query: ReadQuery): SearchPlan | null =>
    planSearch(model, query, expressions.search, available);
  return {
    read: (query) => {
      const plan = continuesOrder(query) ? null : planOf(query);
      return bind(parameteriseRead(query, searchParameters(plan, expressions)), () =>
        compileRead(model, query, expressions, plan),
      );
    },
    count: (query) => {
      const plan = planOf(query);
      return bind(parameteriseCount(query, searchParameters(plan, expressions)), () =>
        compileCount(model, query, expressions, plan),
      );
    },
    aggregate: (aggregate) =>
      bind(parameteriseAggregate(aggregate), () => compileAggregate(model, aggregate, expressions)),
    leaveSearchIndexes: () => {
      available = new Set();
    },
  };
}
