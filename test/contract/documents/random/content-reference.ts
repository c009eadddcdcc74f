import { isDeepStrictEqual } from 'node:util';
import { hasDrafts, isLocalized } from '../relation-kinds.js';
import type { Kind, Status } from '../relation-kinds.js';
import type { ReferenceLinks } from '../reference-links.js';
import { MORPH_OWNER, membersOf, SHARED } from './project.js';
import type { Member, Target } from './project.js';
import { changedValue, emptyValues, itemsOf, membersOfItem, refsOf, refsOfChange } from './values.js';
import type { Changes, Item, Ref, Value, Values } from './values.js';

export interface ContentWrite {
  readonly kind: Kind;
  readonly documentId: string;
  /** `-` if the kind has no locales. */
  readonly locale: string;
  readonly publish: boolean;
  readonly changes: Changes;
}

/** One locale of a document. Kinds without drafts have only `published`. */
interface Version {
  draft: Values | null;
  published: Values | null;
}

/** The visible content of a version in the form of {@link readMembers}, with document ids as links. */
export type VisibleContent = Readonly<Record<string, unknown>>;

const localizedTarget = (target: Target): boolean => target !== 'file' && isLocalized(target);

const DEFAULT_LOCALE = 'en';

/**
 * A simple reference implementation of all attributes except two-way relations. Every version has its own
 * copy of all values, and a write copies the shared ones to the other locales. {@link ReferenceLinks} knows
 * which documents and versions exist.
 */
export class ContentReference {
  readonly files = new Set<string>();
  readonly #documents = new Map<string, { readonly kind: Kind; readonly versions: Map<string, Version> }>();

  constructor(private readonly links: ReferenceLinks) {}

  /** True if a write must be refused because a linked document does not exist in the locale. */
  isRejected({ locale, changes }: Pick<ContentWrite, 'locale' | 'changes'>): boolean {
    const requiredLocale = locale === '-' ? DEFAULT_LOCALE : locale;
    return Object.values(changes)
      .flatMap(refsOfChange)
      .some(({ target, documentId }) => {
        if (target === 'file') return !this.files.has(documentId);
        return !this.links.locales(documentId).includes(isLocalized(target) ? requiredLocale : '-');
      });
  }

  /** Returns the locales whose drafts it has changed by a shared value. */
  write({ kind, documentId, locale, publish, changes }: ContentWrite): readonly string[] {
    const versions = this.#versions(kind, documentId);
    const version = versions.get(locale) ?? { draft: null, published: null };
    const primary: Status = hasDrafts(kind) ? 'draft' : 'published';
    const sibling = [...versions.values()].find((other) => other[primary] !== null)?.[primary] ?? null;
    const before = version[primary] ?? {
      ...emptyValues(membersOf(kind)),
      ...(sibling === null ? {} : shared(sibling)),
    };
    const after = Object.fromEntries(
      Object.entries(before).map(([name, value]) => [
        name,
        changes[name] === undefined ? value : changedValue(value, changes[name]),
      ]),
    );
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

  /**
   * Removes a locale, or the whole document if `locale` is null, with the links to it. Links inside
   * components are kept, and are visible again if the locale is created again.
   */
  remove(target: Target, documentId: string, locale: string | null): void {
    const versions = this.#documents.get(documentId)?.versions;
    if (locale !== null) versions?.delete(locale);
    const isDeleted = locale === null || versions === undefined || versions.size === 0;
    if (isDeleted) this.#documents.delete(documentId);
    this.files.delete(documentId);
    const isAffected = (owner: Kind, at: string, member: Member): boolean => {
      if (isDeleted) return true;
      if (!localizedTarget(target)) return false;
      return isLocalized(owner) ? at === locale : member.kind === 'link' && locale === DEFAULT_LOCALE;
    };
    this.#removeLinks({ target, documentId }, isAffected);
  }

  /** Returns the stored links of a version, including invisible ones. */
  stored(documentId: string, locale: string, name: string): readonly Ref[] {
    const document = this.#documents.get(documentId);
    const version = document?.versions.get(locale);
    return refsOf(
      (document !== undefined && hasDrafts(document.kind) ? version?.draft : version?.published)?.[name],
    );
  }

  visible(documentId: string, locale: string, status: Status): VisibleContent {
    const document = this.#documents.get(documentId);
    const kind = document?.kind ?? 'plain';
    const values = document?.versions.get(locale)?.[hasDrafts(kind) ? status : 'published'] ?? {};
    const at = { locale, status };
    return Object.fromEntries(
      Object.entries(membersOf(kind)).map(([name, member]) => [
        name,
        this.#visibleValue(
          member,
          values[name] ?? null,
          (ref) => this.#isVisible(ref, at, member.kind === 'link'),
          at,
        ),
      ]),
    );
  }

  /** Returns the documents that mention this version, as its inverse attribute `mentioned` shows them. */
  mentioning(target: Kind, documentId: string, locale: string, status: Status): readonly string[] {
    return this.links.documents(MORPH_OWNER).filter((owner) =>
      this.links.locales(owner).some((at) => {
        if (locale !== '-' && at !== locale) return false;
        if (!this.links.exists(owner, at, status)) return false;
        return refsOf(this.#documents.get(owner)?.versions.get(at)?.[status]?.['mentions']).some(
          (ref) => ref.target === target && ref.documentId === documentId,
        );
      }),
    );
  }

  #versions(kind: Kind, documentId: string): Map<string, Version> {
    const known = this.#documents.get(documentId) ?? { kind, versions: new Map<string, Version>() };
    this.#documents.set(documentId, known);
    return known.versions;
  }

  #share(
    versions: ReadonlyMap<string, Version>,
    values: Values,
    statuses: readonly Status[],
  ): readonly string[] {
    const changed: string[] = [];
    for (const [locale, version] of versions) {
      if (version.draft !== null && hasSharedChanges(version.draft, values)) changed.push(locale);
      for (const status of statuses) {
        const content = version[status];
        if (content !== null) version[status] = { ...content, ...shared(values) };
      }
    }
    return changed;
  }

  #removeLinks(deleted: Ref, isAffected: (owner: Kind, locale: string, member: Member) => boolean): void {
    for (const { kind, versions } of this.#documents.values()) {
      const members = membersOf(kind);
      for (const [locale, version] of versions) {
        for (const status of ['draft', 'published'] as const) {
          const content = version[status];
          if (content === null) continue;
          version[status] = Object.fromEntries(
            Object.entries(content).map(([name, value]) => {
              const member = members[name];
              const isList = member?.kind === 'link' || member?.kind === 'morph';
              return [
                name,
                isList && isAffected(kind, locale, member)
                  ? refsOf(value).filter(({ documentId }) => documentId !== deleted.documentId)
                  : value,
              ];
            }),
          );
        }
      }
    }
  }

  /**
   * From a type without locales, a link table links the default locale. Components and polymorphic relations
   * show a document that exists in any locale.
   *
   * @param namesLocale whether the link is in such a table
   */
  #isVisible(
    { target, documentId }: Ref,
    { locale, status }: { readonly locale: string; readonly status: Status },
    namesLocale: boolean,
  ): boolean {
    if (target === 'file') return this.files.has(documentId);
    if (!isLocalized(target)) return this.links.exists(documentId, '-', status);
    if (locale !== '-') return this.links.exists(documentId, locale, status);
    return namesLocale
      ? this.links.exists(documentId, DEFAULT_LOCALE, status)
      : this.links.locales(documentId).some((each) => this.links.exists(documentId, each, status));
  }

  #visibleValue(
    member: Member,
    value: Value,
    isVisible: (ref: Ref) => boolean,
    at: { readonly locale: string; readonly status: Status },
  ): unknown {
    switch (member.kind) {
      case 'text':
      case 'number':
        return value;
      case 'link':
      case 'morph':
        return refsOf(value)
          .filter(isVisible)
          .map(({ documentId }) => documentId);
      case 'component':
      case 'zone':
        return itemsOf(value).map((item) => ({
          ...(member.kind === 'zone' ? { component: item.component } : {}),
          ...this.#visibleItem(item, at),
        }));
    }
  }

  #visibleItem(item: Item, at: { readonly locale: string; readonly status: Status }): VisibleContent {
    return Object.fromEntries(
      Object.entries(membersOfItem(item)).map(([name, member]) => [
        name,
        this.#visibleValue(member, item.values[name] ?? null, (ref) => this.#isVisible(ref, at, false), at),
      ]),
    );
  }
}

const shared = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => SHARED.has(name)));

/** True if shared values differ. Components that were written again always count as different. */
const hasSharedChanges = (before: Values, after: Values): boolean =>
  Object.keys(shared(before)).some(
    (name) =>
      !isDeepStrictEqual(before[name], after[name]) ||
      (itemsOf(before[name]).length > 0 && before[name] !== after[name]),
  );
