import type { ContentType, Link } from '../../../model/model.js';
import type { ContentPlanRequest } from '../content-plan.js';
import { isSingle, newStorageOf, renameSource, sourceOf } from './describe-storage.js';
import type { LinkMigration, LinkSource } from './link-storage.js';
import { counterpartsOf, matchLinks, ownedLinks, takesOver, targetsOf } from './match-links.js';
import type { MatchedLink, OwnedLink } from './match-links.js';

/** A link whose rows stay where they are. */
export interface KeptLink extends MatchedLink {
  readonly before: OwnedLink;
}

/** A link that takes other rows than it has in its place. */
export interface MovedLink extends MatchedLink {
  readonly migration: LinkMigration;
  /** The sources by the names before the migration's renames, in the order of the origins. */
  readonly sourcesBefore: readonly LinkSource[];
}

/** Links to one type that no link takes over. */
export interface LostLink {
  readonly before: OwnedLink;
  readonly target: ReturnType<typeof targetsOf>[number];
}

export interface ClassifiedLinks {
  readonly kept: readonly KeptLink[];
  readonly moved: readonly MovedLink[];
  readonly lost: readonly LostLink[];
  /** Former links that do not stay in their place. */
  readonly leaving: readonly OwnedLink[];
  readonly counterparts: ReturnType<typeof counterpartsOf>;
}

const haveSameVersioning = (left: ContentType, right: ContentType): boolean =>
  left.draftAndPublish === right.draftAndPublish && left.localized === right.localized;

/** True if the rows may have more links than the link may have after the migration. */
const isNarrowed = (before: Link, after: Link): boolean =>
  (isSingle(after) && !isSingle(before)) || (after.exclusive && !before.exclusive);

/** Classifies what happens to the links of two models. */
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
