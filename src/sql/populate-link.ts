import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { LinkPopulate } from '../query/query.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { linkAttributeOf, linkedRows } from './links.js';
import type { LinkedRows } from './links.js';
import { publicationConditions } from './publication.js';
import type { Scope } from './scope.js';
import { compileSort } from './sort.js';

/** The linked rows that pass the filter. */
interface Passing {
  readonly rows: LinkedRows;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}

const passing = (context: CompileContext, scope: Scope, node: LinkPopulate): Passing => {
  const rows = linkedRows(context, scope, linkAttributeOf(scope.holder, node.attribute));
  const { from, where } = context.dialect.rowsAlong(rows.path);
  return { rows, from, where: whereAll([...where, ...publicationConditions(context, rows.scope), ...(node.filter === null ? [] : [context.condition(context, rows.scope, node.filter)])]) };
};

const countOf = ({ dialect }: CompileContext, { from, where }: Passing): RawBuilder<unknown> =>
  sql`(select ${dialect.jsonObject([['count', sql`count(*)`]])} from ${from} ${where})`;

/**
 * Rows are put in order first and printed then: the JSON goes straight from the printing into the record or list that holds it. Through a
 * sort it would come out as text.
 */
const inOrder = ({ rows, from, where }: Passing, rest: RawBuilder<unknown>): RawBuilder<unknown> => {
  const alias = sql.id(rows.scope.alias);
  return sql`(select ${alias}.* from ${from} ${where} ${rest}) as ${alias}`;
};

const oneOf = (context: CompileContext, found: Passing, node: LinkPopulate): RawBuilder<unknown> => {
  const { rows, from, where } = found;
  const record = context.record(context, rows.scope, node.selection);
  if (rows.order.length === 0) return sql`(select ${record} from ${from} ${where})`;
  return sql`(select ${record} from ${inOrder(found, sql`${orderByAll(rows.order)} limit 1`)})`;
};

const listOf = (context: CompileContext, found: Passing, node: LinkPopulate): RawBuilder<unknown> => {
  const { dialect } = context;
  const order = orderByAll([...compileSort(context, found.rows.scope, node.sort), ...found.rows.order]);
  const slice = node.slice === null ? sql`` : dialect.slice(context.bind(node.slice, 'integer'), context.bind(node.slice, 'integer', 1));
  const items = dialect.jsonArray(context.record(context, found.rows.scope, node.selection));
  return sql`(select ${items} from ${inOrder(found, sql`${order} ${slice}`)})`;
};

/** A relation or media attribute: one record or null, a list, or `{count: n}`. */
export function populateLink(context: CompileContext, scope: Scope, node: LinkPopulate): RawBuilder<unknown> {
  const { many } = linkAttributeOf(scope.holder, node.attribute);
  const found = passing(context, scope, node);
  if (node.count) return countOf(context, found);
  return many ? listOf(context, found, node) : oneOf(context, found, node);
}
