import type { ContentType } from '../../model/model.js';
import type { CreateParams } from '../../documents/documents.js';
import { parseStatus } from '../../query/parse-version.js';
import { planRoot, shownAction } from '../selection/plan-read.js';
import { toData } from '../selection/to-data.js';
import { documentIdOf, guarded, localeOf, parseRecord } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

const writeParamsOf = (call: RootCall, action: 'create' | 'update'): CreateParams => {
  const { type, args, context, info } = call;
  return {
    type: type.uid,
    data: toData(context.parts.model, type, args['data']),
    locale: localeOf(call),
    status: parseStatus(args['status']),
    access: context.rights,
    selection: planRoot({ context, info, type, action: shownAction(context, type, action), under: null }),
  };
};

/** `createArticle` */
export function resolveCreate(type: ContentType): RootResolver {
  return guarded(type, 'create', async (call) => parseRecord((await call.context.parts.documents.create(writeParamsOf(call, 'create'))).record));
}

/** `updateArticle`: null where there is no such document. */
export function resolveUpdate(type: ContentType): RootResolver {
  return guarded(type, 'update', async (call) => {
    const params = writeParamsOf(call, 'update');
    const documentId = documentIdOf(call.args);
    const updated = documentId === null ? null : await call.context.parts.documents.update({ ...params, documentId });
    return updated === null ? null : parseRecord(updated.record);
  });
}

/** `updateHomepage`: updates the type's one document, or makes it. */
export function resolveUpdateSingle(type: ContentType): RootResolver {
  return guarded(type, 'update', async (call) => {
    const { documents } = call.context.parts;
    const params = writeParamsOf(call, 'update');
    const documentId = await documents.singleDocumentId(type.uid);
    const updated = documentId === null ? null : await documents.update({ ...params, documentId });
    const { record } = updated ?? (await documents.create(params));
    return parseRecord(record);
  });
}

/** `deleteArticle`: answers the id that was given, whether there was anything or not. */
export function resolveDelete(type: ContentType): RootResolver {
  return guarded(type, 'delete', async (call) => {
    const documentId = documentIdOf(call.args);
    if (documentId !== null) await call.context.parts.documents.delete({ type: type.uid, documentId, locale: localeOf(call), access: call.context.rights });
    return { documentId: call.args['documentId'] };
  });
}

/** `deleteHomepage`: null where there was nothing. */
export function resolveDeleteSingle(type: ContentType): RootResolver {
  return guarded(type, 'delete', async (call) => {
    const { documents } = call.context.parts;
    const documentId = await documents.singleDocumentId(type.uid);
    if (documentId === null) return null;
    await documents.delete({ type: type.uid, documentId, locale: localeOf(call), access: call.context.rights });
    return { documentId };
  });
}
