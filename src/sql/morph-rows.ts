import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { typeOf } from '../model/lookup.js';
import type { ContentType, MorphLink } from '../model/model.js';
import type { CompileContext } from './compile-context.js';
import { rowsThroughLink } from './link-rows.js';
import { column } from './scope.js';
import type { RowScope } from './scope.js';
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

/** The rows of a polymorphic link table that belong to one owner row. */
export interface MorphRows {
  readonly alias: string;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  readonly order: readonly RawBuilder<unknown>[];
}

/** Selects the rows of a polymorphic link table that belong to one owner row, in their order. */
export function morphRows(context: CompileContext, source: RowScope, link: MorphLink): MorphRows {
  const alias = context.nextAlias('l');
  return {
    alias,
    from: tableAs(link.table, alias),
    where: sql`${column(alias, 'source_id')} = ${idOf(source)}`,
    order: [column(alias, 'position'), column(alias, 'id')],
  };
}

interface MorphTargetOptions {
  readonly link: MorphLink;
  /** The alias of the polymorphic link table. */
  readonly alias: string;
  readonly target: ContentType;
}

/** The version row that one row of a polymorphic link table points at, if its target has that type. */
export function morphTargetRows(
  context: CompileContext,
  source: RowScope,
  { link, alias, target }: MorphTargetOptions,
): LinkedRows & { readonly key: RawBuilder<unknown> } {
  const scope = createRowScope(context, target);
  const key = column(alias, morphTarget(link, target.uid).column);
  const isUnique = seesSingleVersion(context, scope, source);
  const path = createPath(scope, {
    link: null,
    keys: [outerEquality(documentIdOf(scope), key)],
    version: versionEqualities(context, scope, source),
    isUnique,
  });
  return { scope, key, path, order: isUnique ? [] : [idOf(scope)] };
}
