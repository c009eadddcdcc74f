import { hasDrafts, isLocalized, RELATIONS, isMany } from './relation-kinds.js';
import type { Kind, Status, Relation, Side, ReferenceOperation } from './relation-kinds.js';

/** A link between two versions. The status or locale is `-` if neither end has drafts or locales. */
interface VersionLink {
  readonly owner: string;
  readonly target: string;
  readonly status: Status | '-';
  readonly locale: string;
}

interface Version {
  readonly locale: string;
  draft: boolean;
  published: boolean;
  /** True if the draft was edited since it was published, or is not published. */
  isEdited: boolean;
}

export interface ReferenceWrite {
  readonly kind: Kind;
  readonly documentId: string;
  /** `-` if the kind has no locales. */
  readonly locale: string;
  readonly publish: boolean;
  readonly relation?: {
    readonly relation: Relation;
    readonly side: Side;
    readonly operation: ReferenceOperation;
  };
}

/**
 * A simple reference implementation of relations, with which the document service is compared: a list of
 * links between versions that is searched as a whole.
 */
export class ReferenceLinks {
  readonly #versions = new Map<string, Version[]>();
  readonly #kinds = new Map<string, Kind>();
  readonly #links = new Map<Relation, VersionLink[]>();
  readonly #relations: readonly Relation[];

  constructor(relations: readonly Relation[] = RELATIONS) {
    this.#relations = relations;
  }

  documents(kind: Kind): readonly string[] {
    return [...this.#kinds].filter(([, known]) => known === kind).map(([documentId]) => documentId);
  }

  locales(documentId: string): readonly string[] {
    return (this.#versions.get(documentId) ?? []).map(({ locale }) => locale);
  }

  /** True if the version can be read. */
  exists(documentId: string, locale: string, status: Status): boolean {
    const version = this.#version(documentId, locale);
    if (version === undefined) return false;
    const kind = this.#kinds.get(documentId);
    return kind !== undefined && hasDrafts(kind) ? version[status] : true;
  }

  /** Returns false if the write must be refused because a linked document does not exist in the locale. */
  write(write: ReferenceWrite): boolean {
    const { kind, documentId, locale, publish, relation } = write;
    if (relation !== undefined) {
      const linked =
        relation.operation.kind === 'set' ? relation.operation.targets : relation.operation.connect;
      const relatedKind = relation.side === 'owner' ? relation.relation.target : relation.relation.owner;
      const requiredLocale = this.#relatedLocale(kind, relatedKind, locale);
      if (linked.some((related) => this.#version(related, requiredLocale) === undefined)) return false;
    }
    this.#kinds.set(documentId, kind);
    const versions = this.#versions.get(documentId) ?? [];
    this.#versions.set(documentId, versions);
    let version = versions.find((known) => known.locale === locale);
    if (version === undefined)
      versions.push((version = { locale, draft: true, published: false, isEdited: false }));
    if (publish) version.published = true;
    if (relation !== undefined) this.#change(write, relation.relation, relation.side, relation.operation);
    if (hasDrafts(kind) && publish) this.#publish(write);
    version.isEdited = !publish;
    return true;
  }

  removeLocale(documentId: string, locale: string): void {
    const versions = (this.#versions.get(documentId) ?? []).filter((version) => version.locale !== locale);
    this.#versions.set(documentId, versions);
    if (versions.length === 0) this.#kinds.delete(documentId);
    for (const [relation, links] of this.#links) {
      const isDeleted = (link: VersionLink, side: Side): boolean =>
        (side === 'owner' ? link.owner : link.target) === documentId &&
        (versions.length === 0 || link.locale === locale);
      this.#links.set(
        relation,
        links.filter((link) => !isDeleted(link, 'owner') && !isDeleted(link, 'inverse')),
      );
    }
  }

  /** Marks a draft as edited. For values that it shares with the draft of another locale. */
  markEdited(documentId: string, locale: string): void {
    const version = this.#version(documentId, locale);
    if (version !== undefined) version.isEdited = true;
  }

  unpublish(documentId: string, locale: string): void {
    const version = this.#version(documentId, locale);
    if (version !== undefined) Object.assign(version, { published: false, isEdited: true });
    const kind = this.#kinds.get(documentId);
    for (const [relation, links] of this.#links) {
      // Links from this document's published row are deleted with the row. Links to it are kept, and are
      // visible again when it is published again.
      if (relation.owner === kind)
        this.#links.set(
          relation,
          links.filter(
            (link) =>
              !(
                link.owner === documentId &&
                link.status === 'published' &&
                (!isLocalized(relation.owner) || link.locale === locale)
              ),
          ),
        );
    }
  }

  /** Replaces the draft's links by those of the published version. */
  discard(kind: Kind, documentId: string, locale: string): void {
    const write: ReferenceWrite = { kind, documentId, locale, publish: false };
    for (const relation of this.#relations) {
      if (relation.owner === kind) this.#copy(write, relation, 'owner', () => true, DISCARDING);
    }
    for (const relation of this.#relations) {
      if (relation.target === kind)
        this.#copy(
          write,
          relation,
          'inverse',
          (owner, at) => this.#isInSync(relation, owner, at, documentId),
          DISCARDING,
        );
    }
    const version = this.#version(documentId, locale);
    if (version !== undefined) version.isEdited = false;
  }

  /** Returns the document ids that reading the version shows for a relation. */
  visible(
    relation: Relation,
    side: Side,
    documentId: string,
    locale: string,
    status: Status,
  ): readonly string[] {
    const ownKind = side === 'owner' ? relation.owner : relation.target;
    return this.#linksOf(relation)
      .filter((link) => {
        if ((side === 'owner' ? link.owner : link.target) !== documentId) return false;
        if (link.status !== '-' && link.status !== status) return false;
        if (isLocalized(ownKind) && link.locale !== locale) return false;
        const related = side === 'owner' ? link.target : link.owner;
        return this.exists(related, this.#localeOf(related, link.locale), status);
      })
      .map((link) => (side === 'owner' ? link.target : link.owner));
  }

  #linksOf(relation: Relation): VersionLink[] {
    const known = this.#links.get(relation) ?? [];
    this.#links.set(relation, known);
    return known;
  }

  #version(documentId: string, locale: string): Version | undefined {
    return (this.#versions.get(documentId) ?? []).find((version) => version.locale === locale);
  }

  #localeOf(documentId: string, locale: string): string {
    const kind = this.#kinds.get(documentId);
    return kind !== undefined && isLocalized(kind) ? locale : '-';
  }

  #relatedLocale(kind: Kind, related: Kind, locale: string): string {
    if (!isLocalized(related)) return '-';
    return isLocalized(kind) ? locale : 'en';
  }

  #statuses({ kind, publish }: ReferenceWrite, { owner, target }: Relation): readonly (Status | '-')[] {
    if (!hasDrafts(owner) && !hasDrafts(target)) return ['-'];
    if (!hasDrafts(kind)) return ['draft', 'published'];
    return publish ? ['draft', 'published'] : ['draft'];
  }

  #change(write: ReferenceWrite, relation: Relation, side: Side, operation: ReferenceOperation): void {
    const locale =
      isLocalized(relation.owner) || isLocalized(relation.target)
        ? write.locale === '-'
          ? 'en'
          : write.locale
        : '-';
    for (const status of this.#statuses(write, relation)) {
      const ownLinks = this.#linksOf(relation).filter((link) => this.#belongsTo(write, side, link, status));
      if (operation.kind === 'set') {
        const kept = operation.targets.map((related) =>
          this.#link(write.documentId, side, related, status, locale),
        );
        this.#drop(
          relation,
          ownLinks.filter((link) => !kept.some((wanted) => same(link, wanted))),
        );
      } else {
        this.#drop(
          relation,
          ownLinks.filter(
            (link) =>
              link.locale === locale &&
              operation.disconnect.includes(side === 'owner' ? link.target : link.owner),
          ),
        );
        if (operation.connect.length > 0 && !isMany(relation, side)) this.#drop(relation, ownLinks);
      }
      for (const related of operation.kind === 'set' ? operation.targets : operation.connect)
        this.#add(relation, this.#link(write.documentId, side, related, status, locale));
    }
  }

  #belongsTo(write: ReferenceWrite, side: Side, link: VersionLink, status: Status | '-'): boolean {
    return (
      (side === 'owner' ? link.owner : link.target) === write.documentId &&
      link.status === status &&
      (!isLocalized(write.kind) || link.locale === '-' || link.locale === write.locale)
    );
  }

  #link(documentId: string, side: Side, related: string, status: Status | '-', locale: string): VersionLink {
    return side === 'owner'
      ? { owner: documentId, target: related, status, locale }
      : { owner: related, target: documentId, status, locale };
  }

  #drop(relation: Relation, removed: readonly VersionLink[]): void {
    this.#links.set(
      relation,
      this.#linksOf(relation).filter((link) => !removed.includes(link)),
    );
  }

  /**
   * Adds a link if its owner has a version of that status. Removes links that may not exist beside it,
   * because an end may have only one.
   */
  #add(relation: Relation, link: VersionLink): void {
    const holdsStatus = hasDrafts(relation.owner) && link.status === 'published';
    if (holdsStatus && !this.exists(link.owner, this.#localeOf(link.owner, link.locale), 'published')) return;
    if (this.#linksOf(relation).some((known) => same(known, link))) return;
    for (const side of ['owner', 'inverse'] as const) {
      if (isMany(relation, side)) continue;
      const end = side === 'owner' ? 'owner' : 'target';
      this.#drop(
        relation,
        this.#linksOf(relation).filter(
          (known) => known[end] === link[end] && known.status === link.status && known.locale === link.locale,
        ),
      );
    }
    this.#linksOf(relation).push(link);
  }

  #publish(write: ReferenceWrite): void {
    for (const relation of this.#relations) {
      if (relation.owner === write.kind) this.#copy(write, relation, 'owner', () => true, PUBLISHING);
      const changed = write.relation;
      const isSet =
        changed?.relation === relation && changed.side === 'inverse' && changed.operation.kind === 'set';
      // A link is published with either end.
      if (relation.target !== write.kind || isSet) continue;
      this.#copy(write, relation, 'inverse', () => true, PUBLISHING);
    }
  }

  /**
   * True if the owner's draft has no unpublished edits. True for the written document itself, which a link to
   * itself has as owner.
   */
  #isInSync(relation: Relation, owner: string, locale: string, written: string): boolean {
    return (
      owner === written ||
      !hasDrafts(relation.owner) ||
      this.#version(owner, this.#localeOf(owner, locale))?.isEdited === false
    );
  }

  /**
   * Replaces a document's links in status `to` by those in `from`.
   *
   * @param mayCopy whether the links of an owner are replaced: not if it has unpublished edits
   */
  #copy(
    write: ReferenceWrite,
    relation: Relation,
    side: Side,
    mayCopy: (owner: string, locale: string) => boolean,
    { from, to }: Direction,
  ): void {
    const wanted = this.#linksOf(relation).filter(
      (link) => this.#belongsTo(write, side, link, from) && mayCopy(link.owner, link.locale),
    );
    const stale = this.#linksOf(relation).filter(
      (link) => this.#belongsTo(write, side, link, to) && mayCopy(link.owner, link.locale),
    );
    this.#drop(
      relation,
      stale.filter((link) => !wanted.some((source) => same({ ...source, status: to }, link))),
    );
    for (const source of wanted) this.#add(relation, { ...source, status: to });
  }
}

interface Direction {
  readonly from: Status;
  readonly to: Status;
}

const PUBLISHING: Direction = { from: 'draft', to: 'published' };
const DISCARDING: Direction = { from: 'published', to: 'draft' };

const same = (left: VersionLink, right: VersionLink): boolean =>
  left.owner === right.owner &&
  left.target === right.target &&
  left.status === right.status &&
  left.locale === right.locale;
