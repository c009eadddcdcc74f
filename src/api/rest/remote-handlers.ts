import { permissionOf } from '../../access/permissions/actions.js';
import type { ImportProgress } from '../../documents/documents.js';
import { parseBulkItems, requiredAction } from '../../documents/write/parse-bulk-items.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { parseFileId } from '../../media/file-records.js';
import type { MediaMaintenance, Regeneration } from '../../media/media.js';
import type { FileUsage, UsedFile } from '../../media/usages.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType, Uid } from '../../model/model.js';
import { outlineModel } from '../../model/outline.js';
import { hidesDrafts } from '../../query/read-access.js';
import { defaultSelection } from '../../query/parse/server-queries.js';
import { parseReadQuery } from '../../query/parse/parse-read-query.js';
import { READ_PARAMETERS, shorten, invalidParameter } from '../../query/read-context.js';
import { callerOf, clientSignalOf } from '../http/request-lifecycle.js';
import { ADMINISTRATION_OPERATIONS, runOperation } from '../administration/administration.js';
import type { NamedOperation } from '../administration/administration.js';
import type { AdministrationContext } from '../administration/operation.js';
import { parseFlag, printOutcomes } from './bulk-handler.js';
import { bodyOfMany, sendBody, sendJson } from './envelope.js';
import { idParameterOf, queryOf } from './handler.js';
import type { Handler, RemoteDependencies, RestDependencies } from './handler.js';
import type { RemoteOperation } from './routes/rest-routes.js';

/** Kinds of errors that have the same meaning in all requests. */
const KEPT_KINDS: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'unavailable',
  'internal',
  'rate-limited',
]);

/**
 * Returns the error that a remote command reports as its own. A command that fails is not a server error, and
 * something missing in it is not a missing endpoint.
 */
const toPublished = (error: unknown): unknown => {
  if (!isGalleyError(error) || KEPT_KINDS.has(error.kind)) return error;
  const { code, hint = '', message, details } = error;
  const published = { ...details, code, hint };
  return createError('access/operation-rejected', { reason: message }, { details: published, cause: error });
};

/** Returns the handlers of the endpoints for remote commands that administer a server, by operation. */
export function administrationHandlers(
  { access }: Pick<RestDependencies, 'access'>,
  context: Omit<AdministrationContext, 'grants' | 'rights'>,
): Readonly<Record<string, Handler>> {
  const handlerOf =
    (operation: NamedOperation): Handler =>
    async (request, reply) => {
      const caller = callerOf(request);
      const rights = { grants: caller.grants, rights: access.readAccessOf(caller) };
      try {
        const data = (await runOperation(operation, { ...context, ...rights }, request.body ?? {})) ?? null;
        if (operation.action === 'write') await access.refresh();
        return await sendJson(reply.header('cache-control', 'no-store'), 200, JSON.stringify({ data }));
      } catch (error) {
        throw toPublished(error);
      }
    };
  return Object.fromEntries(
    ADMINISTRATION_OPERATIONS.map((operation) => [operation.id, handlerOf(operation)]),
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const isUsedFile = (value: unknown): value is UsedFile =>
  isRecord(value) && isText(value['documentId']) && isTexts(value['keys']) && isText(value['url']);

const listOf = <T>(body: unknown, isItem: (value: unknown) => value is T): readonly T[] => {
  const data: unknown = isRecord(body) ? body['data'] : undefined;
  if (Array.isArray(data) && data.every(isItem)) return data;
  throw createError('request/invalid-body');
};

/** POST /api/cms/media/usages: the usages of files. With `?once=true`, at most one usage of each file. */
const findUsages =
  (media: MediaMaintenance): Handler =>
  async (request, reply) => {
    const files = listOf(request.body, isUsedFile);
    const isOnce = parseFlag('once', queryOf(request)['once'], false);
    const usages: FileUsage[] = [];
    const seen = new Set<string>();
    await media.findUsages(files, (usage) => {
      if (isOnce && seen.has(usage.file)) return;
      seen.add(usage.file);
      usages.push(usage);
    });
    return sendJson(reply, 200, JSON.stringify({ data: usages }));
  };

/** GET /api/cms/media/strays: stored objects without a file; null if the store cannot list its objects. */
const findStrays =
  (media: MediaMaintenance): Handler =>
  async (_request, reply) =>
    sendJson(reply, 200, JSON.stringify({ data: await media.findStrays() }));

/** POST /api/cms/media/strays/delete: removes the named objects, unless a file uses them. */
const removeStrays =
  (media: MediaMaintenance): Handler =>
  async (request, reply) => {
    const names = new Set(listOf(request.body, isText));
    const strays = (await media.findStrays()) ?? [];
    const removed = strays.map(({ name }) => name).filter((name) => names.has(name));
    await media.removeStrays(removed);
    return sendJson(reply, 200, JSON.stringify({ data: removed }));
  };

/**
 * Regenerates the copies of one file. Rethrows failures as errors that the caller may see, since a defect of
 * a stored file is not a server error.
 */
const regenerateOne = async (media: MediaMaintenance, id: number): Promise<Regeneration | null> => {
  try {
    return await media.regenerate(id);
  } catch (error) {
    if (!isGalleyError(error) || error.kind !== 'failure') throw error;
    throw createError('media/not-regenerated', { reason: error.message }, { cause: error });
  }
};

/** POST /api/cms/media/:id/regenerate: one image per request, since each may take seconds. */
const regenerateFormats =
  (media: MediaMaintenance): Handler =>
  async (request, reply) => {
    const data = await regenerateOne(media, parseFileId(idParameterOf(request)));
    return sendJson(reply, 200, JSON.stringify({ data }));
  };

/** Returns the handlers with which remote commands maintain stored files. */
function remoteMediaHandlers(media: MediaMaintenance) {
  return {
    findUsages: findUsages(media),
    findStrays: findStrays(media),
    removeStrays: removeStrays(media),
    regenerateFormats: regenerateFormats(media),
  };
}

/** GET /api/cms/about */
const about = (
  { access, limits, maxBulk, bulkBodyLimit, model }: RestDependencies,
  { version }: RemoteDependencies,
): Handler => {
  const schemas = outlineModel(model);
  return async (request, reply) => {
    const token = access.tokenOf(callerOf(request));
    const data = {
      version,
      token: token && { name: token.name, type: token.type, expiresAt: token.expiresAt },
      locales: access.locales.all().map(({ code, isDefault }) => ({ code, isDefault })),
      limits: { page: limits.maxLimit, bulk: maxBulk, body: bulkBodyLimit ?? null },
      keepsProgress: true,
      comparesRevisions: true,
      schemas,
    };
    return sendJson(reply, 200, JSON.stringify({ data }));
  };
};

const requireType = ({ model }: RestDependencies, name: unknown): ContentType => {
  const uid = typeof name === 'string' && Object.hasOwn(model.typesByUid, name) ? name : null;
  if (uid === null) throw invalidParameter('type', 'it must be the uid of a content-type.');
  return typeOf(model, uid);
};

const isReadParameter = (name: string): boolean => READ_PARAMETERS.some((known) => known === name);

/** POST /api/cms/find: the body has room for longer parameters than a URL. */
const findContent = (dependencies: RestDependencies): Handler => {
  const { access, documents, limits, model } = dependencies;
  return async (request, reply) => {
    const { body } = request;
    if (!isRecord(body)) throw createError('request/invalid-body');
    const type = requireType(dependencies, body['type']);
    const params = body['params'] ?? {};
    if (!isRecord(params)) throw invalidParameter('params', 'it must be an object.');
    const unknown = Object.keys(params).find((name) => !isReadParameter(name));
    if (unknown !== undefined)
      throw invalidParameter(`params.${shorten(unknown)}`, `params accepts ${READ_PARAMETERS.join(', ')}.`);
    const caller = callerOf(request);
    const permission = permissionOf(type, 'find');
    access.authorise(caller, permission.uid, permission.action);
    const query = parseReadQuery(model, type.uid, params, {
      limits,
      access: access.readAccessOf(caller),
      defaultLocale: access.locales.defaultCode(),
      paginated: true,
    });
    const found = await documents.findMany(query, clientSignalOf(reply));
    return sendBody(reply, bodyOfMany(found, query.page));
  };
};

/** GET /api/cms/schedules: the scheduled changes of all types that the caller may read, or of one type. */
const listSchedules =
  ({ access, documents, model }: RestDependencies): Handler =>
  async (request, reply) => {
    const { type } = queryOf(request);
    const found = await documents.listScheduled(typeof type === 'string' ? { type } : {});
    const rights = access.readAccessOf(callerOf(request));
    const visible = found.filter(({ type: uid }) => {
      const scheduled = Object.hasOwn(model.typesByUid, uid) ? model.typesByUid[uid] : undefined;
      return scheduled !== undefined && rights.canFind(uid) && !hidesDrafts(rights, scheduled);
    });
    return sendJson(reply, 200, JSON.stringify({ data: visible }));
  };

const PROGRESS_KEY = /^[\w-]{1,64}$/;
const MAX_PROGRESS_LENGTH = 2000;

/** Parses the name of an import, which is a digest. */
const parseProgressKey = (key: unknown): string => {
  if (typeof key === 'string' && PROGRESS_KEY.test(key)) return key;
  throw invalidParameter('key', 'it must have 1 to 64 letters, digits, - and _.');
};

const parseProgress = (progress: unknown): ImportProgress | undefined => {
  if (progress === undefined) return undefined;
  if (!isRecord(progress)) throw invalidParameter('progress', 'it must be an object.');
  const { key, value } = progress;
  if (typeof value !== 'string' || value.length > MAX_PROGRESS_LENGTH)
    throw invalidParameter(
      'progress',
      `its value must be a text of at most ${MAX_PROGRESS_LENGTH} characters.`,
    );
  return { key: parseProgressKey(key), value };
};

/** GET /api/cms/progress: null if no such import was interrupted. */
const findProgress =
  ({ progress }: RemoteDependencies): Handler =>
  async (request, reply) => {
    const data = await progress.find(parseProgressKey(queryOf(request)['key']));
    return sendJson(reply, 200, JSON.stringify({ data }));
  };

/** DELETE /api/cms/progress */
const removeProgress =
  ({ progress }: RemoteDependencies): Handler =>
  async (request, reply) => {
    await progress.remove(parseProgressKey(queryOf(request)['key']));
    return sendJson(reply, 200, JSON.stringify({ data: null }));
  };

/** POST /api/cms/bulk: writes items that name their type, in one transaction. */
const writeContent = (
  { access, documents, maxBulk, model }: RestDependencies,
  { dryRun: runDry }: RemoteDependencies,
): Handler => {
  const findType = (name: unknown): Uid | null => {
    const type = typeof name === 'string' ? model.typesByUid[name] : undefined;
    return type?.origin === 'project' ? type.uid : null;
  };
  return async (request, reply) => {
    const { body } = request;
    if (!isRecord(body)) throw createError('request/invalid-body');
    const query = queryOf(request);
    const caller = callerOf(request);
    const items = parseBulkItems(body['data'], {
      type: findType,
      locale: undefined,
      defaultLocale: access.locales.defaultCode(),
      status: undefined,
      defaultStatus: 'draft',
      access: access.readAccessOf(caller),
      selectionOf: (_action, type) => defaultSelection(model, type),
      maxItems: maxBulk,
      allowsNewIds: true,
    });
    for (const { action, params } of items) {
      const permission = permissionOf(typeOf(model, params.type), requiredAction(action));
      access.authorise(caller, permission.uid, permission.action);
    }
    const progress = parseProgress(body['progress']);
    const bulk = { items, atomic: parseFlag('atomic', query['atomic'], true), progress };
    const outcomes = parseFlag('dryRun', query['dryRun'], false)
      ? await runDry((dryRun) => dryRun.bulk(bulk))
      : await documents.bulk(bulk);
    return sendJson(reply, 200, printOutcomes(outcomes, items));
  };
};

/** Returns the handlers of the endpoints for remote commands. */
export function remoteHandlers(
  dependencies: RestDependencies,
  remote: RemoteDependencies,
): Readonly<Record<RemoteOperation, Handler>> {
  return {
    about: about(dependencies, remote),
    findContent: findContent(dependencies),
    listSchedules: listSchedules(dependencies),
    writeContent: writeContent(dependencies, remote),
    findProgress: findProgress(remote),
    removeProgress: removeProgress(remote),
    ...remoteMediaHandlers(remote.media),
  };
}
