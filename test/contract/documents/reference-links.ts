/** Kinds of type by what their documents have several versions by. */
export const KINDS = ['plain', 'drafted', 'translated', 'both'] as const;
export type Kind = (typeof KINDS)[number];
export const SHAPES = ['oneToOne', 'manyToOne', 'manyToMany'] as const;
export type Shape = (typeof SHAPES)[number];

export type Status = 'draft' | 'published';

/** One relation between two types, seen from its owner. */
export interface Relation {
  readonly shape: Shape;
  readonly owner: Kind;
  readonly target: Kind;
}

export const hasDrafts = (kind: Kind): boolean => kind === 'drafted' || kind === 'both';
export const isLocalized = (kind: Kind): boolean => kind === 'translated' || kind === 'both';

export const RELATIONS: readonly Relation[] = SHAPES.flatMap((shape) => KINDS.flatMap((owner) => KINDS.map((target) => ({ shape, owner, target }))));

export const ownAttribute = ({ shape, target }: Relation): string => `${shape}_${target}`;
export const inverseAttribute = ({ shape, owner }: Relation): string => `from_${shape}_${owner}`;

export type Side = 'owner' | 'inverse';

/** A link joins two versions; what neither end has is `-`. */
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
  /** The draft was edited since it was published, or is not published. */
  isEdited: boolean;
}

export interface ReferenceWrite {
  readonly kind: Kind;
  readonly documentId: string;
  /** `-` where the kind has no locales. */
  readonly locale: string;
  readonly publish: boolean;
  readonly relation?: { readonly relation: Relation; readonly side: Side; readonly operation: ReferenceOperation };
}

export type ReferenceOperation =
  | { readonly kind: 'set'; readonly targets: readonly string[] }
  | { readonly kind: 'change'; readonly connect: readonly string[]; readonly disconnect: readonly string[] };

export const isMany = ({ shape }: Relation, side: Side): boolean => shape === 'manyToMany' || (shape === 'manyToOne' && side === 'inverse');

/** The rules of relations in the plainest words there are: a set of links between versions, searched from end to end. */
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

  /** Whether the version can be read. */
  exists(documentId: string, locale: string, status: Status): boolean {
    const version = this.#version(documentId, locale);
    if (version === undefined) return false;
    const kind = this.#kinds.get(documentId);
    return kind !== undefined && hasDrafts(kind) ? version[status] : true;
  }

  /** False: it must be refused, since something linked does not exist in the locale meant. */
  write(write: ReferenceWrite): boolean {
    const { kind, documentId, locale, publish, relation } = write;
    if (relation !== undefined) {
      const linked = relation.operation.kind === 'set' ? relation.operation.targets : relation.operation.connect;
      const peerKind = relation.side === 'owner' ? relation.relation.target : relation.relation.owner;
      const needed = this.#peerLocale(kind, peerKind, locale);
      if (linked.some((peer) => this.#version(peer, needed) === undefined)) return false;
    }
    this.#kinds.set(documentId, kind);
    const versions = this.#versions.get(documentId) ?? [];
    this.#versions.set(documentId, versions);
    let version = versions.find((known) => known.locale === locale);
    if (version === undefined) versions.push((version = { locale, draft: true, published: false, isEdited: false }));
    const wasEdited = version.isEdited;
    if (publish) version.published = true;
    if (relation !== undefined) this.#change(write, relation.relation, relation.side, relation.operation);
    if (hasDrafts(kind) && publish) this.#publish(write, wasEdited);
    version.isEdited = !publish;
    return true;
  }

  removeLocale(documentId: string, locale: string): void {
    const versions = (this.#versions.get(documentId) ?? []).filter((version) => version.locale !== locale);
    this.#versions.set(documentId, versions);
    if (versions.length === 0) this.#kinds.delete(documentId);
    for (const [relation, links] of this.#links) {
      const isGone = (link: VersionLink, side: Side): boolean => (side === 'owner' ? link.owner : link.target) === documentId && (versions.length === 0 || link.locale === locale);
      this.#links.set(relation, links.filter((link) => !isGone(link, 'owner') && !isGone(link, 'inverse')));
    }
  }

  /** Says that a draft was edited through what it shares with another locale's. */
  markEdited(documentId: string, locale: string): void {
    const version = this.#version(documentId, locale);
    if (version !== undefined) version.isEdited = true;
  }

  unpublish(documentId: string, locale: string): void {
    const version = this.#version(documentId, locale);
    if (version !== undefined) Object.assign(version, { published: false, isEdited: true });
    const kind = this.#kinds.get(documentId);
    for (const [relation, links] of this.#links) {
      // Links that are kept with the owner's row go with it; those that name a status stay, to be seen again when the target is back.
      if (relation.owner === kind) this.#links.set(relation, links.filter((link) => !(link.owner === documentId && link.status === 'published' && (!isLocalized(relation.owner) || link.locale === locale))));
    }
  }

  /** Makes the draft's links those of the published version again. */
  discard(kind: Kind, documentId: string, locale: string): void {
    const write: ReferenceWrite = { kind, documentId, locale, publish: false };
    for (const relation of this.#relations) {
      if (relation.owner === kind) this.#copy(write, relation, 'owner', () => true, DISCARDING);
    }
    for (const relation of this.#relations) {
      if (relation.target === kind) this.#copy(write, relation, 'inverse', (owner, at) => this.#isInStep(relation, owner, at, documentId), DISCARDING);
    }
    const version = this.#version(documentId, locale);
    if (version !== undefined) version.isEdited = false;
  }

  /** What a read of that version shows under the relation. */
  seen(relation: Relation, side: Side, documentId: string, locale: string, status: Status): readonly string[] {
    const ownKind = side === 'owner' ? relation.owner : relation.target;
    return this.#of(relation).filter((link) => {
      if ((side === 'owner' ? link.owner : link.target) !== documentId) return false;
      if (link.status !== '-' && link.status !== status) return false;
      if (isLocalized(ownKind) && link.locale !== locale) return false;
      const peer = side === 'owner' ? link.target : link.owner;
      return this.exists(peer, this.#localeOf(peer, link.locale), status);
    }).map((link) => (side === 'owner' ? link.target : link.owner));
  }

  #of(relation: Relation): VersionLink[] {
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

  #peerLocale(kind: Kind, peer: Kind, locale: string): string {
    if (!isLocalized(peer)) return '-';
    return isLocalized(kind) ? locale : 'en';
  }

  #slices({ kind, publish }: ReferenceWrite, { owner, target }: Relation): readonly (Status | '-')[] {
    if (!hasDrafts(owner) && !hasDrafts(target)) return ['-'];
    if (!hasDrafts(kind)) return ['draft', 'published'];
    return publish ? ['draft', 'published'] : ['draft'];
  }

  #change(write: ReferenceWrite, relation: Relation, side: Side, operation: ReferenceOperation): void {
    const locale = isLocalized(relation.owner) || isLocalized(relation.target) ? (write.locale === '-' ? 'en' : write.locale) : '-';
    for (const status of this.#slices(write, relation)) {
      const mine = this.#of(relation).filter((link) => this.#isIn(write, side, link, status));
      if (operation.kind === 'set') {
        const kept = operation.targets.map((peer) => this.#link(write.documentId, side, peer, status, locale));
        this.#drop(relation, mine.filter((link) => !kept.some((wanted) => same(link, wanted))));
      } else {
        this.#drop(relation, mine.filter((link) => link.locale === locale && operation.disconnect.includes(side === 'owner' ? link.target : link.owner)));
        if (operation.connect.length > 0 && !isMany(relation, side)) this.#drop(relation, mine);
      }
      for (const peer of operation.kind === 'set' ? operation.targets : operation.connect) this.#add(relation, this.#link(write.documentId, side, peer, status, locale));
    }
  }

  #isIn(write: ReferenceWrite, side: Side, link: VersionLink, status: Status | '-'): boolean {
    return (side === 'owner' ? link.owner : link.target) === write.documentId && link.status === status && (!isLocalized(write.kind) || link.locale === '-' || link.locale === write.locale);
  }

  #link(documentId: string, side: Side, peer: string, status: Status | '-', locale: string): VersionLink {
    return side === 'owner' ? { owner: documentId, target: peer, status, locale } : { owner: peer, target: documentId, status, locale };
  }

  #drop(relation: Relation, gone: readonly VersionLink[]): void {
    this.#links.set(relation, this.#of(relation).filter((link) => !gone.includes(link)));
  }

  /** Adds a link where its owner has such a version to hold it, and takes away what it excludes. */
  #add(relation: Relation, link: VersionLink): void {
    const holdsStatus = hasDrafts(relation.owner) && link.status === 'published';
    if (holdsStatus && !this.exists(link.owner, this.#localeOf(link.owner, link.locale), 'published')) return;
    if (this.#of(relation).some((known) => same(known, link))) return;
    for (const side of ['owner', 'inverse'] as const) {
      if (isMany(relation, side)) continue;
      const end = side === 'owner' ? 'owner' : 'target';
      this.#drop(relation, this.#of(relation).filter((known) => known[end] === link[end] && known.status === link.status && known.locale === link.locale));
    }
    this.#of(relation).push(link);
  }

  #publish(write: ReferenceWrite, wasEdited: boolean): void {
    for (const relation of this.#relations) {
      if (relation.owner === write.kind) this.#copy(write, relation, 'owner', () => true, PUBLISHING);
      const changed = write.relation;
      const isSet = changed?.relation === relation && changed.side === 'inverse' && changed.operation.kind === 'set';
      // Without edits of its own that waited, whatever differs was changed on the other side.
      if (relation.target !== write.kind || isSet || !wasEdited) continue;
      this.#copy(write, relation, 'inverse', (owner, locale) => this.#isInStep(relation, owner, locale, write.documentId), PUBLISHING);
    }
  }

  /** Whether the owner's own draft has no edits of its own that wait for its publishing; a document that points at itself has just been written. */
  #isInStep(relation: Relation, owner: string, locale: string, written: string): boolean {
    return owner === written || !hasDrafts(relation.owner) || this.#version(owner, this.#localeOf(owner, locale))?.isEdited === false;
  }

  /** Makes a document's links in one status those of the other, as far as the owner's own edits do not stand against it. */
  #copy(write: ReferenceWrite, relation: Relation, side: Side, mayCopy: (owner: string, locale: string) => boolean, { from, to }: Direction): void {
    const wanted = this.#of(relation).filter((link) => this.#isIn(write, side, link, from) && mayCopy(link.owner, link.locale));
    const stale = this.#of(relation).filter((link) => this.#isIn(write, side, link, to) && mayCopy(link.owner, link.locale));
    this.#drop(relation, stale.filter((link) => !wanted.some((source) => same({ ...source, status: to }, link))));
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
  left.owner === right.owner && left.target === right.target && left.status === right.status && left.locale === right.locale;
