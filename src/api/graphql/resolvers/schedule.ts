import type { ScheduleParams } from '../../../documents/documents.js';
import type { ContentType } from '../../../model/model.js';
import { parseDocumentId } from '../../../query/parse/parse-document-id.js';
import { createAuthorisedResolver, localeOf } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

const paramsOf = async (call: RootCall): Promise<ScheduleParams | null> => {
  const { type, args, context } = call;
  const documentId =
    type.kind === 'singleType'
      ? await context.dependencies.documents.singleDocumentId(type.uid)
      : parseDocumentId(args['documentId']);
  return documentId === null
    ? null
    : { type: type.uid, documentId, locale: localeOf(call), access: context.rights };
};

/** Resolves `article_schedule` to what is scheduled, or null if there is no such draft. */
export function resolveFindSchedule(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'update', async (call) => {
    const params = await paramsOf(call);
    return params === null ? null : call.context.dependencies.documents.findSchedule(params);
  });
}

/** Resolves `scheduleArticle` to what is scheduled now, or null if there is no such draft. */
export function resolveSchedule(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'update', async (call) => {
    const params = await paramsOf(call);
    const { publishAt, unpublishAt } = call.args;
    return params === null
      ? null
      : call.context.dependencies.documents.schedule({ ...params, data: { publishAt, unpublishAt } });
  });
}
