import * as Flags from '@oclif/core/flags';
import { remoteFlag } from './content-project.js';
import type { ContentProject } from './content-project.js';
import type { ContentWrite } from '../../transfer/store/content-store.js';
import { draftVerb, requireDrafts, requireLocale } from '../../documents/write-params.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { dryRunFlag } from '../arguments/flags.js';
import type { Outcome } from '../outcome.js';
import type { Warn } from '../project/with-app.js';
import { resolveDocument } from './resolve-document.js';
import { runWrites } from './run-write.js';
import { openContent } from './with-content.js';

type DraftAction = Exclude<ContentWrite['action'], 'create' | 'update' | 'delete'>;

const WORDS: Readonly<Record<DraftAction, { readonly done: string; readonly planned: string }>> = {
  publish: { done: 'Published', planned: 'Would publish' },
  unpublish: { done: 'Unpublished', planned: 'Would unpublish' },
  discardDraft: { done: 'Discarded the draft of', planned: 'Would discard the draft of' },
};

export interface VersionChange {
  /** The content-type's uid or short name. */
  readonly type: string;
  /** The documentId or another name. Undefined for single types. */
  readonly document: string | undefined;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
  readonly isDryRun: boolean;
  readonly warn: Warn;
}

export const versionChangeFlags = {
  locale: Flags.string({ description: 'The locale of the version. [default: the default locale]' }),
  ...remoteFlag,
  ...dryRunFlag,
};

/**
 * Publishes or unpublishes one document, or discards its draft, as the server would: with the project's
 * hooks, in one transaction.
 *
 * @throws `content/unknown-document`, `request/invalid-parameter`, `request/unknown-locale`, and the errors
 *   of validating the draft
 */
export async function changeVersion(
  project: ContentProject,
  action: DraftAction,
  { type: name, document, locale, isDryRun, warn }: VersionChange,
): Promise<Outcome> {
  const type = requireLocale(
    requireDrafts(resolveType(project.model.types, name), draftVerb(action)),
    locale,
  );
  return openContent(project, { warn, isDryRun }, async (store) => {
    const documentId = await resolveDocument(store, type, document);
    const write = { action, documentId, ...(locale === undefined ? {} : { locale }) };
    const [written] = await runWrites(store, type, [write], isDryRun);
    const { done, planned } = WORDS[action];
    const suffix = locale === undefined ? '' : ` in ${locale}`;
    return {
      json: isDryRun
        ? { action, type: type.uid, documentId, dryRun: true }
        : { action, type: type.uid, document: written?.document ?? null },
      text: `${isDryRun ? planned : done} ${type.uid} ${documentId}${suffix}.`,
    };
  });
}
