import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.js';
import type { PeopleContext, UserAnswer } from '../../access/people/people.js';
import { changeUser } from '../../access/people/change-user.js';
import { createUser } from '../../access/people/create-user.js';
import { removeUser } from '../../access/people/remove-user.js';
import { USER_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { ContentType, Uid } from '../../model/model.js';
import { parseReadQuery, parseSelection } from '../../query/parse-read-query.js';
import type { AccessLimits, ReadAccess, ReadQuery } from '../../query/query.js';
import { callerOf } from '../guard.js';
import { queryOf } from '../request-params.js';
import type { RestParts } from '../rest-parts.js';
import { sendJson } from '../send-json.js';
import type { PeopleHandlers } from './route.js';


/** Everything the handlers of users share. */
interface Users {
  readonly parts: RestParts;
  readonly people: PeopleContext;
  readonly type: ContentType;
}

const rightsOf = ({ parts }: Users, request: FastifyRequest): ReadAccess => parts.access.accessOf(callerOf(request));

/** Users are listed up to the highest limit where the request does not say how many. */
const readQuery = (users: Users, request: FastifyRequest, action: string, { many, access = rightsOf(users, request) }: { readonly many: boolean; readonly access?: ReadAccess }): ReadQuery => {
  const { type, parts: { model, limits, access: { locales } } } = users;
  const { start, limit, ...query } = queryOf(request);
  const pagination = query['pagination'] ?? (start === undefined && limit === undefined ? { limit: String(limits.maxLimit) } : { start, limit });
  return parseReadQuery(model, type.uid, { ...query, pagination }, { limits, access, action, defaultLocale: locales.defaultCode(), paginated: many });
};

/** The user's document, by the numeric id in the path. */
const documentIdOf = async ({ people }: Users, request: FastifyRequest): Promise<string> => {
  const { id = '' } = request.params as { readonly id?: string };
  const user = /^[1-9]\d{0,14}$/.test(id) ? await people.users.byId(Number(id)) : null;
  if (user === null) throw fail('request/not-found');
  return user.documentId;
};

const recordOf = async ({ parts }: Users, query: ReadQuery, documentId: string): Promise<string> => {
  const record = await parts.documents.findOne(query, documentId);
  if (record === null) throw fail('request/not-found');
  return record;
};

const bodyOf = (request: FastifyRequest): Readonly<Record<string, unknown>> => {
  if (!isRecord(request.body)) throw fail('request/no-body');
  return request.body;
};

const requireUser = (caller: Caller): Caller & { readonly kind: 'user' } => {
  if (caller.kind !== 'user') throw fail('request/unauthorized');
  return caller;
};

const NO_FIELDS: ReadonlySet<string> = new Set();

/** Whom a count may count is what the right to count says; what it may be asked by is what finding shows, else it would tell of the rest. */
const countAccess = (rights: ReadAccess): ReadAccess => {
  const limitsOf = (uid: Uid, action: string): AccessLimits | null => rights.limitsOf?.(uid, action) ?? null;
  const fields = rights.canFind(USER_UID) ? limitsOf(USER_UID, 'find')?.fields ?? null : NO_FIELDS;
  return { ...rights, limitsOf: (uid, action) => (uid === USER_UID && action === 'count' ? { filter: limitsOf(uid, action)?.filter ?? null, fields } : limitsOf(uid, action)) };
};

/** What finding shows of a user who is to go; nothing but the ids where it would not show that user. */
const partingRecord = async (users: Users, request: FastifyRequest, documentId: string): Promise<string> => {
  const { parts: { model, limits, access } } = users;
  const rights = rightsOf(users, request);
  const { fields, populate } = queryOf(request);
  const selection = parseSelection(model, USER_UID, { fields, populate }, { limits, access: rights, action: 'destroy' });
  const filter = rights.canFind(USER_UID) ? rights.limitsOf?.(USER_UID, 'find')?.filter ?? null : null;
  const query: ReadQuery = { type: USER_UID, filter, sort: [], selection, page: null, locale: access.locales.defaultCode(), status: 'published', hasPublishedVersion: null };
  return (await users.parts.documents.findOne(query, documentId)) ?? recordOf(users, { ...query, filter: null, selection: { fields: [], populate: [] } }, documentId);
};

/** What a write answers: the record, with its role where nothing else is asked for. */
const writing = (users: Users, request: FastifyRequest, action: 'create' | 'update'): UserAnswer => {
  const { model, limits } = users.parts;
  const access = rightsOf(users, request);
  const { fields, populate = ['role'] } = queryOf(request);
  return { access, selection: parseSelection(model, USER_UID, { fields, populate }, { limits, access, action }) };
};

const readHandlers = (users: Users) => {
  const { documents } = users.parts;
  return {
    findUsers: async (request, reply) => {
      const { records } = await documents.findMany(readQuery(users, request, 'find', { many: true }));
      return sendJson(reply, 200, `[${records.join(',')}]`);
    },
    countUsers: async (request, reply) => sendJson(reply, 200, String(await documents.count(readQuery(users, request, 'count', { many: false, access: countAccess(rightsOf(users, request)) })))),
    me: async (request, reply) => {
      const { documentId } = requireUser(callerOf(request));
      return sendJson(reply, 200, await recordOf(users, readQuery(users, request, 'me', { many: false }), documentId));
    },
    findUser: async (request, reply) => sendJson(reply, 200, await recordOf(users, readQuery(users, request, 'findOne', { many: false }), await documentIdOf(users, request))),
  } satisfies PeopleHandlers;
};

const writeHandlers = (users: Users) => {
  const { people } = users;
  return {
    createUser: async (request, reply) => sendJson(reply, 201, (await createUser(people, bodyOf(request), writing(users, request, 'create'))).record),
    updateUser: async (request, reply) => {
      const documentId = await documentIdOf(users, request);
      return sendJson(reply, 200, await changeUser(people, documentId, bodyOf(request), writing(users, request, 'update')));
    },
    destroyUser: async (request, reply) => {
      const documentId = await documentIdOf(users, request);
      const record = await partingRecord(users, request, documentId);
      await removeUser(people, documentId, rightsOf(users, request));
      return sendJson(reply, 200, record);
    },
  } satisfies PeopleHandlers;
};

/** Users as records. They are outside the envelope, and addressed by their numeric id. */
export function userHandlers(parts: RestParts, people: PeopleContext) {
  const type = parts.model.typesByUid[USER_UID];
  if (type === undefined) throw new TypeError(`The model lacks ${USER_UID}.`);
  const users: Users = { parts, people, type };
  return { ...readHandlers(users), ...writeHandlers(users) };
}
