import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlJson } from '../../database/dialect/json-expressions.js';
import type { ReferrersPopulate } from '../query.js';
import { attributeOf, typeOf } from '../../model/lookup.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { mediaReferrers } from './linked-rows.js';
import { createRowScope, versionTable } from './version-rows.js';
import { publicationConditions } from './publication.js';
import { column } from './scope.js';
import type { RowScope, Scope } from './scope.js';

/**
 * Returns the ids of the rows that link a file by one attribute. UNION removes duplicates over several
 * attributes.
 */
const referrerIds = (
  context: CompileContext,
  file: RowScope,
  { uid, name }: { readonly uid: string; readonly name: string },
): RawBuilder<unknown> => {
  const attribute = attributeOf(typeOf(context.model, uid), name);
  if (attribute.family !== 'media') throw new TypeError(`${uid} ${name} is no media attribute`);
  const { scope, path } = mediaReferrers(context, file, attribute);
  const { from, where } = context.expressions.paths.rows(path);
  return sql`select ${column(scope.alias, 'id')} from ${from} ${whereAll(where)}`;
};

/**
 * Compiles the documents that link a file, by type in the order of the model, then by id. Each record has its
 * type as `__type`.
 */
export function populateReferrers(
  context: CompileContext,
  file: Scope,
  node: ReferrersPopulate,
): RawBuilder<SqlJson> {
  if (file.kind !== 'row') throw new TypeError(`${file.schema.uid} is no file`);
  const { json } = context.expressions;
  const selects = Object.entries(node.on).map(([uid, selection], typeIndex) => {
    const scope = createRowScope(context, typeOf(context.model, uid));
    const id = column(scope.alias, 'id');
    const ids = sql.join(
      (node.mediaAttributes[uid] ?? []).map((name) => referrerIds(context, file, { uid, name })),
      sql` union `,
    );
    const filter = node.filters[uid];
    const conditions = [
      sql`${id} in (${ids})`,
      ...publicationConditions(context, scope),
      ...(filter === undefined ? [] : [context.condition(context, scope, filter)]),
    ];
    const record = context.record(context, scope, selection, [['__type', json.value('text', sql.lit(uid))]]);
    const columns = sql`${record} as item, ${sql.lit(typeIndex)} as place, ${id} as id`;
    return sql`select ${columns} from ${versionTable(scope)} ${whereAll(conditions)}`;
  });
  const [unionAlias, sortedAlias] = [context.nextAlias('m'), context.nextAlias('m')];
  const rows = sql`(${sql.join(selects, sql` union all `)}) as ${sql.id(unionAlias)}`;
  const order = orderByAll([column(unionAlias, 'place'), column(unionAlias, 'id')]);
  const ordered = sql`select ${column(unionAlias, 'item')} as item from ${rows} ${order}`;
  const items = json.array(json.value('json', column(sortedAlias, 'item')));
  return sql`(select ${items} from (${ordered}) as ${sql.id(sortedAlias)})`;
}
