import type { BoundValue, Dialect } from '../dialects/dialect.js';
import { createLruCache } from '../lib/lru-cache.js';
import type { ContentModel } from '../model/model.js';
import type { ReadQuery } from '../query/query.js';
import { compileCount, compileRead } from './compile-read.js';
import type { CompiledRead } from './compile-read.js';
import { parameteriseCount, parameteriseRead } from './parameterise.js';
import type { Parameterised } from './parameterise.js';
import { bindSlots } from './slots.js';

/** A statement ready to be run. */
export interface BoundStatement {
  readonly sql: string;
  readonly parameters: readonly BoundValue[];
}

/** Compiles each shape of query once and remembers it. */
export interface ReadCompiler {
  /** Each row's only column is the JSON text of one record. */
  readonly read: (query: ReadQuery) => BoundStatement;
  /** Answers one number: how many rows the read selects without its page. */
  readonly count: (query: ReadQuery) => BoundStatement;
}

const SHAPES = 1000;

export interface ReadCompilerOptions {
  /** How many shapes are remembered. */
  readonly shapes?: number;
}

/**
 * A compiler for one model and one database. A shape that was compiled before costs only taking the query's values out and binding them.
 *
 * @example
 * const compiler = createReadCompiler(model, database.dialect);
 * const { sql, parameters } = compiler.read(query);
 * const records = await database.readTexts(sql, parameters);
 */
export function createReadCompiler(model: ContentModel, dialect: Dialect, { shapes = SHAPES }: ReadCompilerOptions = {}): ReadCompiler {
  const known = createLruCache<string, CompiledRead>(shapes);
  const bind = ({ key, values }: Parameterised, compile: () => CompiledRead): BoundStatement => {
    let compiled = known.get(key);
    if (compiled === undefined) {
      compiled = compile();
      known.set(key, compiled);
    }
    return { sql: compiled.sql, parameters: bindSlots(dialect, compiled.slots, values) };
  };
  return {
    read: (query) => bind(parameteriseRead(query), () => compileRead(model, query, dialect)),
    count: (query) => bind(parameteriseCount(query), () => compileCount(model, query, dialect)),
  };
}
