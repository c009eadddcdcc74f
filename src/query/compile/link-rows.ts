import { sql } from 'kysely';
import type { Equality, PathLink } from '../../database/dialect/row-path.js';
import { typeOf } from '../../model/lookup.js';
import type { ColumnLink, ContentType, TableLink } from '../../model/model.js';
import type { CompileContext } from './compile-context.js';
import { column } from './scope.js';
import type { RowScope } from './scope.js';
import {
  createPath,
  createRowScope,
  documentIdOf,
  equality,
  idOf,
  localeOf,
  outerEquality,
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
    order: [...(link.position === null ? [] : [column(scope.alias, link.position.column)]), idOf(scope)],
  };
};

/** Link rows carry the status of the target where the owner has no drafts. */
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
  { status }: CompileContext,
  link: TableLink,
  { target, alias }: { readonly target: RowScope; readonly alias: string },
): readonly Equality[] =>
  link.hasTargetStatus && status === null ? [equality(statusOf(target), column(alias, 'target_status'))] : [];

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
export const rowsThroughLink = (
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
    ...(link.hasTargetStatus && context.status === null
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
    order: [...(link.hasInversePosition ? [column(alias, 'inverse_position')] : []), idOf(rows.scope)],
  };
};
