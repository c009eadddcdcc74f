import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { ReadObjects } from '../../database/dialect/search-expressions.js';
import type { BoundValue, SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid, VersionStatus } from '../../model/model.js';
import type { AggregateQuery } from '../aggregate.js';
import { contentSelection } from '../parse/server-queries.js';
import type { ReadQuery } from '../query.js';
import { compileAggregate } from './compile-aggregate.js';
import { column, whereAll, planSearch, searchParameters } from './compile-context.js';
import type { SearchPlan } from './compile-context.js';
import { compileCount, compileRead, contextFor, rootConditions, toCompiledRead } from './compile-read.js';
import type { CompiledRead } from './compile-read.js';
import { bindSlots, parameteriseAggregate, parameteriseCount, parameteriseRead } from './parameterise.js';
import type { ParameterisedQuery } from './parameterise.js';
import { compileRecord } from './record.js';
import { createRowScope, documentIdOf, localeOf, versionTable } from './version-rows.js';

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
  /** Returns the number of rows that the read selects, ignoring its page. */
  readonly count: (query: ReadQuery) => BoundStatement;
  /** The only column of each row is the JSON text of one group, or of the figures without groups. */
  readonly aggregate: (aggregate: AggregateQuery) => BoundStatement;
  /** Call this when another release has dropped a full-text index: later statements use none. */
  readonly leaveObjects: () => void;
}

const MAX_SHAPES = 1000;

const NO_OBJECTS: ReadObjects = Object.freeze({ searchIndexes: new Set<string>() });

interface ReadCompilerOptions {
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

/** Expressions for the properties of each version that a statement reads. */
interface ReadContents {
  readonly documentId: RawBuilder<unknown>;
  readonly locale: RawBuilder<unknown>;
  /** In milliseconds since 1970. Of a draft, the moment of the statement. */
  readonly publishedAt: RawBuilder<unknown>;
  /** In milliseconds since 1970. */
  readonly updatedAt: RawBuilder<unknown>;
  readonly author: RawBuilder<unknown>;
  /** The text of all writable values. */
  readonly content: RawBuilder<string>;
  /** The clauses from `FROM` on. */
  readonly rows: RawBuilder<unknown>;
}

/** The versions whose contents are read. */
interface ReadVersions {
  readonly documentIds: readonly string[];
  /** As it is stored. */
  readonly locale: string;
  readonly now: Date;
  /** The name of the caller on whose behalf the statement runs. */
  readonly author: string | null;
}

/** Represents the moment among the values of the query. */
const NOW = Object.freeze({});
/** Represents the caller among them. Two equal objects would be one value. */
const AUTHOR = Object.freeze({ kind: 'author' });

/**
 * Compiles a statement that processes the contents of versions without returning them. Returns a function
 * that binds it to documents.
 */
export function compileContents(
  model: ContentModel,
  { type: uid, status }: { readonly type: Uid; readonly status: VersionStatus },
  expressions: SqlExpressions,
  toStatement: (contents: ReadContents) => RawBuilder<unknown>,
): (versions: ReadVersions) => Omit<BoundStatement, 'compiled'> {
  const type = typeOf(model, uid);
  const selection = contentSelection(model, type);
  const queryOf = ({ documentIds, locale }: Pick<ReadVersions, 'documentIds' | 'locale'>): ReadQuery => ({
    type: uid,
    filter: { kind: 'compare', field: 'documentId', operator: '$in', operand: documentIds },
    sort: [],
    selection,
    page: null,
    locale,
    status,
    hasPublishedVersion: null,
  });
  const query = queryOf({ documentIds: [''], locale: '' });
  const parameterised = parameteriseRead(query);
  // Statements of a transaction are never ended early.
  const context = contextFor(model, { ...expressions, interruptible: null }, query, {
    ...parameterised,
    nodes: [...parameterised.nodes, NOW, AUTHOR],
  });
  const scope = createRowScope(context, type);
  const timeOf = (name: string): RawBuilder<unknown> =>
    sql`cast(${expressions.json.milliseconds(column(scope.alias, name), 'datetime')} as bigint)`;
  const { sql: text, slots } = toCompiledRead(
    context,
    toStatement({
      documentId: documentIdOf(scope),
      locale: localeOf(scope),
      publishedAt: sql`coalesce(${timeOf('published_at')}, ${context.bind(NOW, 'bigint')})`,
      updatedAt: timeOf('updated_at'),
      author: sql`cast(${context.bind(AUTHOR, 'text')} as text)`,
      content: expressions.json.text(compileRecord(context, scope, selection)),
      rows: sql`from ${versionTable(scope)} ${whereAll(rootConditions(context, scope, query))}`,
    }),
  );
  return ({ now, author, ...versions }) => {
    const { values } = parameteriseRead(queryOf(versions));
    return {
      sql: text,
      parameters: bindSlots(expressions, slots, [...values, BigInt(now.getTime()), author]),
    };
  };
}
