import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SortNode } from '../query/query.js';
import { componentOf, orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { fieldValue } from './fields.js';
import { componentJson } from './filter.js';
import { attributeOf, linkAttributeOf, linkedRows } from './links.js';
import { itemScope } from './scope.js';
import type { Scope } from './scope.js';

const sortValue = (context: CompileContext, scope: Scope, [name = '', ...rest]: readonly string[]): RawBuilder<unknown> => {
  if (rest.length === 0) {
    const { value, kind } = fieldValue(context, scope, name);
    return kind === 'text' ? sql`${context.dialect.byCodePoint(value)}` : value;
  }
  const attribute = attributeOf(scope.holder, name);
  if (attribute.family === 'component') {
    const holder = componentOf(context, attribute.component);
    return sortValue(context, itemScope(context.dialect, scope, holder, componentJson(scope, attribute)), rest);
  }
  const rows = linkedRows(context, scope, linkAttributeOf(scope.holder, name));
  const { from, where } = context.dialect.rowsAlong(rows.path);
  return sql`(select ${sortValue(context, rows.scope, rest)} from ${from} ${whereAll(where)} ${orderByAll(rows.order)} limit 1)`;
};

/** `ORDER BY` items for rows of `scope`; nulls, also of an absent relation, are lowest. */
export function compileSort(context: CompileContext, scope: Scope, nodes: readonly SortNode[]): readonly RawBuilder<unknown>[] {
  return nodes.map(({ path, direction }) => {
    const [name] = path;
    // Never null, and so an index can give the order.
    if (path.length === 1 && name === 'id' && scope.kind === 'row') return sql`${fieldValue(context, scope, name).value} ${sql.raw(direction)}`;
    return context.dialect.orderBy(sortValue(context, scope, path), direction);
  });
}
