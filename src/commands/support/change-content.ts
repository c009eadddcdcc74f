import { openApp } from '../../app/open-app.js';
import type { App } from '../../app/open-app.js';
import type { Project } from '../../app/open-project.js';
import { asUnreachable } from '../../app/as-unreachable.js';
import type { DocumentService, VersionParams } from '../../documents/documents.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { ContentType } from '../../model/model.js';
import { defaultSelection } from '../../query/default-selection.js';
import { createLogger } from '../../server/logger.js';
import type { Outcome } from './outcome.js';

export interface ContentChange {
  readonly type: ContentType;
  readonly documentId: string;
  /** Unset: the default locale. */
  readonly locale: string | undefined;
  readonly action: keyof Pick<DocumentService, 'publish' | 'unpublish'>;
  /** `Published`; the text for people. */
  readonly done: string;
}

const run = async ({ documents, project }: App, { type, documentId, locale, action }: ContentChange): Promise<unknown> => {
  const params: VersionParams = { type: type.uid, documentId, locale, selection: defaultSelection(project.model, type.uid) };
  const result = await documents[action](params);
  return result === null ? null : JSON.parse(result.record);
};

/**
 * Changes one document's state as the server would: through the project's own hooks, in one transaction.
 *
 * @throws `content/unknown-document`, `request/unknown-locale`, and what checking the draft finds
 */
export async function changeContent(project: Project, change: ContentChange): Promise<Outcome> {
  const { type, documentId, locale, action, done } = change;
  const app = await openApp(project, { logger: createLogger({ level: 'silent' }) }).catch((error: unknown) => {
    throw asUnreachable(project, error);
  });
  try {
    const record = await run(app, change);
    const where = locale === undefined ? '' : ` in ${locale}`;
    if (!isRecord(record)) throw fail('content/unknown-document', { type: type.uid, documentId, where });
    return { json: { action, type: type.uid, document: record }, text: `${done} ${type.uid} ${documentId}${where}.` };
  } finally {
    await app.fastify.close();
  }
}
