import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { targetPrefix } from '../../model/component-target.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType, MorphLink } from '../../model/model.js';
import type { CompileContext } from './compile-context.js';
import { rowsThroughLink } from './link-rows.js';
import { column } from './scope.js';
import type { ItemScope, RowScope } from './scope.js';
import {
  createPath,
  createRowScope,
  documentIdOf,
  idOf,
  outerEquality,
  seesSingleVersion,
  tableAs,
  versionEqualities,
} from './version-rows.js';
import type { LinkedRows } from './version-rows.js';

const morphTarget = (link: MorphLink, uid: string): MorphLink['targets'][number] => {
  const target = link.targets.find((candidate) => candidate.uid === uid);
  if (target === undefined) throw new TypeError(`${link.owner} ${link.ownerAttribute} cannot link ${uid}`);
  return target;
};

/** From a target of a polymorphic link table to the owners. */
export const morphRowsFromInverse = (
  context: CompileContext,
  source: RowScope,
  link: MorphLink,
): LinkedRows => {
  const alias = context.nextAlias('l');
  const keys = [
    outerEquality(column(alias, morphTarget(link, source.schema.uid).column), documentIdOf(source)),
  ];
  const rows = rowsThroughLink(context, source, typeOf(context.model, link.owner), {
    alias,
    from: tableAs(link.table, alias),
    keys,
  });
  return { ...rows, order: [idOf(rows.scope), column(alias, 'position')] };
};

/** The targets of a polymorphic relation, as rows. */
export interface MorphRows {
  readonly from: RawBuilder<unknown>;
  readonly where: readonly RawBuilder<unknown>[];
  readonly order: readonly RawBuilder<unknown>[];
  /** The version row that a target stands for, if it has that type. */
  readonly target: (type: ContentType) => MorphTargetRows;
}

/** `isOfType`: the condition under which the rows are those of a target. */
interface MorphTargetRows extends LinkedRows {
  readonly isOfType: RawBuilder<boolean>;
}

/** The version row of a document of one type, as it is seen from `source`. */
const rowsByKey = (
  context: CompileContext,
  source: RowScope,
  type: ContentType,
  key: RawBuilder<unknown>,
): LinkedRows => {
  const scope = createRowScope(context, type);
  const isUnique = seesSingleVersion(context, scope, source);
  const path = createPath(scope, {
    link: null,
    keys: [outerEquality(documentIdOf(scope), key)],
    version: versionEqualities(context, scope, source),
    isUnique,
  });
  return { scope, path, order: isUnique ? [] : [idOf(scope)] };
};

/** Selects the rows of a polymorphic link table that belong to one owner row, in their order. */
export function morphRows(context: CompileContext, source: RowScope, link: MorphLink): MorphRows {
  const alias = context.nextAlias('l');
  return {
    from: tableAs(link.table, alias),
    where: [sql`${column(alias, 'source_id')} = ${idOf(source)}`],
    order: [column(alias, 'position'), column(alias, 'id')],
    target: (type) => {
      const key = column(alias, morphTarget(link, type.uid).column);
      return { ...rowsByKey(context, source, type, key), isOfType: sql<boolean>`${key} is not null` };
    },
  };
}

/**
 * Takes the targets of a polymorphic relation from the JSON of a component. Strapi does not copy them when it
 * publishes, so that published versions show none.
 */
export function morphRowsOfItem(context: CompileContext, source: ItemScope, name: string): MorphRows {
  const { from, text, position } = context.expressions.json.rows(source.member(name), context.nextAlias('j'));
  const { row } = source;
  return {
    from,
    where: row.schema.draftAndPublish ? [sql`${column(row.alias, 'status')} = ${sql.lit('draft')}`] : [],
    order: [position],
    target: (type) => {
      const prefix = targetPrefix(type.uid);
      const key = sql`substr(${text}, ${sql.lit(prefix.length + 1)})`;
      return {
        ...rowsByKey(context, row, type, key),
        isOfType: sql<boolean>`substr(${text}, 1, ${sql.lit(prefix.length)}) = ${sql.lit(prefix)}`,
      };
    },
  };
}
