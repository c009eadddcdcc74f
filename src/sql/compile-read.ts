import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Dialect } from '../dialects/dialect.js';
import type { Equality } from '../dialects/row-path.js';
import type { ContentModel } from '../model/model.js';
import { NO_LOCALE } from '../model/model.js';
import { publicationFilterOf } from '../query/publication-filter.js';
import type { ReadQuery } from '../query/query.js';
import { createCompileContext, orderByAll, typeOf, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { compileCondition } from './filter.js';
import { createRowScope, statusEquality, versionTable } from './links.js';
import { parameteriseCount, parameteriseRead } from './parameterise.js';
import type { Parameterised } from './parameterise.js';
import { publicationConditions } from './publication.js';
import { compileRecord } from './record.js';
import { column } from './scope.js';
import type { RowScope } from './scope.js';
import { startsAtLink } from './selectivity.js';
import type { Slot } from './slots.js';
import { compileSort } from './sort.js';

/** One statement for all queries of a shape: its text, and which value goes where. */
export interface CompiledRead {
  readonly sql: string;
  readonly slots: readonly Slot[];
}

const localeEquality = (context: CompileContext, scope: RowScope, query: ReadQuery): readonly Equality[] => {
  const locale = { column: column(scope.alias, 'locale'), isOuter: false };
  if (!scope.holder.localized) return [{ ...locale, value: sql.lit(NO_LOCALE) }];
  return query.locale === '*' ? [] : [{ ...locale, value: context.bind(query, 'text') }];
};

/** Which of its documents' versions are read. Where a filter names few documents, rows are found by that. */
const versionConditions = (context: CompileContext, scope: RowScope, query: ReadQuery): readonly RawBuilder<unknown>[] => {
  const equalities = [statusEquality(context, scope), ...localeEquality(context, scope, query)];
  if (query.filter !== null && startsAtLink(context, scope.holder, query.filter)) return equalities.map(context.dialect.hardlyTells);
  return equalities.map(({ column: left, value }) => sql`${left} = ${value}`);
};

const rootConditions = (context: CompileContext, scope: RowScope, query: ReadQuery): RawBuilder<unknown> => whereAll([
  ...versionConditions(context, scope, query),
  ...publicationConditions(context, scope),
  ...(query.filter === null ? [] : [compileCondition(context, scope, query.filter)]),
]);

const contextFor = (model: ContentModel, dialect: Dialect, query: ReadQuery, { holders }: Parameterised): CompileContext =>
  createCompileContext({ model, dialect, status: query.status, publication: publicationFilterOf(query), holders, record: compileRecord, condition: compileCondition });

const isSlot = (value: unknown): value is Slot => typeof value === 'object' && value !== null && 'index' in value && 'kind' in value;

const finish = ({ dialect }: CompileContext, statement: RawBuilder<unknown>): CompiledRead => {
  const { sql: text, parameters } = statement.compile(dialect.kysely);
  const slots = parameters.filter(isSlot);
  if (slots.length !== parameters.length) throw new TypeError('A value was written into a statement without a slot');
  return Object.freeze({ sql: text, slots: Object.freeze(slots) });
};

/**
 * Compiles a read to one statement, however deep it populates. Its only column is the JSON text of one record.
 * The query's values are not in it: `parameteriseRead` yields them, in the order the slots speak of.
 */
export function compileRead(model: ContentModel, query: ReadQuery, dialect: Dialect): CompiledRead {
  const context = contextFor(model, dialect, query, parameteriseRead(query));
  const scope = createRowScope(context, typeOf(context, query.type));
  const table = versionTable(scope);
  const where = rootConditions(context, scope, query);
  const order = orderByAll([...compileSort(context, scope, query.sort), column(scope.alias, 'id')]);
  const slice = query.page === null ? sql`` : dialect.slice(context.bind(query.page, 'integer'), context.bind(query.page, 'integer', 1));
  const rows = dialect.inOrder({ table, alias: scope.alias, where, order, isById: query.sort.length === 0, slice });
  return finish(context, sql`select ${dialect.jsonText(compileRecord(context, scope, query.selection))} ${rows}`);
}

/** Compiles the number of rows that a read selects, without its page. */
export function compileCount(model: ContentModel, query: ReadQuery, dialect: Dialect): CompiledRead {
  const context = contextFor(model, dialect, query, parameteriseCount(query));
  const scope = createRowScope(context, typeOf(context, query.type));
  return finish(context, sql`select count(*) from ${versionTable(scope)} ${rootConditions(context, scope, query)}`);
}
