import { LRUCache } from 'lru-cache';
import type { ReadObjects } from '../../database/dialect/read-objects.js';
import type { BoundValue, SqlExpressions } from '../../database/dialect/sql-expressions.js';
import type { ContentModel } from '../../model/model.js';
import type { AggregateQuery } from '../aggregate.js';
import type { ReadQuery } from '../query.js';
import { compileAggregate } from './compile-aggregate.js';
import { compileCount, compileRead } from './compile-read.js';
import type { CompiledRead } from './compile-read.js';
import { parameteriseAggregate, parameteriseCount, parameteriseRead } from './parameterise.js';
import type { ParameterisedQuery } from './parameterise.js';
import { bindSlots } from './parameter-slots.js';
import { planSearch, searchParameters } from './plan-search.js';
import type { SearchPlan } from './plan-search.js';

/** A statement with its parameters. */
export interface BoundStatement {
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
  /** The same for all queries of one shape. */
  readonly compiled: CompiledRead;
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
  readonly leaveObjects: () => void;
}

const MAX_SHAPES = 1000;

const NO_OBJECTS: ReadObjects = Object.freeze({ searchIndexes: new Set<string>() });

export interface ReadCompilerOptions {
  /** The maximum number of cached statements. */
  readonly maxShapes?: number;
  /** Default: none. */
  readonly objects?: ReadObjects | undefined;
}

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
  { maxShapes = MAX_SHAPES, objects = NO_OBJECTS }: ReadCompilerOptions = {},
): ReadCompiler {
  const cache = new LRUCache<string, CompiledRead>({ max: maxShapes });
  const compileOnce = ({ key }: ParameterisedQuery, compile: () => CompiledRead): CompiledRead => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const compiled = compile();
    cache.set(key, compiled);
    return compiled;
  };
  const bind = (parameterised: ParameterisedQuery, compile: () => CompiledRead): BoundStatement => {
    const compiled = compileOnce(parameterised, compile);
    const parameters = bindSlots(expressions, compiled.slots, parameterised.values);
    return { sql: compiled.sql, parameters, compiled };
  };
  let available = objects;
  const planOf = (query: ReadQuery): SearchPlan | null =>
    planSearch(model, query, expressions.search, available.searchIndexes);
  const read = (query: ReadQuery): BoundStatement => {
    const plan = planOf(query);
    return bind(parameteriseRead(query, searchParameters(plan, expressions)), () =>
      compileRead(model, query, expressions, { search: plan }),
    );
  };
  const count = (query: ReadQuery): BoundStatement => {
    const plan = planOf(query);
    return bind(parameteriseCount(query, searchParameters(plan, expressions)), () =>
      compileCount(model, query, expressions, { search: plan }),
    );
  };
  return {
    read,
    count,
    aggregate: (aggregate) =>
      bind(parameteriseAggregate(aggregate), () => compileAggregate(model, aggregate, expressions)),
    leaveObjects: () => {
      available = NO_OBJECTS;
      cache.clear();
    },
  };
}
