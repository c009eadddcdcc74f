import { defined } from '../../../lib/defined.js';
import type { ContentModel, ContentType, Link } from '../../../model/model.js';
import type { Rename } from '../../schema/rename-in-schema.js';
import { renamedColumn, renamedTable } from '../../schema/renamed-location.js';
import type { LinkSource, LinkStorage, NewLinkStorage, VersionTable } from './link-storage.js';
import { targetsOf } from './match-links.js';
import type { LinkOrigin, OwnedLink } from './match-links.js';

export const versionTableOf = ({ storage, draftAndPublish, localized }: ContentType): VersionTable => ({
  table: storage.version.table,
  drafts: draftAndPublish,
  locales: localized,
});

/** The column with the position in the inverse side's list. */
export const inverseColumnOf = (link: Link): string | null => {
  if (link.kind === 'morph') return null;
  if (link.kind === 'column') return link.position?.column ?? null;
  return link.hasInversePosition ? 'inverse_position' : null;
};

const storageOf = ({ link, owner }: OwnedLink): LinkStorage => ({
  owner: versionTableOf(owner),
  table: link.kind === 'column' ? null : link.table,
  inverse: inverseColumnOf(link),
  hasTargetStatus: link.kind === 'table' && link.hasTargetStatus,
  hasTargetLocale: link.kind === 'table' && link.hasTargetLocale,
});

/** True if a version of the owner links one target at most. */
export const isSingle = (link: Link): boolean => link.kind === 'column' || !link.ownerMany;

export function newStorageOf(after: OwnedLink): NewLinkStorage {
  return {
    ...storageOf(after),
    columns: targetsOf(after.link).map(({ column }) => column),
    isSingle: isSingle(after.link),
    isExclusive: after.link.exclusive,
  };
}

/** The storage of an origin, by the names before the migration. */
export function sourceOf(model: ContentModel, { before, target, isReversed, to }: LinkOrigin): LinkSource {
  const type = defined(model.typesByUid[target.uid], `The type ${target.uid}`);
  return {
    storage: storageOf(before),
    column: target.column,
    target: versionTableOf(type),
    isReversed,
    to,
  };
}

/** Returns the source with the names after the migration's renames. */
export function renameSource(source: LinkSource, renames: readonly Rename[]): LinkSource {
  const { storage, target } = source;
  const table = storage.table ?? storage.owner.table;
  return {
    ...source,
    storage: {
      ...storage,
      owner: { ...storage.owner, table: renamedTable(storage.owner.table, renames) },
      table: storage.table === null ? null : renamedTable(storage.table, renames),
      inverse: storage.inverse === null ? null : renamedColumn(table, storage.inverse, renames),
    },
    column: renamedColumn(table, source.column, renames),
    target: { ...target, table: renamedTable(target.table, renames) },
  };
}
