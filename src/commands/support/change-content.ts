import { listLocales } from '../../access/operations/list-locales.js';
import type { App } from '../../app/open-app.js';
import type { Project } from '../../app/open-project.js';
import type { DocumentService, VersionParams } from '../../documents/documents.js';
import { requireDrafts } from '../../documents/require-drafts.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentType, Uid } from '../../model/model.js';
import { defaultSelection } from '../../query/default-selection.js';
import { resolveType } from '../../scaffold/resolve-name.js';
import type { Outcome } from './outcome.js';
import { withAccess } from './with-access.js';
import { withApp } from './with-app.js';
import type { Warn } from './with-app.js';

const DONE = { publish: 'Published', unpublish: 'Unpublished' } as const satisfies Partial<Record<keyof DocumentService, string>>;

export interface ContentChange {
  /** The type, by uid or short name. */
  readonly uid: string;
  readonly documentId: string;
  /** Unset: the default locale. */
  readonly locale: string | undefined;
  /** The document is only looked up. */
  readonly isDryRun: boolean;
  readonly warn: Warn;
}

const whereOf = ({ locale }: ContentChange): string => (locale === undefined ? '' : ` in ${locale}`);

/** Finds the version that would be written, without the project's own code. Throws `content/unknown-document`, `request/unknown-locale`. */
const lookUp = (project: Project, { uid: type, storage, localized }: ContentType, change: ContentChange): Promise<void> =>
  withAccess(project, async (access) => {
    const { documentId } = change;
    const locales = await listLocales(access);
    const locale = localized ? (change.locale ?? locales.find(({ isDefault }) => isDefault)?.code) : NO_LOCALE;
    if (localized && !locales.some(({ code }) => code === locale)) throw fail('request/unknown-locale', { locale });
    const found = await access.database.transact((tx) => tx.model(storage.version.model).findFirst({ where: { documentId, locale, status: 'draft' }, select: { id: true } }));
    if (found === null) throw fail('content/unknown-document', { type, documentId, where: whereOf(change) });
  });

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
  const contentType = resolveType(project.model.types, change.uid);
  const { uid: type } = contentType;
  const { documentId } = change;
  const where = whereOf(change);
  if (change.isDryRun) {
    await lookUp(project, requireDrafts(contentType), change);
    return { json: { action, type, documentId, dryRun: true }, text: `Would ${action} ${type} ${documentId}${where}.` };
  }
  return withApp(project, change.warn, async (app) => {
    const record = await run(app, action, type, change);
    if (!isRecord(record)) throw fail('content/unknown-document', { type, documentId, where });
    return { json: { action, type, document: record }, text: `${DONE[action]} ${type} ${documentId}${where}.` };
  });
}
