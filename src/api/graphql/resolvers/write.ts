import type { ContentType } from '../../../model/model.js';
import type { CreateParams } from '../../../documents/documents.js';
import { deleteSingle, saveSingle } from '../../../documents/single-type.js';
import { parseDocumentId } from '../../../query/parse/parse-document-id.js';
import { parseStatus } from '../../../query/parse/parse-version.js';
import { planRootSelection, responseAction } from '../selection/plan-read.js';
import { toData } from '../selection/to-data.js';
import { createAuthorisedResolver, localeOf, parseRecord } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

const writeParamsOf = (call: RootCall, action: 'create' | 'update'): CreateParams => {
  const { type, args, context, info } = call;
  const status = parseStatus(args['status']);
  return {
    type: type.uid,
    data: toData(context.dependencies.model, type, args['data']),
    locale: localeOf(call),
    status,
    access: context.rights,
    selection: planRootSelection({
      context,
      info,
      type,
      action: responseAction(context, type, action),
      status,
      recordsField: null,
    }),
  };
};

/** Resolves `createArticle` to the new document. */
export function resolveCreate(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'create', async (call) =>
    parseRecord((await call.context.dependencies.documents.create(writeParamsOf(call, 'create'))).record),
  );
}

/** Resolves `updateArticle` to the updated document, or null if there is none. */
export function resolveUpdate(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'update', async (call) => {
    const params = writeParamsOf(call, 'update');
    const documentId = parseDocumentId(call.args['documentId']);
    const updated =
      documentId === null
        ? null
        : await call.context.dependencies.documents.update({ ...params, documentId });
    return updated === null ? null : parseRecord(updated.record);
  });
}

/** Resolves `updateHomepage`. Creates the type's document if there is none. */
export function resolveUpdateSingle(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'update', async (call) => {
    const { documents } = call.context.dependencies;
    return parseRecord((await saveSingle(documents, writeParamsOf(call, 'update'))).record);
  });
}

/** Resolves `deleteArticle` to the id that was given, whether or not there was a document. */
export function resolveDelete(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'delete', async (call) => {
    const documentId = parseDocumentId(call.args['documentId']);
    if (documentId !== null)
      await call.context.dependencies.documents.delete({
        type: type.uid,
        documentId,
        locale: localeOf(call),
        access: call.context.rights,
      });
    return { documentId: call.args['documentId'] };
  });
}

/** Resolves `deleteHomepage` to the id of the document, or null if there was none. */
export function resolveDeleteSingle(type: ContentType): RootResolver {
  return createAuthorisedResolver(type, 'delete', async (call) => {
    const { dependencies, rights } = call.context;
    const documentId = await deleteSingle(dependencies.documents, {
      type: type.uid,
      locale: localeOf(call),
      access: rights,
    });
    return documentId === null ? null : { documentId };
  });
}
