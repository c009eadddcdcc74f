import { assertNever } from '../../lib/assert.js';
import { linkAttributeOf, typeOf } from '../../model/lookup.js';
import type { LinkAttribute, MediaAttribute, Uid } from '../../model/model.js';
import { isLocalizations } from '../schema-fields.js';
import { rowOf } from './compile-context.js';
import type { CompileContext, ItemScope, RowScope, Scope } from './compile-context.js';
import {
  columnRowsFromInverse,
  columnRowsFromOwner,
  morphRowsFromInverse,
  tableRowsFromInverse,
  tableRowsFromOwner,
} from './link-rows.js';
import {
  allDocumentVersions,
  createPath,
  createRowScope,
  documentIdOf,
  equality,
  idOf,
  outerEquality,
  seesSingleVersion,
  versionEqualities,
} from './version-rows.js';
import type { LinkedRows } from './version-rows.js';

const singleTargetOf = ({ schema }: Scope, { name, target }: LinkAttribute): Uid => {
  if (target === null) throw new TypeError(`${schema.uid} ${name} links several types`);
  return target;
};

/** Components store the document ids of their targets in JSON: one id, or a list of ids. */
const componentRelationRows = (
  context: CompileContext,
  source: ItemScope,
  attribute: LinkAttribute,
): LinkedRows => {
  const { expressions } = context;
  const scope = createRowScope(context, typeOf(context.model, singleTargetOf(source, attribute)));
  const version = versionEqualities(context, scope, source.row);
  const isUnique = seesSingleVersion(context, scope, source.row);
  if (!attribute.many) {
    const keys = [
      outerEquality(documentIdOf(scope), expressions.json.field(source.json, attribute.name, 'text')),
    ];
    return {
      scope,
      path: createPath(scope, { link: null, keys, version, isUnique }),
      order: isUnique ? [] : [idOf(scope)],
    };
  }
  const ids = expressions.json.rows(source.member(attribute.name), context.nextAlias('j'));
  const path = createPath(scope, {
    link: { from: ids.from, keys: [] },
    keys: [equality(documentIdOf(scope), ids.text)],
    version,
    isUnique,
  });
  return { scope, path, order: [ids.position, idOf(scope)] };
};

const relationRows = (context: CompileContext, source: RowScope, attribute: LinkAttribute): LinkedRows => {
  const { link, side } = attribute;
  switch (link?.kind) {
    case 'column':
      return (side === 'owner' ? columnRowsFromOwner : columnRowsFromInverse)(context, source, link);
    case 'table':
      return (side === 'owner' ? tableRowsFromOwner : tableRowsFromInverse)(context, source, link);
    case 'morph': {
      if (side === 'owner') throw new TypeError(`${source.schema.uid} ${attribute.name} links several types`);
      return morphRowsFromInverse(context, source, link);
    }
    case undefined:
      throw new TypeError(`${source.schema.uid} ${attribute.name} has no link`);
    default:
      return assertNever(link, 'link');
  }
};

/** The rows linked by an attribute with one target type, in the version that is seen from `scope`. */
export function linkedRows(context: CompileContext, scope: Scope, attribute: LinkAttribute): LinkedRows {
  return scope.kind === 'item'
    ? componentRelationRows(context, scope, attribute)
    : relationRows(context, rowOf(scope), attribute);
}

/** The rows that a name in a filter or a sort order leads to. `many`: there may be several. */
export function followedRows(
  context: CompileContext,
  scope: Scope,
  name: string,
): LinkedRows & { readonly many: boolean } {
  if (scope.kind === 'row' && isLocalizations(scope.schema, name))
    return { ...allDocumentVersions(context, scope), many: true };
  const attribute = linkAttributeOf(scope.schema, name);
  return { ...linkedRows(context, scope, attribute), many: attribute.many };
}

/** Follows a media attribute backwards: from a file to the rows that link it by that attribute. */
export function mediaReferrers(
  context: CompileContext,
  source: RowScope,
  { name, link }: MediaAttribute,
): LinkedRows {
  if (link === null) throw new TypeError(`${name} has no link`);
  return link.kind === 'column'
    ? columnRowsFromInverse(context, source, link)
    : tableRowsFromInverse(context, source, link);
}
