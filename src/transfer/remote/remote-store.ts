import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { createDocumentId } from '../../lib/ids.js';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { RunTransaction } from '../../documents/document-context.js';
import type { RemoteAbout } from './about-remote.js';
import { errorOfResponse, sendRequest } from './send.js';
import type { RemoteAccess } from './send.js';
import type {
  ContentDocument,
  ContentStore,
  ContentWrite,
  FindParams,
  WriteOptions,
  WriteOutcome,
} from '../store/content-store.js';
import {
  responseData,
  remoteProgress,
  remoteSchedules,
  remoteTranslate,
  remoteVersions,
} from './remote-documents.js';
import { createSchemaCheck } from './about-remote.js';

export interface RemoteStoreDependencies {
  /** The model of the local project. */
  readonly model: ContentModel;
  readonly access: RemoteAccess;
  readonly about: RemoteAbout;
  /** Called with a message if schemas of the server differ. */
  readonly warn: (message: string) => void;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A write with its type, as the API expects it. */
interface TypedWrite extends ContentWrite {
  readonly type: Uid;
}

/** Timeout of writes, which is longer than that of reads. */
const WRITE_TIMEOUT_MS = 300_000;

const toDocument = (value: unknown): ContentDocument => {
  if (!isRecord(value) || typeof value['documentId'] !== 'string')
    throw new TypeError('A record has no documentId.');
  return { ...value, documentId: value['documentId'] };
};

const toOutcome = (access: RemoteAccess, value: unknown): WriteOutcome => {
  if (!isRecord(value)) throw new TypeError('An outcome is not an object.');
  if (value['error'] !== undefined)
    return { error: errorOfResponse(access, { status: Number(value['status']), body: value }) };
  const { documentId, data } = value;
  return { documentId: String(documentId), document: isRecord(data) ? toDocument(data) : null };
};

const responseList = (body: unknown): readonly unknown[] => {
  const data = responseData(body);
  if (!Array.isArray(data)) throw new TypeError('A response contains no list.');
  return data;
};

const responsePagination = (body: unknown): JsonObject => {
  const meta = isRecord(body) ? body['meta'] : undefined;
  const pagination = isRecord(meta) ? meta['pagination'] : undefined;
  return isRecord(pagination) ? pagination : {};
};

type Find = (type: Uid, params: JsonObject) => Promise<unknown>;

const createFind =
  (access: RemoteAccess): Find =>
  (type, params) =>
    sendRequest(access, { method: 'POST', path: '/cms/find', body: { type, params }, isRepeatable: true });

const withDefaultStatus = (params: JsonObject): JsonObject => ({
  ...params,
  status: params['status'] ?? 'draft',
});

/** Reads a list page by page, by cursor. */
const findAll = async (
  find: Find,
  pageSize: number,
  type: Uid,
  { start, limit, ...params }: FindParams,
): Promise<readonly ContentDocument[]> => {
  const documents: ContentDocument[] = [];
  let cursor: JsonObject = { ...(start === undefined ? {} : { start }), after: '' };
  for (;;) {
    const missing = limit === undefined ? pageSize : Math.min(pageSize, limit - documents.length);
    if (missing <= 0) return documents;
    const pagination = { ...cursor, limit: missing };
    const body = await find(type, { ...withDefaultStatus({ ...params }), pagination });
    documents.push(...responseList(body).map(toDocument));
    const { next } = responsePagination(body);
    if (typeof next !== 'string') return documents;
    cursor = { after: next };
  }
};

const findOne = async (
  find: Find,
  type: Uid,
  documentId: string,
  params: JsonObject,
): Promise<ContentDocument | null> => {
  const [document] = responseList(
    await find(type, {
      ...withDefaultStatus(params),
      filters: { documentId },
      pagination: { start: 0, limit: 1, withCount: false },
    }),
  );
  return document === undefined ? null : toDocument(document);
};

const count = async (find: Find, type: Uid, params: FindParams): Promise<number> => {
  const { start: _start, limit: _limit, populate: _populate, fields: _fields, ...others } = params;
  const body = await find(type, {
    ...withDefaultStatus(others),
    fields: ['documentId'],
    pagination: { start: 0, limit: 1, withCount: true },
  });
  return Number(responsePagination(body)['total'] ?? 0);
};

type Write = (writes: readonly TypedWrite[], options: WriteOptions) => Promise<readonly WriteOutcome[]>;

const createWrite =
  ({ access, about }: RemoteStoreDependencies): Write =>
  async (writes, { isAtomic, isDryRun = false, progress }) => {
    if (writes.length === 0) return [];
    if (!about.comparesRevisions && writes.some(({ ifMatch }) => ifMatch !== undefined))
      throw createError('remote/no-revisions', { name: access.name, version: about.version });
    const { bulk } = about.limits;
    // Two transactions cannot be rolled back as one, and neither sees the writes of the other.
    if (writes.length > bulk && (isAtomic || isDryRun))
      throw createError('remote/too-many-writes', {
        name: access.name,
        count: writes.length,
        limit: bulk,
      });
    const outcomes: WriteOutcome[] = [];
    for (let start = 0; start < writes.length; start += bulk) {
      const body = await sendRequest(access, {
        method: 'POST',
        path: `/cms/bulk?atomic=${isAtomic}&dryRun=${isDryRun}`,
        body: { data: writes.slice(start, start + bulk), ...(progress === undefined ? {} : { progress }) },
        isRepeatable: isDryRun,
        timeoutMs: WRITE_TIMEOUT_MS,
      });
      outcomes.push(...responseList(body).map((outcome) => toOutcome(access, outcome)));
    }
    return outcomes;
  };

/** Adds a documentId to a write, so that later writes of the transaction can refer to the document. */
const identified = (write: ContentWrite): ContentWrite & { readonly documentId: string } => ({
  ...write,
  documentId: write.documentId ?? createDocumentId(),
});

/** Returns the error of the first rejected write, without the issues of other writes. */
const errorOfWrite = (error: unknown, writes: readonly TypedWrite[]): unknown => {
  if (!isGalleyError(error)) return error;
  const issues = error.details.errors ?? [];
  const index = issues[0]?.path[0];
  const write = writes[Number(index)];
  const [first, ...others] = issues.filter(({ path }) => path[0] === index);
  if (write === undefined || first === undefined) return error;
  const errors = [first, ...others]
    .map(({ path, ...issue }) => ({ ...issue, path: path.slice(2) }))
    .filter(({ path }) => path.length > 0);
  const { documentId, locale = null } = write;
  return createError(
    error.kind === 'precondition-failed' ? 'remote/changed' : 'remote/refused',
    { reason: first.message },
    { details: { ...(errors.length === 0 ? {} : { errors }), documentId, locale }, cause: error },
  );
};

/** `https://cms.example.com/api` → `cms.example.com-api` */
const remoteFolderName = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.replace(/[^\w.]+/g, '-').replace(/-$/, '');
};

/**
 * Creates the content store of a remote server, on its API. A transaction is one request: writes are sent
 * as one batch after its work. Until then they seem to succeed, and reads do not see them.
 */
export function createRemoteStore(dependencies: RemoteStoreDependencies): ContentStore {
  const { model, access, about, warn } = dependencies;
  const find = createFind(access);
  const send = createWrite(dependencies);
  const check = createSchemaCheck({ model, about, name: access.name, warn });
  let pending: TypedWrite[] | null = null;

  const transact: RunTransaction = async (work, { isDryRun }) => {
    if (pending !== null) throw new TypeError('Transactions of a remote server cannot be nested.');
    const writes: TypedWrite[] = [];
    pending = writes;
    const result = await work().finally(() => {
      pending = null;
    });
    try {
      await send(writes, { isAtomic: true, isDryRun });
    } catch (error) {
      throw errorOfWrite(error, writes);
    }
    return result;
  };

  const findDocument: ContentStore['findOne'] = async (type, documentId, params) => {
    check(type);
    return findOne(find, type, documentId, { ...params });
  };

  return {
    model,
    transact,
    lock: null,
    databaseName: async () => remoteFolderName(access.url),
    ...remoteSchedules(model, access),
    versions: remoteVersions(model, access),
    locales: async () => about.locales,
    comparesRevisions: about.comparesRevisions,
    maxWrites: about.limits.bulk,
    importProgress: about.keepsProgress ? remoteProgress(access) : null,
    find: async (type, params) => {
      check(type);
      return findAll(find, about.limits.page, type, params);
    },
    findPrivate: null,
    findOne: findDocument,
    translate: remoteTranslate(model, access, findDocument),
    count: async (type, params) => {
      check(type);
      return count(find, type, params);
    },
    write: async (type, writes, options) => {
      check(type);
      const typed = writes.map((write) => ({ ...write, type }));
      if (pending === null) return send(typed, options);
      const chosen = writes.map(identified);
      pending.push(...chosen.map((write) => ({ ...write, type })));
      return chosen.map(({ documentId }) => ({ documentId, document: { documentId } }));
    },
  };
}
