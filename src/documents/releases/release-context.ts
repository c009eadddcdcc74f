/** The folder releases publishes changes of documents together. This file defines their form for callers. */
import type { Database, Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import type { ValidationIssue } from '../../errors/galley-error.js';
import { didYouMean } from '../../lib/nearest.js';
import { shellWord } from '../../lib/text.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { hidesDrafts } from '../../query/read-access.js';
import type { ReadAccess } from '../../query/read-access.js';
import { joinTransaction } from '../document-context.js';
import type { DocumentService, Locales } from '../documents.js';
import type { WriteLog } from '../log/write-log.js';
import { assertCoversLocale, assertCoversPublished } from '../write/write-limits.js';
import type {
  ReleaseAction,
  ReleaseChange,
  ReleaseItem,
  ReleaseStore,
  ReleaseTarget,
  StoredRelease,
} from './release-store.js';

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
  /** Absent: changes of releases are not logged. */
  readonly log?: Pick<WriteLog, 'record'> | undefined;
}

/** The dependencies with their defaults, and the store. */
export interface ReleaseContext extends Required<Omit<ReleaseDependencies, 'access' | 'log'>> {
  readonly access: ReadAccess | undefined;
  readonly log: Pick<WriteLog, 'record'> | undefined;
  readonly store: ReleaseStore;
}

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const stateOf = ({ publishedAt, revertedAt, error, at }: StoredRelease): Release['state'] => {
  if (publishedAt !== null) return 'published';
  if (error !== null) return 'failed';
  if (at !== null) return 'scheduled';
  return revertedAt === null ? 'open' : 'reverted';
};

/** Returns a release in the form that clients see. */
export const toPublic = (release: StoredRelease): Release => ({
  name: release.name,
  state: stateOf(release),
  items: release.items,
  createdAt: new Date(release.createdAt).toISOString(),
  publishAt: timeOf(release.at),
  publishedAt: timeOf(release.publishedAt),
  error: release.error,
});

/** Returns a change in the form that clients see. */
export const toEntry = ({ type, documentId, locale, action }: ReleaseChange): ReleaseEntry => ({
  type,
  documentId,
  locale: locale === NO_LOCALE ? null : locale,
  action,
});

/** `api::article.article abc in fr` */
export const describeTarget = ({ type, documentId, locale }: ReleaseTarget): string =>
  `${type} ${documentId}${locale === NO_LOCALE ? '' : ` in ${locale}`}`;

/** Returns the parameters of errors about a release. */
export const namedIn = ({ name }: { readonly name: string }) => ({ name, word: shellWord(name) });

const MAX_NAME_LENGTH = 64;
const NAME = /^[\w-]{1,64}$/;

/** True if a release can have the name. */
export function isReleaseName(name: string): boolean {
  return NAME.test(name);
}

/** @throws `release/unknown` with the nearest name */
export async function findRelease({ store }: ReleaseContext, name: string): Promise<StoredRelease> {
  const found = isReleaseName(name) ? await store.find(name) : null;
  if (found !== null) return found;
  const names = (await store.list()).map((release) => release.name);
  const shown = name.slice(0, MAX_NAME_LENGTH);
  throw createError('release/unknown', {
    name: shown,
    remedy: didYouMean(shown, names, 'See: cms release list'),
  });
}

/** @throws `release/published` */
export function assertOpen(release: StoredRelease): void {
  if (release.publishedAt !== null) throw createError('release/published', namedIn(release));
}

/** A change of a release, as the log names it. */
interface NamedChange {
  readonly action: 'create' | 'add' | 'remove' | 'delete' | 'schedule' | 'publish' | 'revert';
  readonly name: string;
}

/** Runs work in a transaction that no other one joins which changes releases, and logs it. */
export function lockReleases<T>(
  { database, log }: Pick<ReleaseContext, 'database' | 'log'>,
  { action, name }: NamedChange,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return joinTransaction(database, () =>
    database.transact(async (tx) => {
      await tx.lock('cms_releases');
      const result = await work(tx);
      await log?.record(tx, [{ action: `releases.${action}`, target: name }]);
      return result;
    }),
  );
}

/** Changes a release, which no other transaction changes meanwhile. Returns the changed release. */
export function changeRelease(
  context: ReleaseContext,
  change: NamedChange,
  work: (tx: Transaction, release: StoredRelease) => Promise<void>,
): Promise<Release> {
  return lockReleases(context, change, async (tx) => {
    await work(tx, await findRelease(context, change.name));
    return toPublic(await findRelease(context, change.name));
  });
}

/** Returns the changes of a release that the caller may see. */
export async function visibleItems(
  { store, model, access }: ReleaseContext,
  { id }: StoredRelease,
): Promise<readonly ReleaseItem[]> {
  const isVisible = ({ type: uid }: ReleaseTarget): boolean => {
    const type = model.typesByUid[uid];
    if (type === undefined || access === undefined) return type !== undefined;
    return access.canFind(uid) && !hidesDrafts(access, type);
  };
  return (await store.items(id)).filter(isVisible);
}

/**
 * Asserts that the caller may make the changes of a release. A server makes them at the release's time.
 *
 * @throws `request/forbidden` unless the caller may update all types, `request/drafts-only`,
 *   `request/locale-forbidden`
 */
export function assertMayChange(
  { access, assertMayUpdate }: ReleaseContext,
  targets: readonly ReleaseTarget[],
): void {
  for (const type of new Set(targets.map((target) => target.type))) assertMayUpdate(type);
  for (const { type: uid, locale } of targets) {
    const scope = access?.scopeOf?.(uid, 'update') ?? null;
    assertCoversPublished({ uid }, scope, 'a release publishes and unpublishes');
    if (locale !== NO_LOCALE) assertCoversLocale({ uid }, scope, locale);
  }
}
