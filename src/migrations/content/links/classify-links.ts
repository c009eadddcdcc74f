import { defined } from '../../../lib/assert.js';
import type { ContentModel, ContentType, Link } from '../../../model/model.js';
import { renamedColumn, renamedTable } from '../../schema/renames.js';
import type { Rename } from '../../schema/renames.js';
import type { ContentPlanRequest } from '../content-transition.js';
import { counterpartsOf, matchLinks, ownedLinks, takesOver, targetsOf } from './match-links.js';
import type { LinkOrigin, MatchedLink, OwnedLink } from './match-links.js';

/** The version table of a type. */
export interface VersionTable {
  readonly table: string;
  /** True if it holds drafts as well as published versions. */
  readonly drafts: boolean;
  /** True if it holds several locales of a document. */
  readonly locales: boolean;
}

/** Storage location of the links of a relation or media attribute. */
interface LinkStorage {
  readonly owner: VersionTable;
  /** The link table. Null if the link is a column of the owner's table. */
  readonly table: string | null;
  /** The column with the position in the inverse side's list. Null if that list has no order. */
  readonly inverse: string | null;
  readonly hasTargetStatus: boolean;
  readonly hasTargetLocale: boolean;
}

/** Links to one type before the migration, which move to another storage. */
export interface LinkSource {
  readonly storage: LinkStorage;
  /** The column with the target. */
  readonly column: string;
  readonly target: VersionTable;
  /** True if the former target owns the links after the migration. */
  readonly isReversed: boolean;
  /** The column that holds the other end after the migration. */
  readonly to: string;
}

/** Storage location of links after the migration, with the limits on their number. */
export interface NewLinkStorage extends LinkStorage {
  /** The columns with the targets, one for each target type. */
  readonly columns: readonly string[];
  /** True if a version of the owner links at most one target. */
  readonly isSingle: boolean;
  /** True if at most one owner may link a target. */
  readonly isExclusive: boolean;
}

/** Links that the migration saves before the tables change, and restores in their new form afterwards. */
export interface LinkMigration {
  readonly after: NewLinkStorage;
  /** The former links, in the order of the lists that they form. */
  readonly sources: readonly LinkSource[];
}

export const versionTableOf = ({ storage, draftAndPublish, localized }: ContentType): VersionTable => ({
  table: storage.version.table,
  drafts: draftAndPublish,
  locales: localized,
});

/** Returns the column with the position in the inverse side's list; null if that list has no order. */
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

/** True if a version of the owner links at most one target. */
export const isSingle = (link: Link): boolean => link.kind === 'column' || !link.ownerMany;

function newStorageOf(after: OwnedLink): NewLinkStorage {
  return {
    ...storageOf(after),
    columns: targetsOf(after.link).map(({ column }) => column),
    isSingle: isSingle(after.link),
    isExclusive: after.link.exclusive,
  };
}

/** Returns the storage of an origin, by the names before the migration. */
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
function renameSource(source: LinkSource, renames: readonly Rename[]): LinkSource {
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

/** A link whose rows stay in place. */
export interface KeptLink extends MatchedLink {
  readonly before: OwnedLink;
}

/** A link whose rows come from another storage, or change. */
export interface MovedLink extends MatchedLink {
  readonly migration: LinkMigration;
  /** The sources by the names before the migration's renames, in the order of the origins. */
  readonly sourcesBefore: readonly LinkSource[];
}

/** Links to one type that the migration drops. */
export interface LostLink {
  readonly before: OwnedLink;
  readonly target: ReturnType<typeof targetsOf>[number];
}

export interface ClassifiedLinks {
  readonly kept: readonly KeptLink[];
  readonly moved: readonly MovedLink[];
  readonly lost: readonly LostLink[];
  /** Former links that do not stay in place. */
  readonly leaving: readonly OwnedLink[];
  readonly counterparts: ReturnType<typeof counterpartsOf>;
}

const haveSameVersioning = (left: ContentType, right: ContentType): boolean =>
  left.draftAndPublish === right.draftAndPublish && left.localized === right.localized;

/** True if the new link allows fewer links than the rows may hold. */
const isNarrowed = (before: Link, after: Link): boolean =>
  (isSingle(after) && !isSingle(before)) || (after.exclusive && !before.exclusive);

/** Classifies the links of two models as kept, moved or lost. */
export function classifyLinks({ before, after, match, renames }: ContentPlanRequest): ClassifiedLinks {
  const counterparts = counterpartsOf(match);
  const linksBefore = ownedLinks(before);
  const matched = matchLinks(linksBefore, ownedLinks(after), counterparts);

  const keepsVersioning = (uid: string): boolean => {
    const [typeBefore, typeAfter] = [before.typesByUid[uid], counterparts.typeAfter(uid)];
    return typeBefore !== undefined && typeAfter !== null && haveSameVersioning(typeBefore, typeAfter);
  };

  const isKept = ({ after: link, origins }: MatchedLink): boolean => {
    const [first, ...others] = origins;
    if (first === undefined || origins.some(({ isReversed }) => isReversed)) return false;
    if (others.some((other) => other.before !== first.before)) return false;
    if (first.before.link.kind !== link.link.kind || isNarrowed(first.before.link, link.link)) return false;
    const storage = newStorageOf(link);
    const isInPlace = origins.every((origin) => {
      const { storage: former, column } = renameSource(sourceOf(before, origin), renames);
      return (
        former.owner.table === storage.owner.table &&
        former.table === storage.table &&
        column === origin.to &&
        (storage.inverse === null || former.inverse === storage.inverse)
      );
    });
    const hasSameRows =
      storage.table === null ||
      (keepsVersioning(first.before.owner.uid) && origins.every(({ target }) => keepsVersioning(target.uid)));
    return isInPlace && hasSameRows;
  };

  const kept = matched.filter(isKept).flatMap((link): readonly KeptLink[] => {
    const [first] = link.origins;
    return first === undefined ? [] : [{ ...link, before: first.before }];
  });
  const moved = matched
    .filter((link) => link.origins.length > 0 && !isKept(link))
    .map((link): MovedLink => {
      const sourcesBefore = link.origins.map((origin) => sourceOf(before, origin));
      const sources = sourcesBefore.map((source) => renameSource(source, renames));
      return { ...link, sourcesBefore, migration: { after: newStorageOf(link.after), sources } };
    });
  const lost = linksBefore.flatMap((link) =>
    targetsOf(link.link)
      .filter((target) => !matched.some((candidate) => takesOver(candidate, link, target)))
      .map((target): LostLink => ({ before: link, target })),
  );
  const leaving = linksBefore.filter((link) => !kept.some((other) => other.before === link));
  return { kept, moved, lost, leaving, counterparts };
}
