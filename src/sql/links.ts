import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Equality, PathLink, RowPath } from '../dialects/row-path.js';
import { assertNever } from '../lib/assert-never.js';
import type { Attribute, AttributeHolder, ColumnLink, ContentType, LinkAttribute, MediaAttribute, MorphLink, TableLink } from '../model/model.js';
import { NO_LOCALE } from '../model/model.js';
import { typeOf } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { column, rowOf } from './scope.js';
import type { ItemScope, RowScope, Scope } from './scope.js';

/** The version rows that an attribute links, seen from one row or component. */
export interface LinkedRows {
  readonly scope: RowScope;
  readonly path: RowPath;
  /** The order in which they are linked; empty where there is one at most. */
  readonly order: readonly RawBuilder<unknown>[];
}

const tableAs = (name: string, alias: string): RawBuilder<unknown> => sql`${sql.id(name)} as ${sql.id(alias)}`;

export function versionTable(scope: RowScope): RawBuilder<unknown> {
  return tableAs(scope.holder.storage.version.table, scope.alias);
}

const equality = (left: RawBuilder<unknown>, value: RawBuilder<unknown>): Equality => ({ column: left, value, isOuter: false });
const outerEquality = (left: RawBuilder<unknown>, value: RawBuilder<unknown>): Equality => ({ column: left, value, isOuter: true });

const idOf = ({ alias }: RowScope): RawBuilder<unknown> => column(alias, 'id');
const documentOf = ({ alias }: RowScope): RawBuilder<unknown> => column(alias, 'document_id');
const localeOf = ({ alias }: RowScope): RawBuilder<unknown> => column(alias, 'locale');

/** Rows of the status asked for; types without drafts have published ones only. */
export function statusEquality({ status }: CompileContext, scope: RowScope): Equality {
  return equality(column(scope.alias, 'status'), sql.lit(scope.holder.draftAndPublish ? status : 'published'));
}

/** Rows of the source's locale. From a type without locales all are seen. */
const localeEqualities = (target: RowScope, source: RowScope): readonly Equality[] => {
  if (!target.holder.localized) return [equality(localeOf(target), sql.lit(NO_LOCALE))];
  return source.holder.localized ? [outerEquality(localeOf(target), localeOf(source))] : [];
};

/** Whether a source sees one version of a target document at most. */
const namesOneLocale = (target: RowScope, source: RowScope): boolean => !target.holder.localized || source.holder.localized;

const versionOf = (context: CompileContext, target: RowScope, source: RowScope): readonly Equality[] =>
  [...localeEqualities(target, source), statusEquality(context, target)];

export function createRowScope(context: CompileContext, holder: ContentType): RowScope {
  return { kind: 'row', holder, alias: context.alias('t') };
}

const pathTo = (scope: RowScope, rest: Omit<RowPath, 'table' | 'alias'>): RowPath => ({ table: versionTable(scope), alias: scope.alias, ...rest });

const columnOwner = (context: CompileContext, source: RowScope, link: ColumnLink): LinkedRows => {
  const scope = createRowScope(context, typeOf(context, link.target));
  const keys = [outerEquality(documentOf(scope), column(source.alias, link.column))];
  return { scope, path: pathTo(scope, { link: null, keys, version: versionOf(context, scope, source), isUnique: true }), order: [] };
};

const columnInverse = (context: CompileContext, source: RowScope, link: ColumnLink): LinkedRows => {
  const scope = createRowScope(context, typeOf(context, link.owner));
  const keys = [outerEquality(column(scope.alias, link.column), documentOf(source))];
  return {
    scope,
    path: pathTo(scope, { link: null, keys, version: versionOf(context, scope, source), isUnique: false }),
    order: [...(link.position === null ? [] : [column(scope.alias, link.position.column)]), idOf(scope)],
  };
};

/** What the link rows themselves say about the version of their target, where its owner has no versions of that kind. */
const targetStatus = ({ status }: CompileContext, link: TableLink, alias: string): readonly Equality[] =>
  link.hasTargetStatus ? [equality(column(alias, 'target_status'), sql.lit(status))] : [];

const tableOwner = (context: CompileContext, source: RowScope, link: TableLink): LinkedRows => {
  const alias = context.alias('l');
  const scope = createRowScope(context, typeOf(context, link.target));
  const keys = [outerEquality(column(alias, 'source_id'), idOf(source)), ...targetStatus(context, link, alias)];
  const locale = link.hasTargetLocale ? [equality(localeOf(scope), column(alias, 'target_locale'))] : [];
  return {
    scope,
    path: pathTo(scope, {
      link: { from: tableAs(link.table, alias), keys },
      keys: [equality(documentOf(scope), column(alias, 'target_document_id'))],
      version: [...locale, ...versionOf(context, scope, source)],
      isUnique: true,
    }),
    order: [column(alias, 'position'), column(alias, 'id')],
  };
};

/** The other way through a link table: from a target to the rows that link it. */
const backThrough = (context: CompileContext, source: RowScope, owner: ContentType, link: PathLink & { readonly alias: string }): Pick<LinkedRows, 'scope' | 'path'> => {
  const scope = createRowScope(context, owner);
  const keys = [equality(idOf(scope), column(link.alias, 'source_id'))];
  return { scope, path: pathTo(scope, { link, keys, version: versionOf(context, scope, source), isUnique: true }) };
};

const tableInverse = (context: CompileContext, source: RowScope, link: TableLink): LinkedRows => {
  const alias = context.alias('l');
  const locale = link.hasTargetLocale ? [outerEquality(column(alias, 'target_locale'), localeOf(source))] : [];
  const keys = [outerEquality(column(alias, 'target_document_id'), documentOf(source)), ...locale, ...targetStatus(context, link, alias)];
  const rows = backThrough(context, source, typeOf(context, link.owner), { alias, from: tableAs(link.table, alias), keys });
  return { ...rows, order: [...(link.hasInversePosition ? [column(alias, 'inverse_position')] : []), idOf(rows.scope)] };
};

const morphTarget = (link: MorphLink, uid: string): MorphLink['targets'][number] => {
  const target = link.targets.find((each) => each.uid === uid);
  if (target === undefined) throw new TypeError(`${link.owner} ${link.ownerAttribute} cannot link ${uid}`);
  return target;
};

const morphInverse = (context: CompileContext, source: RowScope, link: MorphLink): LinkedRows => {
  const alias = context.alias('l');
  const keys = [outerEquality(column(alias, morphTarget(link, source.holder.uid).column), documentOf(source))];
  const rows = backThrough(context, source, typeOf(context, link.owner), { alias, from: tableAs(link.table, alias), keys });
  return { ...rows, order: [idOf(rows.scope), column(alias, 'position')] };
};

/** The rows of a polymorphic link table that belong to a row. */
export interface MorphRows {
  readonly alias: string;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
  readonly order: readonly RawBuilder<unknown>[];
}

export function morphRows(context: CompileContext, source: RowScope, link: MorphLink): MorphRows {
  const alias = context.alias('l');
  return {
    alias,
    from: tableAs(link.table, alias),
    where: sql`${column(alias, 'source_id')} = ${idOf(source)}`,
    order: [column(alias, 'position'), column(alias, 'id')],
  };
}

interface MorphPlace {
  readonly link: MorphLink;
  /** Of the polymorphic link table. */
  readonly alias: string;
  readonly target: ContentType;
}

/** The version row that one row of a polymorphic link table means, if it means one of that type. */
export function morphTargetRows(context: CompileContext, source: RowScope, { link, alias, target }: MorphPlace): LinkedRows & { readonly key: RawBuilder<unknown> } {
  const scope = createRowScope(context, target);
  const key = column(alias, morphTarget(link, target.uid).column);
  const isUnique = namesOneLocale(scope, source);
  const path = pathTo(scope, { link: null, keys: [outerEquality(documentOf(scope), key)], version: versionOf(context, scope, source), isUnique });
  return { scope, key, path, order: isUnique ? [] : [idOf(scope)] };
}

/** Components keep the document ids of what they link: one, or a list of them. */
const itemRows = (context: CompileContext, source: ItemScope, attribute: LinkAttribute): LinkedRows => {
  const { dialect } = context;
  const scope = createRowScope(context, typeOf(context, attribute.target ?? ''));
  const version = versionOf(context, scope, source.row);
  const isUnique = namesOneLocale(scope, source.row);
  if (!attribute.many) {
    const keys = [outerEquality(documentOf(scope), dialect.jsonField(source.json, attribute.name, 'text'))];
    return { scope, path: pathTo(scope, { link: null, keys, version, isUnique }), order: isUnique ? [] : [idOf(scope)] };
  }
  const ids = dialect.jsonRows(source.member(attribute.name), context.alias('j'));
  const path = pathTo(scope, { link: { from: ids.from, keys: [] }, keys: [equality(documentOf(scope), ids.text)], version, isUnique });
  return { scope, path, order: [ids.position, idOf(scope)] };
};

const sideRows = (context: CompileContext, source: RowScope, attribute: LinkAttribute): LinkedRows => {
  const { link, side } = attribute;
  switch (link?.kind) {
    case 'column': return (side === 'owner' ? columnOwner : columnInverse)(context, source, link);
    case 'table': return (side === 'owner' ? tableOwner : tableInverse)(context, source, link);
    case 'morph': {
      if (side === 'owner') throw new TypeError(`${source.holder.uid} ${attribute.name} links several types`);
      return morphInverse(context, source, link);
    }
    case undefined: throw new TypeError(`${source.holder.uid} ${attribute.name} has no link`);
    default: return assertNever(link, 'link');
  }
};

/** The rows an attribute with one target type links, of the version that is seen from `scope`. */
export function linkedRows(context: CompileContext, scope: Scope, attribute: LinkAttribute): LinkedRows {
  return scope.kind === 'item' ? itemRows(context, scope, attribute) : sideRows(context, rowOf(scope), attribute);
}

/** The other way of a media attribute: from a file to the rows that show it by that attribute, of the status asked for. */
export function mediaReferrers(context: CompileContext, source: RowScope, { name, link }: MediaAttribute): LinkedRows {
  if (link === null) throw new TypeError(`${name} has no link`);
  return link.kind === 'column' ? columnInverse(context, source, link) : tableInverse(context, source, link);
}

/** The other versions of a row's own document, of the status asked for. */
export function sameDocument(context: CompileContext, source: RowScope): LinkedRows {
  const scope = createRowScope(context, source.holder);
  const keys = [outerEquality(documentOf(scope), documentOf(source))];
  return { scope, path: pathTo(scope, { link: null, keys, version: [statusEquality(context, scope)], isUnique: false }), order: [idOf(scope)] };
}

export function attributeOf(holder: AttributeHolder, name: string): Attribute {
  const attribute = Object.hasOwn(holder.attributes, name) ? holder.attributes[name] : undefined;
  if (attribute === undefined) throw new TypeError(`${holder.uid} has no attribute ${name}`);
  return attribute;
}

/** The relation or media attribute of that name. */
export function linkAttributeOf(holder: AttributeHolder, name: string): LinkAttribute {
  const attribute = attributeOf(holder, name);
  if (attribute.family === 'relation' || attribute.family === 'media') return attribute;
  throw new TypeError(`${holder.uid} ${name} links nothing`);
}
