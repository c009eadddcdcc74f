import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { getOrCreate, groupBy } from '../../lib/collections.js';
import type { ContentType, Uid } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import type { Omission } from '../documents.js';
import { applyLinkChanges } from '../links/link-changes.js';
import type { LinkChange } from '../links/link-changes.js';
import { hasInverseOrder, isShared as isSharedLink } from '../links/relation-mapping.js';
import type { RelationMapping, RelationTarget } from '../links/relation-mapping.js';
import { lockRows } from '../write/lock-documents.js';
import {
  integerColumn,
  nullableTextColumn,
  positionColumn,
  prefetchRows,
  runPrefetch,
  textColumn,
} from '../write/prefetch.js';
import type { VersionRow } from '../write/version-statements.js';
import type { TrashRow } from './trash-table.js';

type Fragment = RawBuilder<unknown>;

/** The entry that is restored, inside its transaction. */
export interface Restoration {
  readonly context: DocumentContext;
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly documentId: string;
  readonly omit: (omission: Omission) => void;
}

/** A link in the trash. */
interface TrashedLink {
  /** The id of its row in the trash. */
  readonly rowId: number;
  readonly source: string;
  readonly locale: string;
  readonly status: string;
  readonly target: string;
  readonly targetStatus: string | null;
  readonly targetLocale: string | null;
  readonly position: number;
  readonly inversePosition: number | null;
}

/** A link in the trash, and the id of the version that owns it. */
interface OwnedLink extends TrashedLink {
  readonly sourceId: number;
}

/** The links of one attribute to one type. */
interface LinkGroup {
  readonly mapping: RelationMapping;
  readonly target: RelationTarget;
  readonly links: readonly TrashedLink[];
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toLink = ({ id, record }: TrashRow): TrashedLink => ({
  rowId: id,
  source: String(record['source']),
  locale: String(record['locale']),
  status: String(record['status']),
  target: String(record['target']),
  targetStatus: textOrNull(record['targetStatus']),
  targetLocale: textOrNull(record['targetLocale']),
  position: Number(record['position'] ?? 0),
  inversePosition: typeof record['inversePosition'] === 'number' ? record['inversePosition'] : null,
});

const byPosition = (left: TrashedLink, right: TrashedLink): number =>
  left.position - right.position || left.rowId - right.rowId;

const NO_LINK = 'is no longer a link of the schema';

/** Groups the rows by attribute and target. Omits those of attributes that have changed. */
const groupLinks = (
  { context: { model, relationsOf }, omit }: Restoration,
  rows: readonly TrashRow[],
): readonly LinkGroup[] => {
  const links = rows.filter(({ kind }) => kind === 'link');
  return [
    ...groupBy(links, ({ type, attribute, target }) => JSON.stringify([type, attribute, target])),
  ].flatMap(([, group]) => {
    const [{ type: uid, attribute, target: targetUid } = { type: '', attribute: '', target: '' }] = group;
    const owner = Object.hasOwn(model.typesByUid, uid) ? model.typesByUid[uid] : undefined;
    const mapping = owner && relationsOf(owner).find((found) => found.attribute.name === attribute);
    const target = mapping?.targets.find(({ type }) => type.uid === targetUid);
    if (mapping === undefined || target === undefined || mapping.attribute.side !== 'owner') {
      omit({ attribute: `${uid}.${attribute}`, reason: NO_LINK });
      return [];
    }
    return [{ mapping, target, links: group.map(toLink).toSorted(byPosition) }];
  });
};

/** The documents and versions at the ends of links that exist now. */
interface Ends {
  /** Returns the id of a version; undefined if it does not exist. */
  readonly versionId: (type: Uid, documentId: string, locale: string, status: string) => number | undefined;
  readonly exists: (type: Uid, documentId: string, locale: string | null) => boolean;
}

const endKey = (...parts: readonly (string | null)[]): string => parts.join('\n');

const loadEnds = async (
  { context: { database }, tx }: Restoration,
  groups: readonly LinkGroup[],
): Promise<Ends> => {
  const { expressions } = database.dialect;
  const wanted = new Map<ContentType, Set<string>>();
  for (const { mapping, target, links } of groups) {
    const sources = getOrCreate(wanted, mapping.owner, () => new Set());
    const targets = getOrCreate(wanted, target.type, () => new Set());
    for (const link of links) {
      sources.add(link.source);
      targets.add(link.target);
    }
  }
  const ids = new Map<string, number>();
  const documents = new Set<string>();
  for (const [{ uid, storage }, documentIds] of wanted) {
    const list = expressions.encodeList('text', [...documentIds]);
    const found = await runPrefetch(
      tx,
      expressions,
      prefetchRows(
        {
          id: integerColumn(sql`id`),
          documentId: textColumn(sql`document_id`),
          locale: textColumn(sql`locale`),
          status: textColumn(sql`status`),
        },
        sql`${sql.id(storage.version.table)} where ${expressions.inList(sql`document_id`, 'text', list)}`,
      ),
    );
    for (const { id, documentId, locale, status } of found) {
      ids.set(endKey(uid, documentId, locale, status), id);
      documents.add(endKey(uid, documentId, null)).add(endKey(uid, documentId, locale));
    }
  }
  return {
    versionId: (...name) => ids.get(endKey(...name)),
    exists: (...name) => documents.has(endKey(...name)),
  };
};

/** A document that is not there, or not in a locale. */
interface MissingEnd {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale: string | null;
}

/** Returns the end of a link that does not exist; null if both do. */
const missingEnd = ({ mapping, target }: LinkGroup, link: TrashedLink, ends: Ends): MissingEnd | null => {
  const { owner } = mapping;
  if (ends.versionId(owner.uid, link.source, link.locale, link.status) === undefined)
    return { type: owner.uid, documentId: link.source, locale: owner.localized ? link.locale : null };
  const locale = target.type.localized ? (link.targetLocale ?? (owner.localized ? link.locale : null)) : null;
  return ends.exists(target.type.uid, link.target, locale)
    ? null
    : { type: target.type.uid, documentId: link.target, locale };
};

/**
 * Moves links to the entries of documents that are in the trash, too, so that they are restored with those.
 * Returns the links that have no such entry.
 */
const moveToEntries = async <Link extends { readonly link: TrashedLink; readonly missing: MissingEnd }>(
  { context: { database }, tx, type, documentId }: Restoration,
  incomplete: readonly Link[],
): Promise<readonly Link[]> => {
  const { expressions } = database.dialect;
  const moved = new Map<number, number[]>();
  const rest: Link[] = [];
  for (const [uid, ofType] of groupBy(incomplete, ({ missing }) => missing.type)) {
    const list = expressions.encodeList('text', [
      ...new Set(ofType.map(({ missing }) => missing.documentId)),
    ]);
    const entries = await runPrefetch(
      tx,
      expressions,
      prefetchRows(
        {
          id: integerColumn(sql`id`),
          documentId: textColumn(sql`document_id`),
          locale: nullableTextColumn(sql`locale`),
        },
        sql`cms_trash where type = ${expressions.parameter('text', uid)}
          and ${expressions.inList(sql`document_id`, 'text', list)}`,
      ),
    );
    for (const link of ofType) {
      const { missing } = link;
      const isRestored = uid === type.uid && missing.documentId === documentId;
      const entry = entries.find(
        (found) =>
          found.documentId === missing.documentId &&
          !isRestored &&
          (found.locale === null || missing.locale === null || found.locale === missing.locale),
      );
      if (entry === undefined) rest.push(link);
      else getOrCreate(moved, entry.id, () => []).push(link.link.rowId);
    }
  }
  for (const [entryId, rowIds] of moved) {
    const isListed = expressions.inList(sql`id`, 'integer', expressions.encodeList('integer', rowIds));
    const { sql: text, parameters } = sql`update cms_trash_rows
      set trash_id = ${expressions.parameter('integer', entryId)} where ${isListed}`.compile(
      expressions.kysely,
    );
    await tx.execute(text, parameters);
  }
  return rest;
};

/** A stored link, as a link of the trash is compared with it. */
interface StoredLink {
  readonly sourceId: number;
  readonly source: string;
  readonly locale: string;
  readonly status: string;
  readonly target: string;
  readonly targetStatus: string | null;
  readonly targetLocale: string | null;
  readonly position: number | null;
  readonly inversePosition: number | null;
}

/** Loads the stored links of the versions, those to exclusive targets, and those in the same positions. */
const loadStored = async (
  { context: { database }, tx }: Restoration,
  { mapping: { link, owner }, target }: Omit<LinkGroup, 'links'>,
  { sourceIds, links = [] }: { readonly sourceIds: readonly number[]; readonly links?: readonly OwnedLink[] },
): Promise<readonly StoredLink[]> => {
  const { expressions } = database.dialect;
  const isColumn = link.kind === 'column';
  const column = sql.id(isColumn ? 's' : 'l', target.column);
  const none = sql`null`;
  const inverse =
    link.kind === 'column' && link.position !== null
      ? sql.id('s', link.position.column)
      : link.kind === 'table' && link.hasInversePosition
        ? sql`l.inverse_position`
        : none;
  const isListed = (
    value: Fragment,
    kind: 'text' | 'integer' | 'double',
    list: readonly (string | number)[],
  ) => expressions.inList(value, kind, expressions.encodeList(kind, [...new Set(list)]));
  const isOfTarget = isListed(
    column,
    'text',
    links.map((each) => each.target),
  );
  const positions = links.flatMap(({ inversePosition }) => inversePosition ?? []);
  const conditions = [
    isListed(sql`s.id`, 'integer', sourceIds),
    ...(link.exclusive ? [isOfTarget] : []),
    ...(hasInverseOrder(link) && positions.length > 0
      ? [sql`(${isOfTarget} and ${isListed(inverse, 'double', positions)})`]
      : []),
  ];
  const isLink = isColumn ? sql` and ${column} is not null` : sql``;
  const versions = sql.id(owner.storage.version.table);
  const from = isColumn
    ? sql`${versions} as s`
    : sql`${sql.id(link.table)} as l join ${versions} as s on s.id = l.source_id`;
  return runPrefetch(
    tx,
    expressions,
    prefetchRows(
      {
        sourceId: integerColumn(sql`s.id`),
        source: textColumn(sql`s.document_id`),
        locale: textColumn(sql`s.locale`),
        status: textColumn(sql`s.status`),
        target: textColumn(sql`coalesce(${column}, '')`),
        targetStatus: nullableTextColumn(
          link.kind === 'table' && link.hasTargetStatus ? sql`l.target_status` : none,
        ),
        targetLocale: nullableTextColumn(
          link.kind === 'table' && link.hasTargetLocale ? sql`l.target_locale` : none,
        ),
        position: positionColumn(isColumn ? none : sql`l.position`),
        inversePosition: positionColumn(inverse),
      },
      sql`${from} where (${sql.join(conditions, sql` or `)})${isLink}`,
    ),
  );
};

type LinkState = Pick<StoredLink, 'locale' | 'status' | 'targetStatus' | 'targetLocale'>;

const stateKey = ({ locale, status, targetStatus, targetLocale }: LinkState): string =>
  endKey(locale, status, targetStatus, targetLocale);

/** Stored links by their ends. */
interface StoredIndex {
  readonly bySource: ReadonlyMap<number, readonly StoredLink[]>;
  readonly byTarget: ReadonlyMap<string, readonly StoredLink[]>;
}

const indexStored = (stored: readonly StoredLink[]): StoredIndex => ({
  bySource: groupBy(stored, ({ sourceId }) => sourceId),
  byTarget: groupBy(stored, ({ target }) => target),
});

/** Returns the changes that space lists of versions in which another link has the same position. */
const spacingOf = (
  { link, ...mapping }: RelationMapping,
  restored: OwnedLink,
  { bySource, byTarget }: StoredIndex,
): readonly LinkChange[] => {
  const { sourceId, source, target, position, inversePosition } = restored;
  const isInState = (other: StoredLink): boolean => stateKey(other) === stateKey(restored);
  const inOwner =
    link.kind !== 'column' &&
    link.ownerMany &&
    bySource.get(sourceId)?.some((other) => other.position === position && isInState(other)) === true;
  const inInverse =
    hasInverseOrder(link) &&
    byTarget.get(target)?.some((other) => other.inversePosition === inversePosition && isInState(other)) ===
      true;
  const spaced = { kind: 'space', mapping: { ...mapping, link } } as const;
  return [
    ...(inOwner ? [{ ...spaced, side: 'owner', documentId: source } as const] : []),
    ...(inInverse ? [{ ...spaced, side: 'inverse', documentId: target } as const] : []),
  ];
};

/** Returns the changes that restore a link, or the reason why it cannot be restored. */
const changesOf = (
  { mapping, target }: LinkGroup,
  link: OwnedLink,
  stored: StoredIndex,
): readonly LinkChange[] | string => {
  const ofSource = stored.bySource.get(link.sourceId) ?? [];
  const state = stateKey(link);
  const inState = (others: readonly StoredLink[]): readonly StoredLink[] =>
    others.filter((other) => stateKey(other) === state);
  if (inState(ofSource).some((other) => other.target === link.target)) return [];
  const isSingle = mapping.link.kind === 'column' || !mapping.link.ownerMany;
  if (isSingle && inState(ofSource).length > 0) return `${link.source} links another document now`;
  const others = mapping.link.exclusive ? (stored.byTarget.get(link.target) ?? []) : [];
  if (inState(others).some(({ source }) => source !== link.source))
    return `another document links ${link.target} now`;
  const { sourceId, inversePosition } = link;
  const change: LinkChange =
    mapping.link.kind === 'column'
      ? { kind: 'assign', mapping, rowId: sourceId, documentId: link.target, inversePosition }
      : {
          kind: 'insert',
          mapping,
          entry: { ...link, targetType: target.type.uid, targetDocumentId: link.target },
        };
  return [change, ...spacingOf(mapping, link, stored)];
};

/** The versions of a restored document. */
interface RestoredVersions {
  /** Those that it had before. */
  readonly existing: readonly VersionRow[];
  readonly restored: readonly VersionRow[];
}

/** True if the links of the restored locales are copied from another locale, which shares them. */
const isShared = ({ type, documentId }: Restoration, { mapping }: LinkGroup, { source }: TrashedLink) =>
  isSharedLink(mapping) && mapping.owner.uid === type.uid && source === documentId;

/** Copies the links that all locales share from a locale that the document had before. */
const copyShared = async (
  restoration: Restoration,
  { existing, restored }: RestoredVersions,
): Promise<readonly LinkChange[]> => {
  const { context, type } = restoration;
  const changes: LinkChange[] = [];
  for (const mapping of context.relationsOf(type).filter(isSharedLink)) {
    const [target] = mapping.targets;
    if (mapping.link.kind === 'column' || target === undefined) continue;
    for (const { id: sourceId, status } of restored) {
      const other = existing.find((row) => row.status === status) ?? existing[0];
      const stored =
        other === undefined
          ? []
          : await loadStored(restoration, { mapping, target }, { sourceIds: [other.id] });
      for (const link of stored)
        changes.push({
          kind: 'insert',
          mapping,
          entry: {
            ...link,
            sourceId,
            position: link.position ?? 0,
            targetType: target.type.uid,
            targetDocumentId: link.target,
          },
        });
    }
  }
  return changes;
};

/** Locks the other documents whose versions own restored links. */
const lockOwners = async (
  { context, tx, type, documentId }: Restoration,
  { mapping: { owner } }: LinkGroup,
  links: readonly OwnedLink[],
): Promise<void> => {
  const sources = new Set(links.map(({ source }) => source));
  if (owner.uid === type.uid) sources.delete(documentId);
  if (sources.size === 0) return;
  await tx.limitLockWaits();
  await lockRows(context, tx, owner, [...sources].toSorted());
};

/**
 * Restores the links of a document that was restored, in both directions and with their positions. Existing
 * links stay. Links whose other end is in the trash are restored with that.
 */
export async function restoreLinks(
  restoration: Restoration,
  rows: readonly TrashRow[],
  versions: RestoredVersions,
): Promise<void> {
  const { context, tx, omit, type, documentId } = restoration;
  const groups = groupLinks(restoration, rows);
  const ends = await loadEnds(restoration, groups);
  const incomplete = groups.flatMap((group) =>
    group.links.flatMap((link) => {
      const missing = missingEnd(group, link, ends);
      return missing === null ? [] : [{ group, link, missing }];
    }),
  );
  const nameOf = ({ owner, attribute }: RelationMapping, { source }: TrashedLink): string =>
    owner.uid === type.uid && source === documentId ? attribute.name : `${owner.uid}.${attribute.name}`;
  const skipped = new Set(incomplete.map(({ link }) => link.rowId));
  for (const { group, link, missing } of await moveToEntries(restoration, incomplete)) {
    // Imported links may lead to a document that has no version in the locale.
    if (ends.exists(missing.type, missing.documentId, null)) skipped.delete(link.rowId);
    else
      omit({
        attribute: nameOf(group.mapping, link),
        reason: `${missing.type} ${missing.documentId} no longer exists`,
      });
  }
  const hasOtherLocale = versions.existing.length > 0;
  const changes: LinkChange[] = hasOtherLocale ? [...(await copyShared(restoration, versions))] : [];
  for (const group of groups) {
    const links = group.links.flatMap((link): readonly OwnedLink[] => {
      const sourceId = ends.versionId(group.mapping.owner.uid, link.source, link.locale, link.status);
      if (sourceId === undefined || skipped.has(link.rowId)) return [];
      return hasOtherLocale && isShared(restoration, group, link) ? [] : [{ ...link, sourceId }];
    });
    if (links.length === 0) continue;
    await lockOwners(restoration, group, links);
    const sourceIds = links.map(({ sourceId }) => sourceId);
    const stored = await loadStored(restoration, group, { sourceIds, links });
    const byEnd = indexStored(stored);
    for (const link of links) {
      const found = changesOf(group, link, byEnd);
      if (typeof found === 'string') omit({ attribute: nameOf(group.mapping, link), reason: found });
      else changes.push(...found);
    }
  }
  await applyLinkChanges({ ...context, tx }, changes);
}
