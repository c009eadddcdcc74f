import * as Flags from '@oclif/core/flags';
import { remoteFlag } from './content-project.js';
import type { ContentProject } from './content-project.js';
import type { ContentStore, ContentWrite } from '../../transfer/store/content-store.js';
import { requireLocale } from '../../documents/write-params.js';
import type { ContentType } from '../../model/model.js';
import { dryRunFlag } from '../arguments/flags.js';
import type { Outcome } from '../outcome.js';
import type { Warn } from '../project/with-app.js';
import { runWrites } from './run-write.js';
import { openContent } from './with-content.js';

export const saveFlags = {
  locale: Flags.string({ description: 'The locale to write. [default: the default locale]' }),
  publish: Flags.boolean({ description: 'Publish what is written, after validating it.' }),
  ...remoteFlag,
  ...dryRunFlag,
};

export interface Save {
  readonly type: ContentType;
  /** Composes the write from what flags say. */
  readonly compose: (store: ContentStore) => Promise<Pick<ContentWrite, 'action' | 'documentId' | 'data'>>;
  readonly flags: {
    readonly locale: string | undefined;
    readonly publish: boolean;
    readonly 'dry-run': boolean;
  };
  readonly warn: Warn;
  readonly info: (message: string) => void;
}

/**
 * Creates or updates one document, and prints its documentId.
 *
 * @throws `request/invalid-parameter`, and the errors of the write
 */
export async function saveDocument(
  project: ContentProject,
  { type, compose, flags, warn, info }: Save,
): Promise<Outcome> {
  const { locale, publish, 'dry-run': isDryRun } = flags;
  requireLocale(type, locale);
  return openContent(project, { warn, isDryRun }, async (store) => {
    const write: ContentWrite = {
      ...(await compose(store)),
      status: publish ? 'published' : 'draft',
      ...(locale === undefined ? {} : { locale }),
    };
    const [written] = await runWrites(store, type, [write], isDryRun);
    const verb = write.action === 'create' ? 'create' : 'update';
    const suffix = `${locale === undefined ? '' : ` in ${locale}`}${publish ? ' and publish it' : ''}`;
    if (isDryRun) info(`Would ${verb} ${type.uid}${suffix}. All checks have passed.`);
    return {
      json: {
        action: verb,
        type: type.uid,
        document: written?.document ?? null,
        ...(isDryRun ? { dryRun: true } : {}),
      },
      text: isDryRun ? '' : (written?.documentId ?? ''),
    };
  });
}
