import { createError } from '../../errors/catalogue.js';
import { chunksOf, groupBy } from '../../lib/collections.js';
import { isStorableText } from '../../model/fields/text-value.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { Uid } from '../../model/model.js';
import { parseReadQuery } from '../../query/parse/parse-read-query.js';
import { FULL_ACCESS } from '../../query/read-access.js';
import { SERVER_LIMITS, invalidParameter } from '../../query/read-context.js';
import { joinTransaction } from '../document-context.js';
import type { DocumentHooks } from '../hooks.js';
import type { startScheduleRunner } from '../schedules/schedule-documents.js';
import { requireDrafts, requireLocale, resolveLocale } from '../write/write-params.js';
import {
  checkRelease,
  diffRelease,
  publishRelease,
  publishableItems,
  revertRelease,
} from './publish-release.js';
import type { ReleaseDifference } from './publish-release.js';
import {
  assertMayChange,
  assertOpen,
  changeRelease,
  findRelease,
  isReleaseName,
  lockReleases,
  namedIn,
  toEntry,
  toPublic,
  visibleItems,
} from './release-context.js';
import type {
  Release,
  ReleaseContext,
  ReleaseDependencies,
  ReleaseEntry,
  ReleaseProblem,
} from './release-context.js';
import { createReleaseStore } from './release-store.js';
import type { ReleaseAction, ReleaseTarget } from './release-store.js';

/** A document to add or remove, as a caller names it. */
interface NamedTarget {
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

const CHUNK_SIZE = 500;

const contextOf = ({
  clock = () => new Date(),
  assertMayUpdate = () => undefined,
  access,
  log,
  ...dependencies
}: ReleaseDependencies): ReleaseContext => ({
  ...dependencies,
  log,
  clock,
  assertMayUpdate,
  access,
  store: createReleaseStore(dependencies.database),
});

/** @throws `request/invalid-parameter`, `request/no-drafts`, `request/unknown-locale` */
const targetOf = (
  { model, locales }: ReleaseContext,
  { type: uid, documentId, locale }: NamedTarget,
  verb: string,
): ReleaseTarget => {
  if (!Object.hasOwn(model.typesByUid, uid))
    throw invalidParameter('type', 'it must be the uid of a content-type.');
  if (!isStorableText(documentId)) throw invalidParameter('documentId', 'it must be a text.');
  const type = requireLocale(requireDrafts(typeOf(model, uid), verb), locale);
  return { type: uid, documentId, locale: resolveLocale({ locales }, type, locale) };
};

/** Returns the documents that have a draft in a locale, and that the caller may see. */
const findDrafts = async (
  { model, documents, locales, access = FULL_ACCESS }: ReleaseContext,
  { type, locale }: Pick<ReleaseTarget, 'type' | 'locale'>,
  documentIds: readonly string[],
): Promise<ReadonlySet<unknown>> => {
  const query = parseReadQuery(
    model,
    type,
    {
      fields: ['documentId'],
      filters: { documentId: { $in: documentIds } },
      status: 'draft',
      ...(locale === NO_LOCALE ? {} : { locale }),
    },
    { access, limits: SERVER_LIMITS, defaultLocale: locales.defaultCode(), paginated: false },
  );
  const { records } = await documents.findMany(query);
  return new Set(
    records.map((record) => (JSON.parse(record) as { readonly documentId: unknown }).documentId),
  );
};

/** @throws `release/unknown-document`, `request/drafts-forbidden` */
const assertDrafts = async (context: ReleaseContext, targets: readonly ReleaseTarget[]): Promise<void> => {
  for (const group of groupBy(targets, ({ type, locale }) => `${type} ${locale}`).values())
    for (const chunk of chunksOf(group, CHUNK_SIZE)) {
      const [first] = chunk;
      if (first === undefined) continue;
      const found = await findDrafts(
        context,
        first,
        chunk.map(({ documentId }) => documentId),
      );
      const missing = chunk.find(({ documentId }) => !found.has(documentId));
      if (missing === undefined) continue;
      const location = missing.locale === NO_LOCALE ? '' : ` in ${missing.locale}`;
      throw createError('release/unknown-document', { ...missing, location });
    }
};

/** @throws `release/invalid-name`, `release/exists` */
const createRelease = async (context: ReleaseContext, name: string): Promise<Release> => {
  if (!isReleaseName(name)) throw createError('release/invalid-name', { name: name.slice(0, 64) });
  return lockReleases(context, { action: 'create', name }, async (tx) => {
    const { store, clock } = context;
    if ((await store.find(name)) !== null) throw createError('release/exists', namedIn({ name }));
    await store.create(tx, name, clock().getTime());
    return toPublic(await findRelease(context, name));
  });
};

/** Creates the operations on releases for one caller. */
export function createReleases(dependencies: ReleaseDependencies): Releases {
  const context = contextOf(dependencies);
  const { store, clock } = context;
  return {
    list: async () => (await store.list()).map(toPublic),
    get: async (name) => {
      const release = await findRelease(context, name);
      return { ...toPublic(release), changes: (await visibleItems(context, release)).map(toEntry) };
    },
    create: (name) => createRelease(context, name),
    add: (name, changes) =>
      changeRelease(context, { action: 'add', name }, async (tx, release) => {
        assertOpen(release);
        const added = changes.map(({ action, ...target }) => ({
          ...targetOf(context, target, action),
          action,
        }));
        assertMayChange(context, added);
        await assertDrafts(context, added);
        await store.add(tx, release.id, added);
      }),
    remove: (name, targets) =>
      changeRelease(context, { action: 'remove', name }, async (tx, release) => {
        assertOpen(release);
        const removed = targets.map((target) => targetOf(context, target, 'release'));
        await store.removeItems(tx, release.id, removed);
      }),
    delete: (name) =>
      lockReleases(context, { action: 'delete', name }, async (tx) => {
        const release = await findRelease(context, name);
        await store.remove(tx, release.id);
        return toPublic(release);
      }),
    schedule: (name, at) =>
      changeRelease(context, { action: 'schedule', name }, async (tx, release) => {
        await publishableItems(context, release);
        if (at !== null && at <= clock()) throw invalidParameter('at', 'it must be in the future.');
        await store.update(tx, release.id, { at: at === null ? null : at.getTime(), error: null });
      }),
    check: (name) => checkRelease(context, name),
    diff: (name) => diffRelease(context, name),
    publish: (name) => publishRelease(context, name),
    revert: (name, options) => revertRelease(context, name, options),
  };
}

/** Creates the part of releases that a server runs at their times. */
export function createDueReleases(
  dependencies: ReleaseDependencies,
): NonNullable<Parameters<typeof startScheduleRunner>[0]['releases']> {
  const context = contextOf(dependencies);
  const { database, store } = context;
  return {
    due: store.due,
    publish: (name, now) =>
      joinTransaction(database, async () => {
        if (!(await store.due(now)).includes(name)) return false;
        await publishRelease(context, name);
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
      for (const deleted of groupBy(events, ({ type, locale }) => `${type} ${locale}`).values()) {
        const [first] = deleted;
        if (first === undefined) continue;
        const documentIds = deleted.map(({ documentId }) => documentId);
        await store.removeDocuments(tx, { type: first.type, documentIds, locale: first.locale });
      }
    },
    model.types.filter(({ draftAndPublish }) => draftAndPublish).map(({ uid }) => uid),
  );
}
