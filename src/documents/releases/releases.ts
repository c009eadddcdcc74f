/** Releases: changes of documents that are published together, and can be reverted together. */
import { isDeepStrictEqual } from 'node:util';
import type { Database, Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError, ValidationIssue } from '../../errors/galley-error.js';
import { chunksOf, groupBy } from '../../lib/collections.js';
import { didYouMean } from '../../lib/nearest.js';
import { isRecord } from '../../lib/records.js';
import { shellWord } from '../../lib/text.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { isStorableText } from '../../model/fields/text-value.js';
import { parseReadQuery } from '../../query/parse/parse-read-query.js';
import { IDS_ONLY } from '../../query/query.js';
import { FULL_ACCESS, hidesDrafts } from '../../query/read-access.js';
import type { ReadAccess } from '../../query/read-access.js';
import { SERVER_LIMITS, invalidParameter } from '../../query/read-context.js';
import { joinTransaction } from '../document-context.js';
import type { BulkItem, DocumentService, Locales } from '../documents.js';
import type { DocumentHooks } from '../hooks.js';
import type { startScheduleRunner } from '../schedules/schedule-documents.js';
import { requireDrafts, requireLocale, resolveLocale } from '../write/write-params.js';
import { keepReplaced, keepWritten, readVersions, targetKeyOf } from './release-contents.js';
import { createReleaseStore } from './release-store.js';
import type {
  ReleaseAction,
  ReleaseChange,
  ReleaseItem,
  ReleaseTarget,
  StoredRelease,
} from './release-store.js';
import { planRevert, restoreReplaced } from './revert-release.js';

/** A release in the form that clients see. Times are ISO text. */
export interface Release {
  readonly name: string;
  readonly state: 'open' | 'scheduled' | 'failed' | 'published' | 'reverted';
  /** The number of its changes. */
  readonly items: number;
  readonly createdAt: string;
  /** When a server publishes it. */
  readonly publishAt: string | null;
  readonly publishedAt: string | null;
  /** Reason that it could not be published at its time. */
  readonly error: string | null;
}

/** The change of one locale of a document, in the form that clients see. */
export interface ReleaseEntry {
  readonly type: Uid;
  readonly documentId: string;
  /** Null if its type is not localised. */
  readonly locale: string | null;
  readonly action: ReleaseAction;
}

/** A change that would fail. */
export interface ReleaseProblem extends ReleaseEntry {
  readonly reason: string;
  readonly errors: readonly ValidationIssue[];
}

/** The effect of a change on one attribute. */
interface AttributeChange {
  readonly attribute: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The effect of a change. */
export interface ReleaseDifference extends ReleaseEntry {
  /** True if the document is not published before. */
  readonly isNew: boolean;
  readonly attributes: readonly AttributeChange[];
}

/** A document to add or remove, as a caller names it. */
export interface NamedTarget {
  readonly type: Uid;
  readonly documentId: string;
  /** Default: the default locale. */
  readonly locale?: string | undefined;
}

/** Manages the releases of a database for one caller. */
export interface Releases {
  readonly list: () => Promise<readonly Release[]>;
  /** Returns a release with the changes that the caller may see. */
  readonly get: (name: string) => Promise<Release & { readonly changes: readonly ReleaseEntry[] }>;
  readonly create: (name: string) => Promise<Release>;
  /** Adds changes. A change of the same locale of a document is replaced. */
  readonly add: (
    name: string,
    changes: readonly (NamedTarget & { readonly action: ReleaseAction })[],
  ) => Promise<Release>;
  readonly remove: (name: string, targets: readonly NamedTarget[]) => Promise<Release>;
  readonly delete: (name: string) => Promise<Release>;
  /** Sets the time at which a server publishes it; null cancels that. */
  readonly schedule: (name: string, at: Date | null) => Promise<Release>;
  /** Returns the changes that would fail. Call it in a transaction that is rolled back. */
  readonly check: (name: string) => Promise<readonly ReleaseProblem[]>;
  readonly diff: (name: string) => Promise<readonly ReleaseDifference[]>;
  /** Makes all changes in one transaction, or none. */
  readonly publish: (name: string) => Promise<Release>;
  /** Restores the published versions that the release replaced, in one transaction. */
  readonly revert: (name: string, options: { readonly isForced: boolean }) => Promise<Release>;
}

export interface ReleaseDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly documents: DocumentService;
  readonly locales: Locales;
  readonly clock?: () => Date;
  /** The rights of a client. Absent: the server or a command calls. */
  readonly access?: ReadAccess | undefined;
  /** Throws unless the caller may update documents of the type. Absent: it may. */
  readonly assertMayUpdate?: (type: Uid) => void;
}

const NAME = /^[\w-]{1,64}$/;
const CHUNK_SIZE = 500;

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const stateOf = ({ publishedAt, revertedAt, error, at }: StoredRelease): Release['state'] => {
  if (publishedAt !== null) return 'published';
  if (error !== null) return 'failed';
  if (at !== null) return 'scheduled';
  return revertedAt === null ? 'open' : 'reverted';
};

const toPublic = (release: StoredRelease): Release => ({
  name: release.name,
  state: stateOf(release),
  items: release.items,
  createdAt: new Date(release.createdAt).toISOString(),
  publishAt: timeOf(release.at),
  publishedAt: timeOf(release.publishedAt),
  error: release.error,
});

const toEntry = ({ type, documentId, locale, action }: ReleaseChange): ReleaseEntry => ({
  type,
  documentId,
  locale: locale === NO_LOCALE ? null : locale,
  action,
});

const describe = ({ type, documentId, locale }: ReleaseTarget): string =>
  `${type} ${documentId}${locale === NO_LOCALE ? '' : ` in ${locale}`}`;

const named = ({ name }: { readonly name: string }) => ({ name, word: shellWord(name) });

/** Returns the write that makes a change. */
const toBulkItem = (
  { type, documentId, locale, action }: ReleaseChange,
  access: ReadAccess | undefined,
): BulkItem => ({
  action,
  params: {
    type,
    documentId,
    locale: locale === NO_LOCALE ? undefined : locale,
    access,
    selection: IDS_ONLY,
  },
});

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

const parseContent = (text: string | undefined): Readonly<Record<string, unknown>> => {
  const content: unknown = text === undefined ? NOTHING : JSON.parse(text);
  return isRecord(content) ? content : NOTHING;
};

const attributeChanges = (
  before: string | undefined,
  after: string | undefined,
): readonly AttributeChange[] => {
  const [left, right] = [parseContent(before), parseContent(after)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((attribute) => {
    const [from, to] = [left[attribute] ?? null, right[attribute] ?? null];
    return isDeepStrictEqual(from, to) ? [] : [{ attribute, before: from, after: to }];
  });
};

/** Creates the operations on releases for one caller. */
export function createReleases(dependencies: ReleaseDependencies): Releases {
  const { database, model, documents, locales, access, clock = () => new Date() } = dependencies;
  const { assertMayUpdate = () => undefined } = dependencies;
  const store = createReleaseStore(database);

  const find = async (name: string): Promise<StoredRelease> => {
    const found = await store.find(name);
    if (found !== null) return found;
    const names = (await store.list()).map((release) => release.name);
    throw createError('release/unknown', { name, remedy: didYouMean(name, names, 'See: cms release list') });
  };
  const assertOpen = (release: StoredRelease): void => {
    if (release.publishedAt !== null) throw createError('release/published', named(release));
  };
  /** Runs work on a release that no other transaction changes meanwhile. */
  const change = (
    name: string,
    work: (tx: Transaction, release: StoredRelease) => Promise<void>,
  ): Promise<Release> =>
    joinTransaction(database, () =>
      database.transact(async (tx) => {
        await tx.lock('cms_releases');
        await work(tx, await find(name));
        return toPublic(await find(name));
      }),
    );
  const targetOf = ({ type: uid, documentId, locale }: NamedTarget, verb: string): ReleaseTarget => {
    if (!Object.hasOwn(model.typesByUid, uid))
      throw invalidParameter('type', 'it must be the uid of a content-type.');
    if (!isStorableText(documentId)) throw invalidParameter('documentId', 'it must be a text.');
    const type = requireLocale(requireDrafts(typeOf(model, uid), verb), locale);
    return { type: uid, documentId, locale: resolveLocale({ locales }, type, locale) };
  };
  const assertDrafts = async (targets: readonly ReleaseTarget[]): Promise<void> => {
    for (const group of groupBy(targets, ({ type, locale }) => `${type} ${locale}`).values())
      for (const chunk of chunksOf(group, CHUNK_SIZE)) {
        const [{ type, locale }] = chunk as readonly [ReleaseTarget];
        const query = parseReadQuery(
          model,
          type,
          {
            fields: ['documentId'],
            filters: { documentId: { $in: chunk.map(({ documentId }) => documentId) } },
            status: 'draft',
            ...(locale === NO_LOCALE ? {} : { locale }),
          },
          {
            access: access ?? FULL_ACCESS,
            limits: SERVER_LIMITS,
            defaultLocale: locales.defaultCode(),
            paginated: false,
          },
        );
        const { records } = await documents.findMany(query);
        const found = new Set(records.map((record) => parseContent(record)['documentId']));
        const missing = chunk.find(({ documentId }) => !found.has(documentId));
        if (missing === undefined) continue;
        const location = locale === NO_LOCALE ? '' : ` in ${locale}`;
        throw createError('release/unknown-document', { ...missing, location });
      }
  };
  const isVisible = ({ type: uid }: ReleaseTarget): boolean => {
    const type = model.typesByUid[uid];
    if (type === undefined || access === undefined) return type !== undefined;
    return access.canFind(uid) && !hidesDrafts(access, type);
  };
  const itemsOf = async ({ id }: StoredRelease): Promise<readonly ReleaseItem[]> => store.items(id);
  /** Runs the changes, and returns those that failed. */
  const runItems = async (items: readonly ReleaseItem[]): Promise<readonly ReleaseProblem[]> => {
    const known = items.filter(({ type }) => model.typesByUid[type]?.draftAndPublish === true);
    const outcomes = await documents.bulk({
      items: known.map((item) => toBulkItem(item, access)),
      atomic: false,
    });
    return known.flatMap((item, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined || !('error' in outcome)) return [];
      const { message, details } = outcome.error;
      return [{ ...toEntry(item), reason: message, errors: details.errors ?? [] }];
    });
  };
  const invalidRelease = (
    release: StoredRelease,
    problems: readonly ReleaseProblem[],
    total: number,
  ): GalleyError | null => {
    const [first] = problems;
    if (first === undefined) return null;
    const item = describe({ ...first, locale: first.locale ?? NO_LOCALE });
    const params = { ...named(release), failed: problems.length, total, item, reason: first.reason };
    return createError('release/invalid', params, { details: { problems } });
  };
  const publishableItems = async (release: StoredRelease): Promise<readonly ReleaseItem[]> => {
    assertOpen(release);
    const items = await itemsOf(release);
    if (items.length === 0) throw createError('release/empty', named(release));
    for (const type of new Set(items.map((item) => item.type))) assertMayUpdate(type);
    return items;
  };

  return {
    list: async () => (await store.list()).map(toPublic),
    get: async (name) => {
      const release = await find(name);
      const changes = (await itemsOf(release)).filter(isVisible).map(toEntry);
      return { ...toPublic(release), changes };
    },
    create: async (name) => {
      if (!NAME.test(name)) throw createError('release/invalid-name', { name: name.slice(0, 64) });
      return joinTransaction(database, () =>
        database.transact(async (tx) => {
          await tx.lock('cms_releases');
          if ((await store.find(name)) !== null) throw createError('release/exists', named({ name }));
          await store.create(tx, name, clock().getTime());
          return toPublic(await find(name));
        }),
      );
    },
    add: (name, changes) =>
      change(name, async (tx, release) => {
        assertOpen(release);
        const added = changes.map((item) => ({ ...targetOf(item, item.action), action: item.action }));
        for (const type of new Set(added.map((item) => item.type))) assertMayUpdate(type);
        await assertDrafts(added);
        await store.add(tx, release.id, added);
      }),
    remove: (name, targets) =>
      change(name, async (tx, release) => {
        assertOpen(release);
        await store.removeItems(
          tx,
          release.id,
          targets.map((target) => targetOf(target, 'release')),
        );
      }),
    delete: async (name) => {
      const release = await find(name);
      await joinTransaction(database, () => database.transact((tx) => store.remove(tx, release.id)));
      return toPublic(release);
    },
    schedule: (name, at) =>
      change(name, async (tx, release) => {
        await publishableItems(release);
        if (at !== null && at <= clock()) throw invalidParameter('at', 'it must be in the future.');
        await store.update(tx, release.id, { at: at === null ? null : at.getTime(), error: null });
      }),
    check: async (name) => {
      const items = await publishableItems(await find(name));
      return runItems(items);
    },
    diff: async (name) => {
      const release = await find(name);
      const items = (await itemsOf(release)).filter(isVisible);
      const context = { database, model };
      const published = await readVersions(context, items, 'published');
      const drafts = await readVersions(
        context,
        items.filter(({ action }) => action === 'publish'),
        'draft',
      );
      const isDone = release.publishedAt !== null;
      return items.map((item) => {
        const key = targetKeyOf(item);
        const current = published.get(key)?.content;
        const before = isDone ? (item.content ?? undefined) : current;
        const after = isDone ? current : drafts.get(key)?.content;
        return { ...toEntry(item), isNew: before === undefined, attributes: attributeChanges(before, after) };
      });
    },
    publish: (name) =>
      change(name, async (tx, release) => {
        const items = await publishableItems(release);
        await keepReplaced({ database, model }, tx, release.id, items);
        const error = invalidRelease(release, await runItems(items), items.length);
        if (error !== null) throw error;
        await keepWritten({ database, model }, tx, release.id, items);
        const done = { publishedAt: clock().getTime(), at: null, revertedAt: null, error: null };
        await store.update(tx, release.id, done);
      }),
    revert: (name, { isForced }) =>
      change(name, async (tx, release) => {
        if (release.publishedAt === null) throw createError('release/not-published', named(release));
        const items = await itemsOf(release);
        for (const type of new Set(items.map((item) => item.type))) assertMayUpdate(type);
        const context = { database, model, documents, access };
        const plan = await planRevert(context, items);
        const [first] = plan.changed;
        if (first !== undefined && !isForced)
          throw createError(
            'release/changed',
            { ...named(release), count: plan.changed.length, item: describe(first) },
            { details: { changes: plan.changed.map(toEntry) } },
          );
        const failure = await restoreReplaced(context, plan);
        if (failure !== null)
          throw createError('release/not-reverted', {
            ...named(release),
            item: describe(failure.item),
            reason: failure.error.message,
          });
        await store.update(tx, release.id, { publishedAt: null, revertedAt: clock().getTime() });
      }),
  };
}

/** Creates the part of releases that a server runs at their times. */
export function createDueReleases(
  dependencies: ReleaseDependencies,
): NonNullable<Parameters<typeof startScheduleRunner>[0]['releases']> {
  const { database } = dependencies;
  const store = createReleaseStore(database);
  const { publish } = createReleases(dependencies);
  return {
    due: store.due,
    publish: (name, now) =>
      joinTransaction(database, async () => {
        if (!(await store.due(now)).includes(name)) return false;
        await publish(name);
        return true;
      }),
    fail: async (name, reason) => {
      await database.transact(async (tx) => {
        const found = await store.find(name);
        if (found !== null) await store.update(tx, found.id, { error: reason });
      });
    },
  };
}

/** Removes the changes of deleted documents from releases. */
export function removeFromReleases({
  database,
  model,
  hooks,
}: Pick<ReleaseDependencies, 'database' | 'model'> & {
  readonly hooks: Pick<DocumentHooks, 'observe'>;
}): void {
  const store = createReleaseStore(database);
  hooks.observe(
    'delete',
    async (events, tx) => {
      for (const { type, documentId, locale } of events)
        await store.removeDocuments(tx, { type, documentIds: [documentId], locale });
    },
    model.types.filter(({ draftAndPublish }) => draftAndPublish).map(({ uid }) => uid),
  );
}
