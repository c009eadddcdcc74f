import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { FoundRows } from '../dialects/row-path.js';
import type { ComponentAttribute } from '../model/model.js';
import type { SortNode } from '../query/query.js';
import { componentOf, orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { fieldValue } from './fields.js';
import { componentJson } from './filter.js';
import { attributeOf, linkAttributeOf, linkedRows } from './links.js';
import { itemScope } from './scope.js';
import type { Scope } from './scope.js';

type Direction = SortNode['direction'];

/** Of several linked records or components, what comes first in the order asked for: the least value upwards, the greatest downwards. */
const firstOf = (context: CompileContext, value: RawBuilder<unknown>, rows: FoundRows, direction: Direction): RawBuilder<unknown> =>
  sql`(select ${value} from ${rows.from} ${whereAll(rows.where)} order by ${context.dialect.orderBy(sql`1`, direction)} limit 1)`;

const componentValue = (context: CompileContext, scope: Scope, attribute: ComponentAttribute, { path, direction }: SortNode): RawBuilder<unknown> => {
  const json = componentJson(scope, attribute);
  const holder = componentOf(context, attribute.component);
  const valueIn = (item: RawBuilder<unknown>): RawBuilder<unknown> => sortValue(context, itemScope(context.dialect, scope, holder, item), { path, direction });
  if (!attribute.repeatable) return valueIn(json);
  const { from, item } = context.dialect.jsonRows(json, context.alias('j'));
  return firstOf(context, valueIn(item), { from, where: [] }, direction);
};

const sortValue = (context: CompileContext, scope: Scope, { path: [name = '', ...path], direction }: SortNode): RawBuilder<unknown> => {
  if (path.length === 0) {
    const { value, kind } = fieldValue(context, scope, name);
    return kind === 'text' ? sql`${context.dialect.byCodePoint(value)}` : value;
  }
  const attribute = attributeOf(scope.holder, name);
  if (attribute.family === 'component') return componentValue(context, scope, attribute, { path, direction });
  const link = linkAttributeOf(scope.holder, name);
  const rows = linkedRows(context, scope, link);
  const found = context.dialect.rowsAlong(rows.path);
  const value = sortValue(context, rows.scope, { path, direction });
  if (link.many) return firstOf(context, value, found, direction);
  return sql`(select ${value} from ${found.from} ${whereAll(found.where)} ${orderByAll(rows.order)} limit 1)`;
};

/** `ORDER BY` items for rows of `scope`; nulls, also of an absent relation, are lowest. */
export function compileSort(context: CompileContext, scope: Scope, nodes: readonly SortNode[]): readonly RawBuilder<unknown>[] {
  return nodes.map((node) => {
    const { path: [name, ...below], direction } = node;
    // Never null, and so an index can give the order.
    if (below.length === 0 && name === 'id' && scope.kind === 'row') return sql`${fieldValue(context, scope, name).value} ${sql.raw(direction)}`;
    return context.dialect.orderBy(sortValue(context, scope, node), direction);
  });
}
