import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ContentType } from '../model/model.js';
import type { ReadQuery } from '../query/query.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { hasLookups } from './choose-index.js';
import type { IndexChoice } from './choose-index.js';
import { isIndexed } from './fields.js';
import { column } from './scope.js';
import type { RowScope } from './scope.js';
import { localeOf, requestedStatus, versionTable } from './version-rows.js';

/**
 * Whether a page is read from one index walk per locale. Indexes begin with status and locale, so that none
 * has the order of all locales.
 */
export function mergesLocales(type: ContentType, query: ReadQuery, choice: IndexChoice): boolean {
  const { locale, page, filter, sort } = query;
  const [field, ...nested] = sort[0]?.path ?? [];
  const isOrdered =
    field !== undefined && nested.length === 0 && sort[0]?.score === undefined && isIndexed(type, field);
  const isFound =
    choice.ifMany !== null || choice.startsAtLink || (filter !== null && hasLookups(type, filter));
  return (
    type.localized &&
    query.isOfAllStatuses !== true &&
    locale === '*' &&
    page !== null &&
    isOrdered &&
    !isFound
  );
}

/** The locales that the type has versions in: for each, one lookup of the next in an index. */
const localesWithRows = (context: CompileContext, scope: RowScope, alias: string): RawBuilder<unknown> => {
  const table = sql.id(scope.schema.storage.version.table);
  const status = sql`"status" = ${sql.lit(requestedStatus(context, scope))}`;
  const [name, locale] = [sql.id(`${alias}r`), sql.id('locale')];
  const first = sql`select min(${locale}) as ${locale} from ${table} where ${status}`;
  const next = sql`select min(${locale}) from ${table} where ${status} and ${locale} > ${name}.${locale}`;
  const following = sql`select (${next}) from ${name} where ${name}.${locale} is not null`;
  return sql`(with recursive ${name}(${locale}) as (${first} union all ${following})
    select ${locale} from ${name} where ${locale} is not null) as ${sql.id(alias)}`;
};

/** The first rows of an order. */
export interface OrderedList {
  readonly limit: RawBuilder<unknown>;
  readonly offset: RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<unknown>[];
  readonly order: readonly RawBuilder<unknown>[];
}

/** The clauses from `FROM` on: the first rows of each locale, merged. */
export function mergedLocales(
  context: CompileContext,
  scope: RowScope,
  { limit, offset, conditions, order }: OrderedList,
): RawBuilder<unknown> {
  const locales = context.nextAlias('l');
  return context.expressions.mergedRows({
    table: versionTable(scope),
    alias: scope.alias,
    lists: localesWithRows(context, scope, locales),
    where: whereAll([...conditions, sql`${localeOf(scope)} = ${column(locales, 'locale')}`]),
    order: orderByAll(order),
    limit,
    offset,
  });
}
