import type { Rename } from '../../migrations/schema/rename-in-schema.js';
import type { ContentModel, ContentType, MorphLink, Uid } from '../../model/model.js';
import { storageOf } from './attribute-storage.js';
import type { AttributeStorage } from './attribute-storage.js';

export interface AttributeRename {
  readonly uid: Uid;
  readonly from: string;
  readonly to: string;
}

const tableRename = (from: string | null, to: string | null): readonly Rename[] =>
  from === null || to === null || from === to ? [] : [{ kind: 'table', from, to }];

const columnRename = (table: string, from: string, to: string | undefined): readonly Rename[] =>
  to === undefined || to === from ? [] : [{ kind: 'column', table, from, to }];

const storageRenames = (
  table: string,
  before: AttributeStorage,
  after: AttributeStorage,
): readonly Rename[] => [
  ...before.columns.flatMap((from, index) => columnRename(table, from, after.columns[index])),
  ...tableRename(before.linkTable, after.linkTable),
];

/**
 * Returns the columns and the link table to rename in the database when an attribute is renamed. The inverse
 * side of a relation owns neither.
 *
 * @param uid the type after the change
 * @param uidBefore the type before it, where it is renamed as well
 */
export function attributeRenames(
  before: ContentModel,
  after: ContentModel,
  { uid, from, to }: AttributeRename,
  uidBefore: Uid = uid,
): readonly Rename[] {
  const [typeBefore, typeAfter] = [before.typesByUid[uidBefore], after.typesByUid[uid]];
  if (typeBefore === undefined || typeAfter === undefined) return [];
  const [storageBefore, storageAfter] = [
    storageOf(typeBefore.attributes[from]),
    storageOf(typeAfter.attributes[to]),
  ];
  return storageRenames(typeAfter.storage.version.table, storageBefore, storageAfter);
}

const morphLinks = ({ types }: ContentModel): readonly MorphLink[] =>
  types.flatMap(({ attributes }) =>
    Object.values(attributes).flatMap((attribute) =>
      attribute.family === 'relation' && attribute.side === 'owner' && attribute.link?.kind === 'morph'
        ? [attribute.link]
        : [],
    ),
  );

/** The columns of polymorphic link tables that point to the type. */
const morphColumnRenames = (
  before: ContentModel,
  after: ContentModel,
  typeBefore: ContentType,
  typeAfter: ContentType,
): readonly Rename[] =>
  morphLinks(before).flatMap((link) => {
    const owner = link.owner === typeBefore.uid ? typeAfter.uid : link.owner;
    const linkAfter = morphLinks(after).find(
      (candidate) => candidate.owner === owner && candidate.ownerAttribute === link.ownerAttribute,
    );
    const from = link.targets.find(({ uid }) => uid === typeBefore.uid);
    const to = linkAfter?.targets.find(({ uid }) => uid === typeAfter.uid);
    return linkAfter === undefined || from === undefined
      ? []
      : columnRename(linkAfter.table, from.column, to?.column);
  });

/** Returns the tables and columns to rename in the database when a content-type is renamed. */
export function typeRenames(
  before: ContentModel,
  after: ContentModel,
  { from, to }: { readonly from: Uid; readonly to: Uid },
): readonly Rename[] {
  const [typeBefore, typeAfter] = [before.typesByUid[from], after.typesByUid[to]];
  if (typeBefore === undefined || typeAfter === undefined) return [];
  const attributes = Object.keys(typeBefore.attributes).filter((name) => name in typeAfter.attributes);
  return [
    ...tableRename(typeBefore.storage.version.table, typeAfter.storage.version.table),
    ...tableRename(typeBefore.storage.document.table, typeAfter.storage.document.table),
    ...attributes.flatMap((name) => attributeRenames(before, after, { uid: to, from: name, to: name }, from)),
    ...morphColumnRenames(before, after, typeBefore, typeAfter),
  ];
}
