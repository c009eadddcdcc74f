import { isDeepStrictEqual } from 'node:util';
import { hasDrafts, isLocalized } from '../reference-links.js';
import type { Kind, ReferenceLinks, Status } from '../reference-links.js';
import { MORPH_OWNER, membersOf, SHARED } from './project.js';
import type { Member, Target } from './project.js';
import { changedValue, emptyValues, itemsOf, membersOfItem, refsOf, refsOfChange } from './values.js';
import type { Changes, Item, Ref, Value, Values } from './values.js';

export interface ContentWrite {
  readonly kind: Kind;
  readonly documentId: string;
  /** `-` where the kind has no locales. */
  readonly locale: string;
  readonly publish: boolean;
  readonly changes: Changes;
}

/** One locale of a document; what has no drafts has its content under `published`. */
interface Version {
  draft: Values | null;
  published: Values | null;
}

/** What is shown of a version, comparable with what is read: links by document id. */
export type Seen = Readonly<Record<string, unknown>>;

const localizedTarget = (target: Target): boolean => target !== 'file' && isLocalized(target);

const DEFAULT_LOCALE = 'en';

/**
 * What documents hold beside their two-way relations, in the plainest words there are: every version has all its values to itself, and a
 * write copies whatever has to be the same elsewhere. Which documents there are, the rules of relations know.
 */
export class ContentReference {
  readonly files = new Set<string>();
  readonly #documents = new Map<string, { readonly kind: Kind; readonly versions: Map<string, Version> }>();

  constructor(private readonly links: ReferenceLinks) {}

  /** Whether something is named that does not exist in the locale meant. */
  refuses({ locale, changes }: Pick<ContentWrite, 'locale' | 'changes'>): boolean {
    const needed = locale === '-' ? DEFAULT_LOCALE : locale;
    return Object.values(changes).flatMap(refsOfChange).some(({ target, documentId }) => {
      if (target === 'file') return !this.files.has(documentId);
      return !this.links.locales(documentId).includes(isLocalized(target) ? needed : '-');
    });
  }

  /** Answers the other locales whose drafts hold something else now. */
  write({ kind, documentId, locale, publish, changes }: ContentWrite): readonly string[] {
    const versions = this.#versions(kind, documentId);
    const version = versions.get(locale) ?? { draft: null, published: null };
    const primary: Status = hasDrafts(kind) ? 'draft' : 'published';
    const sibling = [...versions.values()].find((other) => other[primary] !== null)?.[primary] ?? null;
    const before = version[primary] ?? { ...emptyValues(membersOf(kind)), ...(sibling === null ? {} : shared(sibling)) };
    const after = Object.fromEntries(Object.entries(before).map(([name, value]) => [name, changes[name] === undefined ? value : changedValue(value, changes[name])]));
    version[primary] = after;
    if (publish) version.published = after;
    versions.set(locale, version);
    return this.#share(versions, after, publish ? ['draft', 'published'] : [primary]);
  }

  unpublish(documentId: string, locale: string): void {
    const version = this.#documents.get(documentId)?.versions.get(locale);
    if (version !== undefined) version.published = null;
  }

  discard(documentId: string, locale: string): void {
    const versions = this.#documents.get(documentId)?.versions;
    const published = versions?.get(locale)?.published ?? null;
    if (versions === undefined || published === null) return;
    Object.assign(versions.get(locale) ?? {}, { draft: published });
    this.#share(versions, published, ['draft']);
  }

  /** Takes a locale away, or all there is, and with it what points there. Links inside components stay, and show again what comes back. */
  remove(target: Target, documentId: string, locale: string | null): void {
    const left = this.#documents.get(documentId)?.versions;
    if (locale !== null) left?.delete(locale);
    const isGone = locale === null || left === undefined || left.size === 0;
    if (isGone) this.#documents.delete(documentId);
    this.files.delete(documentId);
    const isMeant = (owner: Kind, at: string, member: Member): boolean => {
      if (isGone) return true;
      if (!localizedTarget(target)) return false;
      return isLocalized(owner) ? at === locale : member.kind === 'link' && locale === DEFAULT_LOCALE;
    };
    this.#forget({ target, documentId }, isMeant);
  }

  /** The stored links of a version, those that cannot be seen included. */
  stored(documentId: string, locale: string, name: string): readonly Ref[] {
    const document = this.#documents.get(documentId);
    const version = document?.versions.get(locale);
    return refsOf((document !== undefined && hasDrafts(document.kind) ? version?.draft : version?.published)?.[name]);
  }

  seen(documentId: string, locale: string, status: Status): Seen {
    const document = this.#documents.get(documentId);
    const kind = document?.kind ?? 'plain';
    const values = document?.versions.get(locale)?.[hasDrafts(kind) ? status : 'published'] ?? {};
    const at = { locale, status };
    return Object.fromEntries(Object.entries(membersOf(kind)).map(([name, member]) => [name, this.#show(member, values[name] ?? null, (ref) => this.#isSeen(ref, at, member.kind === 'link'), at)]));
  }

  /** The documents whose `mentions` show this one, as it sees them. */
  mentioning(target: Kind, documentId: string, locale: string, status: Status): readonly string[] {
    return this.links.documents(MORPH_OWNER).filter((owner) => this.links.locales(owner).some((at) => {
      if (locale !== '-' && at !== locale) return false;
      if (!this.links.exists(owner, at, status)) return false;
      return refsOf(this.#documents.get(owner)?.versions.get(at)?.[status]?.['mentions']).some((ref) => ref.target === target && ref.documentId === documentId);
    }));
  }

  #versions(kind: Kind, documentId: string): Map<string, Version> {
    const known = this.#documents.get(documentId) ?? { kind, versions: new Map<string, Version>() };
    this.#documents.set(documentId, known);
    return known.versions;
  }

  #share(versions: ReadonlyMap<string, Version>, values: Values, statuses: readonly Status[]): readonly string[] {
    const changed: string[] = [];
    for (const [locale, version] of versions) {
      if (version.draft !== null && isShownAnew(version.draft, values)) changed.push(locale);
      for (const status of statuses) {
        const content = version[status];
        if (content !== null) version[status] = { ...content, ...shared(values) };
      }
    }
    return changed;
  }

  #forget(gone: Ref, isMeant: (owner: Kind, locale: string, member: Member) => boolean): void {
    for (const { kind, versions } of this.#documents.values()) {
      const members = membersOf(kind);
      for (const [locale, version] of versions) {
        for (const status of ['draft', 'published'] as const) {
          const content = version[status];
          if (content === null) continue;
          version[status] = Object.fromEntries(Object.entries(content).map(([name, value]) => {
            const member = members[name];
            const isList = member?.kind === 'link' || member?.kind === 'morph';
            return [name, isList && isMeant(kind, locale, member) ? refsOf(value).filter(({ documentId }) => documentId !== gone.documentId) : value];
          }));
        }
      }
    }
  }

  /** From a type without locales a link table names the default one; components and polymorphic relations show whatever locale there is. */
  #isSeen({ target, documentId }: Ref, { locale, status }: { readonly locale: string; readonly status: Status }, namesLocale: boolean): boolean {
    if (target === 'file') return this.files.has(documentId);
    if (!isLocalized(target)) return this.links.exists(documentId, '-', status);
    if (locale !== '-') return this.links.exists(documentId, locale, status);
    return namesLocale ? this.links.exists(documentId, DEFAULT_LOCALE, status) : this.links.locales(documentId).some((each) => this.links.exists(documentId, each, status));
  }

  #show(member: Member, value: Value, isSeen: (ref: Ref) => boolean, at: { readonly locale: string; readonly status: Status }): unknown {
    switch (member.kind) {
      case 'text': case 'number': return value;
      case 'link': case 'morph': return refsOf(value).filter(isSeen).map(({ documentId }) => documentId);
      case 'component': case 'zone': return itemsOf(value).map((item) => ({ ...(member.kind === 'zone' ? { component: item.component } : {}), ...this.#showItem(item, at) }));
    }
  }

  #showItem(item: Item, at: { readonly locale: string; readonly status: Status }): Seen {
    return Object.fromEntries(Object.entries(membersOfItem(item)).map(([name, member]) => [name, this.#show(member, item.values[name] ?? null, (ref) => this.#isSeen(ref, at, false), at)]));
  }
}

const shared = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([name]) => SHARED.has(name)));

/** Whether what is shared differs; components that are written again are others, whatever they hold. */
const isShownAnew = (before: Values, after: Values): boolean =>
  Object.keys(shared(before)).some((name) => !isDeepStrictEqual(before[name], after[name]) || (itemsOf(before[name]).length > 0 && before[name] !== after[name]));
