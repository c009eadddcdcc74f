import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ReferrersPopulate } from '../query/query.js';
import { typeOf, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { attributeOf, createRowScope, mediaReferrers, versionTable } from './links.js';
import { publicationConditions } from './publication.js';
import { column } from './scope.js';
import type { RowScope, Scope } from './scope.js';

/** The ids of the rows that show the file by one attribute. Whatever shows it by several is one row all the same. */
const idsThrough = (context: CompileContext, file: RowScope, { uid, name }: { readonly uid: string; readonly name: string }): RawBuilder<unknown> => {
  const attribute = attributeOf(typeOf(context, uid), name);
  if (attribute.family !== 'media') throw new TypeError(`${uid} ${name} is no media attribute`);
  const { scope, path } = mediaReferrers(context, file, attribute);
  const { from, where } = context.dialect.rowsAlong(path);
  return sql`select ${column(scope.alias, 'id')} from ${from} ${whereAll(where)}`;
};

/** The documents that show a file, type by type in the order of the model and then by id; each says its type as `__type`. */
export function populateReferrers(context: CompileContext, file: Scope, node: ReferrersPopulate): RawBuilder<unknown> {
  if (file.kind !== 'row') throw new TypeError(`${file.holder.uid} is no file`);
  const { dialect } = context;
  const parts = Object.entries(node.on).map(([uid, selection], place) => {
    const scope = createRowScope(context, typeOf(context, uid));
    const id = column(scope.alias, 'id');
    const ids = sql.join((node.through[uid] ?? []).map((name) => idsThrough(context, file, { uid, name })), sql` union `);
    const filter = node.filters[uid];
    const conditions = [sql`${id} in (${ids})`, ...publicationConditions(context, scope), ...(filter === undefined ? [] : [context.condition(context, scope, filter)])];
    const record = context.record(context, scope, selection, [['__type', sql.lit(uid)]]);
    return sql`select ${record} as item, ${sql.lit(place)} as place, ${id} as id from ${versionTable(scope)} ${whereAll(conditions)}`;
  });
  const [all, sorted] = [context.alias('m'), context.alias('m')];
  const ordered = sql`select ${column(all, 'item')} as item from (${sql.join(parts, sql` union all `)}) as ${sql.id(all)} order by ${column(all, 'place')}, ${column(all, 'id')}`;
  return sql`(select ${dialect.jsonArray(dialect.jsonValue('json', column(sorted, 'item')))} from (${ordered}) as ${sql.id(sorted)})`;
}
