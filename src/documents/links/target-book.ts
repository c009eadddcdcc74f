import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ContentType, Uid } from '../../model/model.js';
import type { LinkRef } from '../../validation/input.js';
import type { Probe } from '../probe.js';

/** A version of a document somebody wants to link. */
export interface TargetVersion {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly status: string;
}

interface Wanted {
  readonly type: ContentType;
  readonly documentIds: Set<string>;
  readonly ids: Set<number>;
  readonly locales: Set<string>;
  readonly byId: Map<number, string>;
  readonly versions: Map<string, TargetVersion[]>;
  hidden: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** The documents that a write's links name: asked for together, then looked up one by one. */
export interface TargetBook {
  /** Says that a document will be looked up; `locale` is the one it has to exist in. */
  readonly want: (type: ContentType, ref: LinkRef, locale: string) => void;
  readonly ask: (probe: Probe) => void;
  /** From now on these documents are as good as missing. Forgotten when it is asked anew. */
  readonly hide: (type: Uid, documentIds: ReadonlySet<string>) => void;
  readonly isHidden: (type: Uid, ref: LinkRef) => boolean;
  /** The document named, whether or not it exists in a certain locale; null: there is none. */
  readonly find: (type: Uid, ref: LinkRef) => string | null;
  /** Its versions in that locale; empty: it does not exist there. */
  readonly versions: (type: Uid, documentId: string, locale: string) => readonly TargetVersion[];
}

/** Condition that a column names one of the documents, by document id or by the id of one of its versions. */
export function namesOneOf(probe: Probe, type: ContentType, column: RawBuilder<unknown>, refs: readonly Pick<LinkRef, 'documentId' | 'id'>[]): RawBuilder<unknown> {
  const { dialect } = probe;
  const documentIds = refs.flatMap(({ documentId }) => (documentId === null ? [] : [documentId]));
  const ids = refs.flatMap(({ id }) => (id === null ? [] : [id]));
  const named = dialect.among(column, 'text', dialect.encodeList('text', documentIds));
  if (ids.length === 0) return named;
  const numbered = dialect.among(sql`id`, 'integer', dialect.encodeList('integer', ids));
  return sql`(${named} or ${column} in (select document_id from ${sql.id(type.storage.version.table)} where ${numbered}))`;
}

const askType = (probe: Probe, { type, documentIds, ids, locales, byId, versions }: Wanted): void => {
  const { dialect } = probe;
  const refs = [...[...documentIds].map((documentId) => ({ documentId, id: null })), ...[...ids].map((id) => ({ documentId: null, id }))];
  const inLocale = dialect.among(sql`locale`, 'text', dialect.encodeList('text', [...locales]));
  const isWanted = ids.size === 0 ? inLocale : sql`(${inLocale} or ${dialect.among(sql`id`, 'integer', dialect.encodeList('integer', [...ids]))})`;
  probe.add({
    select: { text1: sql`document_id`, text2: sql`locale`, text3: sql`status`, number1: sql`id` },
    from: sql`${sql.id(type.storage.version.table)} where ${namesOneOf(probe, type, sql`document_id`, refs)} and ${isWanted}`,
    onRow: ({ text1, text2, text3, number1 }) => {
      const version = { id: number1 ?? 0, documentId: text1 ?? '', locale: text2 ?? '', status: text3 ?? '' };
      byId.set(version.id, version.documentId);
      const known = versions.get(version.documentId);
      if (known === undefined) versions.set(version.documentId, [version]);
      else known.push(version);
    },
  });
};

/** The document id that a reference comes to; null: there is no such document. */
const nameOf = (wanted: Wanted | undefined, { documentId, id }: LinkRef): string | null => {
  if (id !== null) return wanted?.byId.get(id) ?? null;
  return documentId !== null && wanted?.versions.has(documentId) === true ? documentId : null;
};

export function createTargetBook(): TargetBook {
  const types = new Map<Uid, Wanted>();
  const of = (type: ContentType): Wanted => {
    const known = types.get(type.uid) ?? { type, documentIds: new Set(), ids: new Set(), locales: new Set(), byId: new Map(), versions: new Map(), hidden: NONE };
    types.set(type.uid, known);
    return known;
  };
  return {
    want: (type, { documentId, id }, locale) => {
      const wanted = of(type);
      if (documentId !== null) wanted.documentIds.add(documentId);
      if (id !== null) wanted.ids.add(id);
      wanted.locales.add(locale);
    },
    ask: (probe) => {
      for (const wanted of types.values()) {
        wanted.byId.clear();
        wanted.versions.clear();
        wanted.hidden = NONE;
        askType(probe, wanted);
      }
    },
    hide: (uid, documentIds) => {
      const wanted = types.get(uid);
      if (wanted !== undefined) wanted.hidden = documentIds;
    },
    isHidden: (uid, ref) => {
      const wanted = types.get(uid);
      const documentId = nameOf(wanted, ref);
      return documentId !== null && wanted?.hidden.has(documentId) === true;
    },
    find: (uid, ref) => {
      const wanted = types.get(uid);
      const documentId = nameOf(wanted, ref);
      return documentId === null || wanted?.hidden.has(documentId) === true ? null : documentId;
    },
    versions: (uid, documentId, locale) => (types.get(uid)?.versions.get(documentId) ?? []).filter((version) => version.locale === locale),
  };
}
