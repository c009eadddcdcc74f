import * as Args from '@oclif/core/args';
import type { Administration } from '../api/administration/administration.js';
import type { Release, ReleaseEntry } from '../documents/releases/releases.js';
import { openContentProject, remoteFlag } from './project/command-target.js';
import type { ContentProject } from './project/command-target.js';
import { withAdministration } from './administration.js';
import { dryRunFlag } from './flags.js';
import type { Outcome } from './outcome.js';
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
