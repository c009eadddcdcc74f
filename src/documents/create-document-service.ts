import type { Database } from '../database/database.js';
import type { ContentModel } from '../model/model.js';
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
import { compileAnchor } from './rows/anchor-statements.js';
import { compileLinkTable } from './rows/link-statements.js';
import { compileVersions } from './rows/version-statements.js';
import { contentFields } from './version-fields.js';

export interface DocumentServiceParts {
  readonly model: ContentModel;
  readonly database: Database;
  readonly locales: LocaleBook;
  /** The project's middlewares and events; none: nothing takes part. */
  readonly hooks?: DocumentHooks;
  readonly clock?: () => Date;
}

/** Makes what belongs to a type or a link of the model once, when it is first asked for. */
const once = <Part, T>(compile: (part: Part) => T): ((part: Part) => T) => {
  const known = new Map<Part, T>();
  return (part) => {
    const made = known.get(part) ?? compile(part);
    known.set(part, made);
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
  const { dialect } = database;
  const context: DocumentContext = {
    model, database, locales, hooks, clock,
    records: createRecordReader(database, createReadCompiler(model, dialect)),
    inputOf: once((type) => compileInput(model, type)),
    fieldsOf: once(contentFields),
    linksOf: once((type) => compileLinkViews(model, type)),
    anchorOf: once(({ storage }) => compileAnchor(dialect, storage.anchor.table)),
    versionsOf: once((type) => compileVersions(dialect, type, contentFields(type))),
    linkTableOf: once((link) => compileLinkTable(dialect, link)),
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
