import type { FastifyRequest } from 'fastify';
import type { DocumentTrash } from '../../documents/documents.js';
import { createError } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import { invalidParameter } from '../../query/read-context.js';
import { printOne, sendJson } from './envelope.js';
import { callerOf } from '../http/request-lifecycle.js';
import { queryOf } from './handler.js';
import type { Handler, RestDependencies } from './handler.js';

const MAX_LISTED = 1000;
const DEFAULT_LISTED = 100;

/** Parses the id of an entry, or a number of entries. */
const parseNumber = (name: string, value: unknown): number => {
  if (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw invalidParameter(name, 'it must be a whole number from 1.');
};

const entryOf = (request: FastifyRequest): number =>
  parseNumber('entry', (request.params as { readonly entry?: string }).entry);

type Print = (
  trash: DocumentTrash,
  entry: { readonly id: number; readonly type: string },
  access: ReturnType<RestDependencies['access']['readAccessOf']>,
) => Promise<string | null>;

/** Creates the handler of a request about one entry. `print` returns null if there is none. */
const entryHandler =
  (print: Print) =>
  ({ access, documents }: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const entry = { id: entryOf(request), type: type.uid };
    const text = await print(documents.trash, entry, access.readAccessOf(callerOf(request)));
    if (text === null) throw createError('request/not-found');
    return sendJson(reply, 200, text);
  };

/** GET /api/articles/trash */
const findTrash =
  ({ access, documents }: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    const { limit, before } = queryOf(request);
    const filter = {
      types: [type.uid],
      limit: Math.min(limit === undefined ? DEFAULT_LISTED : parseNumber('limit', limit), MAX_LISTED),
      before: before === undefined ? undefined : parseNumber('before', before),
    };
    const entries = await documents.trash.list(filter, access.readAccessOf(callerOf(request)));
    return sendJson(reply, 200, printOne(JSON.stringify(entries)));
  };

/** GET /api/articles/trash/:entry */
const findDeleted = entryHandler(async (trash, entry, access) => {
  const found = await trash.find(entry, access);
  return found === null ? null : printOne(JSON.stringify(found));
});

/** POST /api/articles/trash/:entry/restore */
const restoreDeleted = entryHandler(async (trash, entry, access) => {
  const restored = await trash.restore(entry, access);
  return restored === null ? null : printOne(JSON.stringify(restored));
});

/** DELETE /api/articles/trash/:entry: 204 even if there is no such entry, like other deletions. */
const purgeDeleted =
  ({ documents }: RestDependencies, type: ContentType): Handler =>
  async (request, reply) => {
    await documents.trash.purge({ ids: [entryOf(request)], types: [type.uid] });
    return reply.code(204).send();
  };

/** The handlers of deleted documents, for one content type. */
export const TRASH_HANDLERS = { findTrash, findDeleted, restoreDeleted, purgeDeleted } as const;
