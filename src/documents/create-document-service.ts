import type { Database } from '../database/database.js';
import type { ContentModel, ContentType, Uid } from '../model/model.js';
import { typeOf } from '../query/read-context.js';
import { createReadCompiler } from '../sql/read-compiler.js';
import { compileInput } from '../validation/compile-input.js';
import type { DocumentContext } from './document-context.js';
import type { DocumentService, LocaleBook } from './documents.js';
import { createDocumentHooks } from './hooks.js';
import type { DocumentHooks } from './hooks.js';
import { compileLinkViews } from './links/link-view.js';
import { count } from './operations/count.js';
import { create } from './operations/create.js';
import { deleteDocument } from './operations/delete.js';
import { discardDraft } from './operations/discard-draft.js';
import { findMany } from './operations/find-many.js';
import { findOne } from './operations/find-one.js';
import { publish } from './operations/publish.js';
import { singleDocumentId } from './operations/single-document-id.js';
import { unpublish } from './operations/unpublish.js';
import { update } from './operations/update.js';
import { createRecordReader } from './record-reader.js';
import { contentFields } from './version-fields.js';

export interface DocumentServiceParts {
  readonly model: ContentModel;
  readonly database: Database;
  readonly locales: LocaleBook;
  /** The project's middlewares and events; none: nothing takes part. */
  readonly hooks?: DocumentHooks;
  readonly clock?: () => Date;
}

/** Makes each type's value once, when it is first asked for. */
const perType = <T>(compile: (type: ContentType) => T): ((type: ContentType) => T) => {
  const known = new Map<Uid, T>();
  return (type) => {
    const made = known.get(type.uid) ?? compile(type);
    known.set(type.uid, made);
    return made;
  };
};

const noHooks = (): DocumentHooks => createDocumentHooks({ onError: () => {} });

/**
 * The document service of one model over one database.
 *
 * @example
 * const documents = createDocumentService({ model, database, locales });
 * const { documentId } = await documents.create({ type: 'api::tag.tag', data: { name: 'red' }, selection });
 */
export function createDocumentService({ model, database, locales, hooks = noHooks(), clock = () => new Date() }: DocumentServiceParts): DocumentService {
  const context: DocumentContext = {
    model, database, locales, hooks, clock,
    records: createRecordReader(database, createReadCompiler(model, database.dialect)),
    inputOf: perType((type) => compileInput(model, type)),
    fieldsOf: perType(contentFields),
    linksOf: perType((type) => compileLinkViews(model, type)),
  };
  return Object.freeze<DocumentService>({
    findMany: (query) => hooks.run('findMany', query.type, query, (params) => findMany(context, params)),
    findOne: (query, documentId) => hooks.run('findOne', query.type, { query, documentId }, (params) => findOne(context, params.query, params.documentId)),
    count: (query) => hooks.run('count', query.type, query, (params) => count(context, params)),
    create: (params) => hooks.run('create', params.type, params, (changed) => create(context, changed)),
    update: (params) => hooks.run('update', params.type, params, (changed) => update(context, changed)),
    singleDocumentId: (type) => singleDocumentId(context, typeOf(model, type)),
    delete: (params) => hooks.run('delete', params.type, params, (changed) => deleteDocument(context, changed)),
    publish: (params) => hooks.run('publish', params.type, params, (changed) => publish(context, changed)),
    unpublish: (params) => hooks.run('unpublish', params.type, params, (changed) => unpublish(context, changed)),
    discardDraft: (params) => hooks.run('discardDraft', params.type, params, (changed) => discardDraft(context, changed)),
  });
}
