import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Equality, PathLink } from '../../database/dialect/sql-expressions.js';
import { targetPrefix, typeOf } from '../../model/lookup.js';
import type { ColumnLink, ContentType, MorphLink, TableLink } from '../../model/model.js';
import { column } from './compile-context.js';
import type { CompileContext, ItemScope, RowScope } from './compile-context.js';
import {
  createPath,
  createRowScope,
  documentIdOf,
  equality,
  idOf,
  orderIdOf,
  readsBothStatuses,
  localeOf,
  outerEquality,
  seesSingleVersion,
  statusOf,
  statusOfType,
  tableAs,
  versionEqualities,
} from './version-rows.js';
import type { LinkedRows } from './version-rows.js';

/** From the owner of a to-one relation kept as a column to its target. */
export const columnRowsFromOwner = (
  context: CompileContext,
  source: RowScope,
  link: ColumnLink,
): LinkedRows => {
  const scope = createRowScope(context, typeOf(context.model, link.target));
  const keys = [outerEquality(documentIdOf(scope), column(source.alias, link.column))];
  return {
    scope,
    path: createPath(scope, {
      link: null,
      keys,
      version: versionEqualities(context, scope, source),
      isUnique: true,
    }),
    order: [],
  };
};

/** From the target of such a relation to its owners. */
export const columnRowsFromInverse = (
  context: CompileContext,
  source: RowScope,
  link: ColumnLink,
): LinkedRows => {
  const scope = createRowScope(context, typeOf(context.model, link.owner));
  const keys = [outerEquality(column(scope.alias, link.column), documentIdOf(source))];
  return {
    scope,
    path: createPath(scope, {
      link: null,
      keys,
      version: versionEqualities(context, scope, source),
      isUnique: false,
    }),
    order: [
      ...(link.position === null ? [] : [column(scope.alias, link.position.column)]),
      orderIdOf(context, scope),
    ],
  };
};

/** Link rows have the status of the target if the owner has no drafts. */
const targetStatusEqualities = (
  context: CompileContext,
  link: TableLink,
  alias: string,
): readonly Equality[] => {
  const status = link.hasTargetStatus ? statusOfType(context, typeOf(context.model, link.target)) : null;
  return status === null ? [] : [equality(column(alias, 'target_status'), sql.lit(status))];
};

/** If both statuses are read, returns the condition that a link leads to the version with its status. */
const linkedStatus = (
  context: CompileContext,
  link: TableLink,
  { target, alias }: { readonly target: RowScope; readonly alias: string },
): readonly Equality[] =>
  link.hasTargetStatus && readsBothStatuses(context)
    ? [equality(statusOf(target), column(alias, 'target_status'))]
    : [];

/** From the owner of a link table to the targets. */
export const tableRowsFromOwner = (
  context: CompileContext,
  source: RowScope,
  link: TableLink,
): LinkedRows => {
  const alias = context.nextAlias('l');
  const scope = createRowScope(context, typeOf(context.model, link.target));
  const keys = [
    outerEquality(column(alias, 'source_id'), idOf(source)),
    ...targetStatusEqualities(context, link, alias),
  ];
  const locale = link.hasTargetLocale ? [equality(localeOf(scope), column(alias, 'target_locale'))] : [];
  return {
    scope,
    path: createPath(scope, {
      link: { from: tableAs(link.table, alias), keys },
      keys: [equality(documentIdOf(scope), column(alias, 'target_document_id'))],
      version: [
        ...locale,
        ...linkedStatus(context, link, { target: scope, alias }),
        ...versionEqualities(context, scope, source),
      ],
      isUnique: true,
    }),
    order: [column(alias, 'position'), column(alias, 'id')],
  };
};

/** Follows a link table backwards, from a target to the rows that link it. */
const rowsThroughLink = (
  context: CompileContext,
  source: RowScope,
  owner: ContentType,
  link: PathLink & { readonly alias: string },
): Pick<LinkedRows, 'scope' | 'path'> => {
  const scope = createRowScope(context, owner);
  const keys = [equality(idOf(scope), column(link.alias, 'source_id'))];
  return {
    scope,
    path: createPath(scope, {
      link,
      keys,
      version: versionEqualities(context, scope, source),
      isUnique: true,
    }),
  };
};

/** From a target of a link table to the owners. */
export const tableRowsFromInverse = (
  context: CompileContext,
  source: RowScope,
  link: TableLink,
): LinkedRows => {
  const alias = context.nextAlias('l');
  const locale = link.hasTargetLocale
    ? [outerEquality(column(alias, 'target_locale'), localeOf(source))]
    : [];
  const keys = [
    outerEquality(column(alias, 'target_document_id'), documentIdOf(source)),
    ...locale,
    ...targetStatusEqualities(context, link, alias),
    ...(link.hasTargetStatus && readsBothStatuses(context)
      ? [outerEquality(column(alias, 'target_status'), statusOf(source))]
      : []),
  ];
  const rows = rowsThroughLink(context, source, typeOf(context.model, link.owner), {
    alias,
    from: tableAs(link.table, alias),
    keys,
  });
  return {
    ...rows,
    order: [
      ...(link.hasInversePosition ? [column(alias, 'inverse_position')] : []),
      orderIdOf(context, rows.scope),
    ],
  };
};

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
  return { ...rows, order: [orderIdOf(context, rows.scope), column(alias, 'position')] };
};

/** The targets of a polymorphic relation, as rows. */
export interface MorphRows {
  readonly from: RawBuilder<unknown>;
  readonly where: readonly RawBuilder<unknown>[];
  readonly order: readonly RawBuilder<unknown>[];
  /** The version row of a target, if it has that type. */
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
  return { scope, path, order: isUnique ? [] : [orderIdOf(context, scope)] };
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
 * publishes, so published versions show none.
 */
export function morphRowsOfItem(context: CompileContext, source: ItemScope, name: string): MorphRows {
  const { from, text, position } = context.expressions.json.rows(source.member(name), context.nextAlias('j'));
  const { row } = source;
  return {
    from,
    where: row.schema.draftAndPublish
      ? [context.release === null ? sql`${column(row.alias, 'status')} = ${sql.lit('draft')}` : sql`1 = 0`]
      : [],
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
