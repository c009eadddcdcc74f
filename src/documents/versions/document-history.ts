import type { Database } from '../../database/database.js';
import type { DocumentService, Locales, RecordText } from '../documents.js';
import { findExisting } from './find-existing.js';
import { createVersionTable } from './version-table.js';
import type { KeptVersion } from './version-table.js';
import { requireDrafts, resolveLocale } from '../write-params.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/is-record.js';
import { getOrCreate } from '../../lib/memoize.js';
import { typeOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentType, Uid } from '../../model/model.js';
import { defaultSelection } from '../../query/parse/default-selection.js';
import { hidesDrafts } from '../../query/draft-access.js';
import { parseReadQuery } from '../../query/parse/parse-read-query.js';
import type { ReadAccess } from '../../query/read-access.js';
import { chooseContent } from './version-content.js';
import type { VersionContent } from './version-content.js';

/** Names one locale of a document, for a caller with rights. */
export interface HistoryParams {
  readonly type: Uid;
  readonly documentId: string;
  /** Undefined: the default locale. */
  readonly locale?: string | undefined;
  readonly access: ReadAccess;
}

/** Value of a version that could not be restored. */
interface Omission {
  readonly attribute: string;
  readonly reason: string;
}

/** The published versions of documents. Missing and forbidden ones are null. */
export interface DocumentHistory {
  /** Lists versions, the latest first. */
  readonly list: (params: HistoryParams) => Promise<readonly KeptVersion[] | null>;
  readonly find: (
    params: HistoryParams,
    version: number,
  ) => Promise<(KeptVersion & { readonly content: VersionContent }) | null>;
  /** Writes the content of a version into the draft. */
  readonly restore: (
    params: HistoryParams,
    version: number,
  ) => Promise<{ readonly record: RecordText; readonly omitted: readonly Omission[] } | null>;
}

export interface DocumentHistoryDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly documents: Pick<DocumentService, 'findOne' | 'update'>;
  readonly locales: Locales;
}

const LIMITS = { defaultLimit: 1, maxLimit: 1, populateDepth: 1, maxNodes: 100 };

const parseContent = (text: string): VersionContent => {
  const content: unknown = JSON.parse(text);
  return isRecord(content) ? content : {};
};

interface Restorable {
  readonly data: VersionContent;
  readonly omitted: readonly Omission[];
}

/** Returns what of a version can still be written, and what cannot. */
const toRestorable = async (
  dependencies: DocumentHistoryDependencies,
  { type, access }: { readonly type: ContentType; readonly access: ReadAccess },
  content: VersionContent,
): Promise<Restorable> => {
  const { model } = dependencies;
  const isClosed = ({ writable }: Attribute): boolean => !writable && access.isOfClient === true;
  const wanted = new Map<Uid, Set<string>>();
  chooseContent(model, type, content, {
    keepsLink: (uid, documentId) =>
      getOrCreate(wanted, uid, () => new Set<string>()).add(documentId).size > 0,
    onGone: () => undefined,
  });
  const existing = await findExisting(dependencies.database, model, wanted);
  const omitted: Omission[] = [];
  const data = chooseContent(model, type, content, {
    keepsAttribute: (path, attribute) => {
      if (isClosed(attribute))
        omitted.push({ attribute: path.join('.'), reason: 'can only be written by code' });
      return !isClosed(attribute);
    },
    keepsLink: (uid, documentId, path) => {
      const isThere = existing.get(uid)?.has(documentId) === true;
      if (!isThere)
        omitted.push({ attribute: path.join('.'), reason: `${uid} ${documentId} does not exist any more` });
      return isThere;
    },
    onGone: (path) => omitted.push({ attribute: path.join('.'), reason: 'is no longer part of the schema' }),
  });
  return { data, omitted };
};

/** Leaves out the attributes that an error names. Null: it names none. */
const withoutRefused = ({ data, omitted }: Restorable, error: unknown): Restorable | null => {
  const issues = isGalleyError(error) ? (error.details.errors ?? []) : [];
  const refused = issues.filter(({ path: [name] }) => name !== undefined && Object.hasOwn(data, name));
  if (refused.length === 0) return null;
  const names = new Set(refused.map(({ path }) => path[0]));
  return {
    data: Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name))),
    omitted: [
      ...omitted,
      ...refused.map(({ path, message }) => ({ attribute: path.join('.'), reason: message })),
    ],
  };
};

/** Writes what can still be written, and without what the validation of the draft refuses. */
const restoreContent = async (
  dependencies: DocumentHistoryDependencies,
  { type, documentId, locale, access }: HistoryParams,
  content: VersionContent,
): ReturnType<DocumentHistory['restore']> => {
  const { documents, model } = dependencies;
  const write = async ({ data, omitted }: Restorable) => {
    const selection = defaultSelection(model, type);
    const params = { type, documentId, locale, access, status: 'draft', data, selection } as const;
    const written = await documents.update(params);
    return written === null ? null : { ...written, omitted };
  };
  const restorable = await toRestorable(dependencies, { type: typeOf(model, type), access }, content);
  try {
    return await write(restorable);
  } catch (error) {
    const rest = withoutRefused(restorable, error);
    if (rest === null) throw error;
    return write(rest);
  }
};

/** Opens the history of documents. */
export function createDocumentHistory(dependencies: DocumentHistoryDependencies): DocumentHistory {
  const { database, model, documents, locales } = dependencies;
  const table = createVersionTable(database, model);
  /** Null: the caller may not see the document. */
  const nameOf = async ({ type: uid, documentId, locale: code, access }: HistoryParams) => {
    const type = requireDrafts(typeOf(model, uid), 'list');
    const locale = resolveLocale({ locales }, type, code);
    const query = parseReadQuery(
      model,
      uid,
      {
        fields: ['documentId'],
        status: hidesDrafts(access, type) ? 'published' : 'draft',
        locale: code ?? locales.defaultCode(),
      },
      {
        access,
        action: type.kind === 'singleType' ? 'find' : 'findOne',
        limits: LIMITS,
        defaultLocale: locales.defaultCode(),
        paginated: false,
      },
    );
    return (await documents.findOne(query, documentId)) === null ? null : { type: uid, documentId, locale };
  };
  const findContent = async (params: HistoryParams, version: number) => {
    const name = await nameOf(params);
    const found = name === null ? null : await table.find(name, version);
    return found === null ? null : { ...found, content: parseContent(found.content) };
  };
  return {
    list: async (params) => {
      const name = await nameOf(params);
      return name === null ? null : table.list(name);
    },
    find: async (params, version) => {
      const found = await findContent(params, version);
      if (found === null) return null;
      const { canFind, scopeOf } = params.access;
      const type = typeOf(model, params.type);
      const scope = scopeOf?.(params.type, type.kind === 'singleType' ? 'find' : 'findOne') ?? null;
      const content = chooseContent(model, type, found.content, {
        keepsAttribute: ([name = '', ...inside]) =>
          inside.length > 0 || (scope?.fields ?? null) === null || scope?.fields?.has(name) === true,
        keepsLink: (target) => canFind(target),
        onGone: () => undefined,
      });
      return { ...found, content };
    },
    restore: async (params, version) => {
      const found = await findContent(params, version);
      if (found === null) return null;
      return restoreContent(dependencies, params, found.content);
    },
  };
}
