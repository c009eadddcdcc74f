import type { HistoryAction } from '../../../access/permissions/controllers.js';
import type { DocumentHistory, HistoryParams } from '../../../documents/versions/document-history.js';
import { defined } from '../../../lib/defined.js';
import type { ContentType } from '../../../model/model.js';
import { parseDocumentId } from '../../../query/parse/parse-document-id.js';
import { createAuthorisedResolver, localeOf, parseRecord } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

type Resolve = (history: DocumentHistory, params: HistoryParams, version: number) => Promise<unknown>;

const resolveHistory = (type: ContentType, action: HistoryAction, resolve: Resolve): RootResolver =>
  createAuthorisedResolver(type, action, async (call: RootCall) => {
    const { documents, history } = call.context.dependencies;
    const documentId =
      type.kind === 'singleType'
        ? await documents.singleDocumentId(type.uid)
        : parseDocumentId(call.args['documentId']);
    if (documentId === null) return null;
    const params = { type: type.uid, documentId, locale: localeOf(call), access: call.context.rights };
    return resolve(defined(history, 'The history'), params, Number(call.args['version']));
  });

/** Resolves `article_versions` to the versions without their values, the latest first. */
export function resolveVersions(type: ContentType): RootResolver {
  return resolveHistory(type, 'findVersions', (history, params) => history.list(params));
}

/** Resolves `article_version` to one of them with its values. */
export function resolveVersion(type: ContentType): RootResolver {
  return resolveHistory(type, 'findVersions', (history, params, version) => history.find(params, version));
}

/** Resolves `restoreArticleVersion` to what was restored into the draft, and what could not be. */
export function resolveRestoreVersion(type: ContentType): RootResolver {
  return resolveHistory(type, 'restoreVersion', async (history, params, version) => {
    const restored = await history.restore(params, version);
    if (restored === null) return null;
    const { documentId, locale } = Object(parseRecord(restored.record)) as Readonly<Record<string, unknown>>;
    return { documentId, locale, omitted: restored.omitted };
  });
}
