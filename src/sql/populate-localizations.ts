import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { LocalizationsPopulate } from '../query/query.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { sameDocument } from './links.js';
import { publicationConditions } from './publication.js';
import { column } from './scope.js';
import type { Scope } from './scope.js';

/** The other locales' versions of the same document, in the order they were made. */
export function populateLocalizations(context: CompileContext, scope: Scope, node: LocalizationsPopulate): RawBuilder<unknown> {
  if (scope.kind !== 'row') throw new TypeError(`${scope.holder.uid} is a component and has no locales`);
  const { scope: other, path, order } = sameDocument(context, scope);
  const { from, where } = context.dialect.rowsAlong(path);
  const isOther = sql`${column(other.alias, 'locale')} <> ${column(scope.alias, 'locale')}`;
  const alias = sql.id(other.alias);
  const conditions = [...where, isOther, ...publicationConditions(context, other), ...(node.filter === undefined ? [] : [context.condition(context, other, node.filter)])];
  const rows = sql`select ${alias}.* from ${from} ${whereAll(conditions)} ${orderByAll(order)}`;
  return sql`(select ${context.dialect.jsonArray(context.record(context, other, node.selection))} from (${rows}) as ${alias})`;
}
