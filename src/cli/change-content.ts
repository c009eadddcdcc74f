import { listLocales } from '../access/locales/find-locales.js';
import type { App } from '../app/open-app.js';
import type { Project } from '../app/open-project.js';
import type { DocumentService, VersionParams } from '../documents/documents.js';
import { requireDrafts } from '../documents/write-params.js';
import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import { NO_LOCALE } from '../model/model.js';
import type { ContentType, Uid } from '../model/model.js';
import { defaultSelection } from '../query/default-selection.js';
import { resolveType } from '../scaffold/resolve-name.js';
import type { Outcome } from './outcome.js';
import { withAccess } from './project/with-access.js';
import { withApp } from './project/with-app.js';
import type { Warn } from './project/with-app.js';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { dryRunFlag } from './arguments/flags.js';

const PAST_TENSE = { publish: 'Published', unpublish: 'Unpublished' } as const satisfies Partial<
  Record<keyof DocumentService, string>
>;

export interface ContentChange {
  /** The content-type's uid or short name. */
  readonly uid: string;
  readonly documentId: string;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
  /** Returns the document. Changes nothing. */
  readonly isDryRun: boolean;
  readonly warn: Warn;
}

const localeSuffix = ({ locale }: ContentChange): string => (locale === undefined ? '' : ` in ${locale}`);

/**
 * Checks that the draft exists without running project code.
 *
 * @throws `content/unknown-document`, `request/unknown-locale`
 */
const assertDraftExists = (
  project: Project,
  { uid: type, storage, localized }: ContentType,
  change: ContentChange,
): Promise<void> =>
  withAccess(project, async (access) => {
    const { documentId } = change;
    const locales = await listLocales(access);
    const locale = localized
      ? (change.locale ?? locales.find(({ isDefault }) => isDefault)?.code)
      : NO_LOCALE;
    if (localized && !locales.some(({ code }) => code === locale))
      throw createError('request/unknown-locale', { locale });
    const draft = await access.database.transact((tx) =>
      tx
        .model(storage.version.model)
        .findFirst({ where: { documentId, locale, status: 'draft' }, select: { id: true } }),
    );
    if (draft === null)
      throw createError('content/unknown-document', { type, documentId, location: localeSuffix(change) });
  });

const applyAction = async (
  { documents, project }: App,
  action: keyof typeof PAST_TENSE,
  type: Uid,
  { documentId, locale }: ContentChange,
): Promise<unknown> => {
  const params: VersionParams = {
    type,
    documentId,
    locale,
    selection: defaultSelection(project.model, type),
  };
  const result = await documents[action](params);
  return result === null ? null : JSON.parse(result.record);
};

/**
 * Publishes or unpublishes one document as the server would: with the project's hooks, in one transaction.
 *
 * @throws `content/unknown-document`, `request/unknown-locale`, and the errors of validating the draft
 */
export async function changeContent(
  project: Project,
  action: keyof typeof PAST_TENSE,
  change: ContentChange,
): Promise<Outcome> {
  const contentType = resolveType(project.model.types, change.uid);
  const { uid: type } = contentType;
  const { documentId } = change;
  const suffix = localeSuffix(change);
  if (change.isDryRun) {
    await assertDraftExists(project, requireDrafts(contentType), change);
    return {
      json: { action, type, documentId, dryRun: true },
      text: `Would ${action} ${type} ${documentId}${suffix}.`,
    };
  }
  return withApp(project, change.warn, async (app) => {
    const record = await applyAction(app, action, type, change);
    if (!isRecord(record))
      throw createError('content/unknown-document', { type, documentId, location: suffix });
    return {
      json: { action, type, document: record },
      text: `${PAST_TENSE[action]} ${type} ${documentId}${suffix}.`,
    };
  });
}

/** The arguments of the commands about one document. */
export const contentArguments = {
  uid: Args.string({ required: true, description: 'The type: api::article.article, or article.' }),
  documentId: Args.string({ required: true, description: "The document's documentId." }),
};

export const contentFlags = {
  locale: Flags.string({ description: 'The locale of the version. [default: the default locale]' }),
  ...dryRunFlag,
};

export const contentCompletion = { uid: 'type', locale: 'locale' } as const;
