import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlJson } from '../../database/dialect/json-expressions.js';
import type { LocalizationsPopulate } from '../query.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { documentVersions } from './version-rows.js';
import { publicationConditions } from './publication.js';
import { column } from './scope.js';
import type { Scope } from './scope.js';
import { compileSlice } from './slice.js';
import { compileSort } from './sort.js';

/** Compiles the versions of the same document in other locales, by locale. */
export function populateLocalizations(
  context: CompileContext,
  scope: Scope,
  node: LocalizationsPopulate,
): RawBuilder<SqlJson> {
  if (scope.kind !== 'row') throw new TypeError(`${scope.schema.uid} is a component and has no locales`);
  const { scope: other, path, order } = documentVersions(context, scope);
  const { from, where } = context.expressions.paths.rows(path);
  const isOther = sql`${column(other.alias, 'locale')} <> ${column(scope.alias, 'locale')}`;
  const alias = sql.id(other.alias);
  const conditions = [
    ...where,
    isOther,
    ...publicationConditions(context, other),
    ...(node.filter === undefined ? [] : [context.condition(context, other, node.filter)]),
  ];
  const sort = orderByAll([...compileSort(context, other, node.sort ?? []), ...order]);
  const slice = node.slice === undefined ? [] : [compileSlice(context, node.slice)];
  const clauses = [sql`select ${alias}.* from ${from}`, whereAll(conditions), sort, ...slice];
  const rows = sql.join(clauses, sql` `);
  const items = context.expressions.json.array(context.record(context, other, node.selection));
  return sql`(select ${items} from (${rows}) as ${alias})`;
}
