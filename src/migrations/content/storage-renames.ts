import type { ContentModel, ContentType, MorphLink, Uid } from '../../model/model.js';
import type { Rename } from '../schema/rename-in-schema.js';
import { sequenceRenames } from '../schema/sequence-renames.js';
import { storageOf } from './attribute-storage.js';
import type { ContentTransition } from './content-plan.js';

const tableRename = (from: string | null, to: string | null): readonly Rename[] =>
  from === null || to === null || from === to ? [] : [{ kind: 'table', from, to }];

const columnRename = (table: string, from: string, to: string | undefined): readonly Rename[] =>
  to === undefined || to === from ? [] : [{ kind: 'column', table, from, to }];

/** The columns and the link table of an attribute. The inverse side of a relation owns neither. */
const attributeRenames = (
  before: ContentType,
  after: ContentType,
  from: string,
  to: string,
): readonly Rename[] => {
  const { table } = after.storage.version;
  const [former, current] = [storageOf(before.attributes[from]), storageOf(after.attributes[to])];
  return [
    ...former.columns.flatMap((column, index) => columnRename(table, column, current.columns[index])),
    ...tableRename(former.linkTable, current.linkTable),
  ];
};

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
  { before, after }: ContentTransition,
  former: ContentType,
  current: ContentType,
  uidAfter: (uid: Uid) => Uid,
): readonly Rename[] =>
  morphLinks(before).flatMap((link) => {
    const linkAfter = morphLinks(after).find(
      ({ owner, ownerAttribute }) => owner === uidAfter(link.owner) && ownerAttribute === link.ownerAttribute,
    );
    const from = link.targets.find(({ uid }) => uid === former.uid);
    const to = linkAfter?.targets.find(({ uid }) => uid === current.uid);
    return linkAfter === undefined || from === undefined
      ? []
      : columnRename(linkAfter.table, from.column, to?.column);
  });

/**
 * Returns the tables and columns to rename in the database where types and their attributes are renamed, in
 * an order in which each new name is free.
 */
export function storageRenames(transition: ContentTransition): readonly Rename[] {
  const { before, after, decisions } = transition;
  const types = decisions.renames.filter((rename) => rename.kind === 'type');
  const attributes = decisions.renames.filter((rename) => rename.kind === 'attribute');
  const uidAfter = (uid: Uid): Uid => types.find(({ from }) => from === uid)?.to ?? uid;
  const ofTypes = types.flatMap(({ from, to }): readonly Rename[] => {
    const [former, current] = [before.typesByUid[from], after.typesByUid[to]];
    if (former === undefined || current === undefined) return [];
    const kept = Object.keys(former.attributes).filter(
      (name) => !attributes.some((rename) => rename.type === from && rename.from === name),
    );
    return [
      ...tableRename(former.storage.version.table, current.storage.version.table),
      ...tableRename(former.storage.document.table, current.storage.document.table),
      ...kept.flatMap((name) => attributeRenames(former, current, name, name)),
      ...morphColumnRenames(transition, former, current, uidAfter),
    ];
  });
  const ofAttributes = attributes.flatMap(({ type, from, to }): readonly Rename[] => {
    const [former, current] = [before.typesByUid[type], after.typesByUid[uidAfter(type)]];
    return former === undefined || current === undefined ? [] : attributeRenames(former, current, from, to);
  });
  return sequenceRenames([...ofTypes, ...ofAttributes]);
}
