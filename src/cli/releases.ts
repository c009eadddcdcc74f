import * as Args from '@oclif/core/args';
import type { Administration } from '../api/administration/administration.js';
import type { Release, ReleaseEntry } from '../documents/releases/release-context.js';
import { createError } from '../errors/catalogue.js';
import { chunksOf } from '../lib/collections.js';
import type { Plan } from '../transfer/files/plan.js';
import { RELEASE_FILE } from '../transfer/files/release-file.js';
import type { PulledRelease, ReleaseFolder } from '../transfer/files/release-file.js';
import { openContentProject, remoteFlag } from './project/command-target.js';
import type { ContentProject } from './project/command-target.js';
import { withAdministration } from './administration.js';
import { dryRunFlag } from './flags.js';
import type { Outcome } from './outcome.js';
import type { Warn } from './project/with-app.js';
import { printTime } from './terminal/text-layout.js';

/** The argument of commands about one release. */
export const releaseArgument = {
  release: Args.string({ required: true, description: 'Name of the release.' }),
};

/** The flags of commands that change a release. */
export const releaseFlags = { ...remoteFlag, ...dryRunFlag };

/**
 * Runs work with the releases of the project, or of the server in `--remote`.
 *
 * @param site the folder of the project, the flags and the messages of the command
 */
export async function withReleases<T>(
  site: Parameters<typeof openContentProject>,
  work: (releases: Administration['releases'], project: ContentProject) => Promise<T>,
): Promise<T> {
  const project = await openContentProject(...site);
  return withAdministration(project, site[2].warn, ({ releases }) => work(releases, project));
}

/** Returns the outcome of a change of a release: `Published the release spring.` */
export function releaseOutcome(
  release: Release,
  {
    verb,
    done,
    isDryRun,
    suffix = '',
  }: {
    /** `publish` */
    readonly verb: string;
    /** `Published` */
    readonly done: string;
    readonly isDryRun: boolean;
    readonly suffix?: string;
  },
): Outcome {
  return {
    json: isDryRun ? { ...release, dryRun: true } : release,
    text: `${isDryRun ? `Would ${verb}` : done} the release ${release.name}${suffix}.`,
  };
}

/** `api::article.article abc in fr` */
export function printEntry({ type, documentId, locale }: Omit<ReleaseEntry, 'action'>): string {
  return `${type} ${documentId}${locale === null ? '' : ` in ${locale}`}`;
}

/** Returns the state of a release with its time or its failure. */
export function printState({ state, publishAt, publishedAt, error }: Release): string {
  if (state === 'scheduled') return `scheduled for ${printTime(publishAt)} UTC`;
  if (state === 'published') return `published on ${printTime(publishedAt)} UTC`;
  return error === null ? state : `${state}: ${error}`;
}

const contentKeyOf = ({ type, documentId, locale }: Omit<ReleaseEntry, 'action'>): string =>
  [type, documentId, locale ?? ''].join(' ');

/** Returns a release in the form that a pull of its documents needs. */
export async function pulledRelease(
  project: ContentProject,
  warn: Warn,
  name: string,
): Promise<PulledRelease> {
  const { changes } = await withAdministration(project, warn, ({ releases }) => releases.get({ name }));
  const actions = new Map(changes.map((change) => [contentKeyOf(change), change.action]));
  return {
    name,
    actionOf: ({ type, documentId, locale }) =>
      actions.get(contentKeyOf({ type: type.uid, documentId, locale })) ?? null,
  };
}

/** Rejects a push that would delete documents outside of a release, or a release that names missing files. */
export function assertReleaseFolder(
  { unpublish }: ReleaseFolder,
  files: readonly { readonly path: string }[],
  flags: { readonly delete: boolean },
): void {
  if (flags.delete)
    throw createError('cli/invalid-usage', {
      reason: '--delete would delete the documents that the release does not contain.',
      remedy: 'Remove a file to remove its document from the release.',
    });
  const missing = unpublish.find((path) => !files.some((file) => file.path === path));
  if (missing !== undefined)
    throw createError('content/rejected-file', {
      location: RELEASE_FILE,
      reason: `There is no file ${missing}.`,
    });
}

/** Returns the changes of a release whose folder was pushed: one for each file. */
export function releaseChanges(
  { unpublish }: ReleaseFolder,
  { units }: Pick<Plan, 'units'>,
): readonly ReleaseEntry[] {
  return units.map(({ file: { type, documentId, locale, path } }) => ({
    type: type.uid,
    documentId,
    locale,
    action: unpublish.includes(path) ? 'unpublish' : 'publish',
  }));
}

/** The most changes of one request. */
const BATCH_SIZE = 1000;

const toTarget = ({ type, documentId, locale }: ReleaseEntry) => ({
  type,
  documentId,
  ...(locale === null ? {} : { locale }),
});

/** Creates a release, or replaces its changes. */
export async function saveRelease(
  releases: Administration['releases'],
  name: string,
  changes: readonly ReleaseEntry[],
): Promise<Release> {
  const isKnown = (await releases.list({})).some((release) => release.name === name);
  if (!isKnown) await releases.create({ name });
  const former = await releases.get({ name });
  const kept = new Set(changes.map(contentKeyOf));
  const removed = former.changes.filter((change) => !kept.has(contentKeyOf(change)));
  let saved: Release = former;
  for (const chunk of chunksOf(removed, BATCH_SIZE))
    saved = await releases.remove({ name, targets: chunk.map(toTarget) });
  return addChanges(releases, saved, changes);
}

/** Adds changes to a release. */
export async function addChanges(
  releases: Administration['releases'],
  release: Release,
  changes: readonly ReleaseEntry[],
  isDryRun = false,
): Promise<Release> {
  let saved = release;
  for (const chunk of chunksOf(changes, BATCH_SIZE))
    saved = await releases.add({
      name: release.name,
      changes: chunk.map((change) => ({ ...toTarget(change), action: change.action })),
      dryRun: isDryRun,
    });
  return saved;
}
