import * as Flags from '@oclif/core/flags';
import { createError } from '../../errors/catalogue.js';
import { requireDrafts, requireLocale } from '../../documents/write-params.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { printTime } from '../access/describe-token.js';
import type { Outcome } from '../outcome.js';
import type { VersionChange } from './change-version.js';
import type { ContentProject } from './content-project.js';
import { parseMoment } from './parse-moment.js';
import { resolveDocument, unknownDocument } from './resolve-document.js';
import { readContent } from './with-content.js';

export const atFlag = {
  at: Flags.string({
    description:
      'Have a server do it then: 2026-12-01T09:00 in the local time zone, 2h, 3d; or never, to take it back.',
    helpValue: '<time>',
  }),
};

const WORDS = {
  publish: { key: 'publishAt', done: 'published' },
  unpublish: { key: 'unpublishAt', done: 'unpublished' },
} as const;

/**
 * Has one document published or unpublished at a time, or no longer.
 *
 * @throws `cli/invalid-usage`, `content/unknown-document`, `request/invalid-parameter`,
 *   `request/invalid-values`
 */
export async function scheduleVersion(
  project: ContentProject,
  action: keyof typeof WORDS,
  { type: name, document, locale, isDryRun, at }: Omit<VersionChange, 'warn'> & { readonly at: string },
): Promise<Outcome> {
  const type = requireLocale(requireDrafts(resolveType(project.model.types, name), action), locale);
  const date = parseMoment(at);
  if (date !== null && date <= new Date())
    throw createError('cli/invalid-usage', {
      reason: '--at must be in the future.',
      remedy: `Without --at, cms content ${action} does it now.`,
    });
  const moment = date?.toISOString() ?? null;
  const { key, done } = WORDS[action];
  return readContent(project, async (store) => {
    const documentId = await resolveDocument(store, type, document);
    const suffix = locale === undefined ? '' : ` in ${locale}`;
    const schedule = await store.schedule(
      type.uid,
      documentId,
      { locale, data: { [key]: moment } },
      { isDryRun },
    );
    if (schedule === null) throw unknownDocument(type, documentId, suffix);
    const would = isDryRun ? 'would be' : 'will be';
    const what =
      moment === null
        ? `${isDryRun ? 'would no longer be' : 'is no longer'} to be ${done}`
        : `${would} ${done} on ${printTime(moment)} UTC`;
    return {
      json: {
        action: 'schedule',
        type: type.uid,
        documentId,
        ...(isDryRun ? { [key]: moment, dryRun: true } : { schedule }),
      },
      text: `${type.uid} ${documentId}${suffix} ${what}.`,
    };
  });
}
