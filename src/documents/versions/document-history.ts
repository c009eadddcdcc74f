import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import type { BoundValue } from '../../database/dialect/sql-expressions.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { getOrCreate } from '../../lib/collections.js';
import { isRecord } from '../../lib/records.js';
import { linksCaller, typeOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentType, Uid } from '../../model/model.js';
import { parseReadQuery } from '../../query/parse/parse-read-query.js';
import { defaultSelection } from '../../query/parse/server-queries.js';
import { SET_OWNER, hidesDrafts } from '../../query/read-access.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { DocumentService, Locales, Omission, Precondition, RecordText } from '../documents.js';
import { chooseContent } from '../write/choose-content.js';
import type { VersionContent } from '../write/choose-content.js';
import { assertCoversLocale } from '../write/write-limits.js';
import { requireDrafts, resolveLocale } from '../write/write-params.js';
import { createVersionTable } from './keep-versions.js';
import type { KeptVersion } from './keep-versions.js';

type DocumentIds = ReadonlyMap<Uid, ReadonlySet<string>>;

/** Returns the documents that still exist. */
async function findExisting(
  { dialect: { expressions }, readTexts }: Pick<Database, 'dialect' | 'readTexts'>,
  model: ContentModel,
  wanted: DocumentIds,
): Promise<DocumentIds> {
  const existing = new Map<Uid, ReadonlySet<string>>();
  for (const [uid, documentIds] of wanted) {
    if (!Object.hasOwn(model.typesByUid, uid)) continue;
    const { storage } = typeOf(model, uid);
    const list = expressions.encodeList('text', [...documentIds]);
    const statement = sql`select document_id from ${sql.table(storage.document.table)}
      where ${expressions.inList(sql.ref('document_id'), 'text', list)}`.compile(expressions.kysely);
    const found = await readTexts(statement.sql, statement.parameters as readonly BoundValue[]);
    existing.set(uid, new Set(found.filter((id) => id !== null)));
  }
  return existing;
}

/** One locale of a document, and the access of the caller. */
export interface HistoryParams {
  readonly type: Uid;
  readonly documentId: string;
  /** Default: the default locale. */
  readonly locale?: string | undefined;
  readonly access: ReadAccess;
  /** The state of the document in which the caller has read it. Used by `restore`. */
  readonly ifMatch?: Precondition | undefined;
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

/** Dependencies for restoring content. */
interface RestoreDependencies {
  readonly database: Pick<Database, 'dialect' | 'readTexts'>;
  readonly model: ContentModel;
}

export interface DocumentHistoryDependencies extends RestoreDependencies {
  readonly database: Database;
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

/** Returns the content of a version that can still be written, and the omitted values. */
export const toRestorable = async (
  dependencies: RestoreDependencies,
  { type, access }: { readonly type: ContentType; readonly access: ReadAccess },
  content: VersionContent,
): Promise<Restorable> => {
  const { model } = dependencies;
  const isClosed = ({ writable }: Attribute): boolean => !writable && access.isOfClient === true;
  const keepsOwner = (attribute: Attribute): boolean =>
    linksCaller(attribute) && access.maySetOwner?.(type.uid) === false;
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
      const reason = isClosed(attribute)
        ? 'can only be written by code'
        : keepsOwner(attribute)
          ? `requires the permission ${type.uid}.${SET_OWNER}`
          : null;
      if (reason !== null) omitted.push({ attribute: path.join('.'), reason });
      return reason === null;
    },
    keepsLink: (uid, documentId, path) => {
      const isThere = existing.get(uid)?.has(documentId) === true;
      if (!isThere)
        omitted.push({ attribute: path.join('.'), reason: `${uid} ${documentId} no longer exists` });
      return isThere;
    },
    onGone: (path) => omitted.push({ attribute: path.join('.'), reason: 'is no longer part of the schema' }),
  });
  return { data, omitted };
};

/** Removes the attributes that an error rejects. Returns null if it rejects none. */
const withoutRejected = ({ data, omitted }: Restorable, error: unknown): Restorable | null => {
  const issues = isGalleyError(error) ? (error.details.errors ?? []) : [];
  const rejected = issues.filter(({ path: [name] }) => name !== undefined && Object.hasOwn(data, name));
  if (rejected.length === 0) return null;
  const names = new Set(rejected.map(({ path }) => path[0]));
  return {
    data: Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name))),
    omitted: [
      ...omitted,
      ...rejected.map(({ path, message }) => ({ attribute: path.join('.'), reason: message })),
    ],
  };
};

/** Writes the content that can still be written, without values that the validation of the draft rejects. */
const restoreContent = async (
  dependencies: DocumentHistoryDependencies,
  { type, documentId, locale, access, ifMatch }: HistoryParams,
  content: VersionContent,
): ReturnType<DocumentHistory['restore']> => {
  const { documents, model } = dependencies;
  const write = async ({ data, omitted }: Restorable) => {
    const selection = defaultSelection(model, type);
    const params = { type, documentId, locale, access, status: 'draft', data, selection, ifMatch } as const;
    const written = await documents.update(params);
    return written === null ? null : { ...written, omitted };
  };
  const restorable = await toRestorable(dependencies, { type: typeOf(model, type), access }, content);
  try {
    return await write(restorable);
  } catch (error) {
    const rest = withoutRejected(restorable, error);
    if (rest === null) throw error;
    return write(rest);
  }
};

/** Creates the history of documents. */
export function createDocumentHistory(dependencies: DocumentHistoryDependencies): DocumentHistory {
  const { database, model, documents, locales } = dependencies;
  const table = createVersionTable(database, model);
  /** Returns the locale of a document; null if the caller may not see the document. */
  const nameOf = async ({ type: uid, documentId, locale: code, access }: HistoryParams) => {
    const type = requireDrafts(typeOf(model, uid), 'list');
    const locale = resolveLocale({ locales }, type, code);
    if (access.scopeOf?.(uid, 'findVersions')?.locales?.has(locale) === false) return null;
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
      const type = typeOf(model, params.type);
      const scope = params.access.scopeOf?.(params.type, 'restoreVersion') ?? null;
      assertCoversLocale(type, scope, resolveLocale({ locales }, type, params.locale));
      const found = await findContent(params, version);
      if (found === null) return null;
      return restoreContent(dependencies, params, found.content);
    },
  };
}
