import type { App } from '../../app/open-app.js';
import type { Project } from '../../app/open-project.js';
import type { DocumentService, VersionParams } from '../../documents/documents.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { Uid } from '../../model/model.js';
import { defaultSelection } from '../../query/default-selection.js';
import { resolveType } from '../../scaffold/resolve-name.js';
import type { Outcome } from './outcome.js';
import { withApp } from './with-app.js';
import type { Warn } from './with-app.js';

const DONE = { publish: 'Published', unpublish: 'Unpublished' } as const satisfies Partial<Record<keyof DocumentService, string>>;

export interface ContentChange {
  /** The type, by uid or short name. */
  readonly uid: string;
  readonly documentId: string;
  /** Unset: the default locale. */
  readonly locale: string | undefined;
  readonly warn: Warn;
}

const run = async ({ documents, project }: App, action: keyof typeof DONE, type: Uid, { documentId, locale }: ContentChange): Promise<unknown> => {
  const params: VersionParams = { type, documentId, locale, selection: defaultSelection(project.model, type) };
  const result = await documents[action](params);
  return result === null ? null : JSON.parse(result.record);
};

/**
 * Changes one document's state as the server would: through the project's own hooks, in one transaction.
 *
 * @throws `content/unknown-document`, `request/unknown-locale`, and what checking the draft finds
 */
export async function changeContent(project: Project, action: keyof typeof DONE, change: ContentChange): Promise<Outcome> {
  const { uid: type } = resolveType(project.model.types, change.uid);
  const { documentId, locale } = change;
  return withApp(project, change.warn, async (app) => {
    const record = await run(app, action, type, change);
    const where = locale === undefined ? '' : ` in ${locale}`;
    if (!isRecord(record)) throw fail('content/unknown-document', { type, documentId, where });
    return { json: { action, type, document: record }, text: `${DONE[action]} ${type} ${documentId}${where}.` };
  });
}
