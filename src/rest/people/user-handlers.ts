import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/access.js';
import type { PeopleContext, UserAnswer } from '../../access/people/people.js';
import { changeUser } from '../../access/people/change-user.js';
import { createUser } from '../../access/people/create-user.js';
import { removeUser } from '../../access/people/remove-user.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { ContentType } from '../../model/model.js';
import { parseReadQuery, parseSelection } from '../../query/parse-read-query.js';
import type { ReadAccess, ReadQuery } from '../../query/query.js';
import { callerOf } from '../guard.js';
import { queryOf } from '../request-params.js';
import type { RestParts } from '../rest-parts.js';
import { sendJson } from '../send-json.js';
import type { PeopleHandlers } from './route.js';

const USER = 'plugin::users-permissions.user';

/** Everything the handlers of users share. */
interface Users {
  readonly parts: RestParts;
  readonly people: PeopleContext;
  readonly type: ContentType;
}

const rightsOf = ({ parts }: Users, request: FastifyRequest): ReadAccess => parts.access.accessOf(callerOf(request));

/** Users are listed up to the highest limit where the request does not say how many. */
const readQuery = (users: Users, request: FastifyRequest, action: string, many: boolean): ReadQuery => {
  const { type, parts: { model, limits, access } } = users;
  const { start, limit, ...query } = queryOf(request);
  const pagination = query['pagination'] ?? (start === undefined && limit === undefined ? { limit: String(limits.maxLimit) } : { start, limit });
  return parseReadQuery(model, type.uid, { ...query, pagination }, { limits, access: rightsOf(users, request), action, defaultLocale: access.locales.defaultCode(), paginated: many });
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

/** What a write answers: the record, with its role where nothing else is asked for. */
const writing = (users: Users, request: FastifyRequest, action: 'create' | 'update'): UserAnswer => {
  const { model, limits } = users.parts;
  const access = rightsOf(users, request);
  const { fields, populate = ['role'] } = queryOf(request);
  return { access, selection: parseSelection(model, USER, { fields, populate }, { limits, access, action }) };
};

const readHandlers = (users: Users) => {
  const { documents } = users.parts;
  return {
    findUsers: async (request, reply) => {
      const { records } = await documents.findMany(readQuery(users, request, 'find', true));
      return sendJson(reply, 200, `[${records.join(',')}]`);
    },
    countUsers: async (request, reply) => sendJson(reply, 200, String(await documents.count(readQuery(users, request, 'count', false)))),
    me: async (request, reply) => {
      const { documentId } = requireUser(callerOf(request));
      return sendJson(reply, 200, await recordOf(users, readQuery(users, request, 'me', false), documentId));
    },
    findUser: async (request, reply) => sendJson(reply, 200, await recordOf(users, readQuery(users, request, 'findOne', false), await documentIdOf(users, request))),
  } satisfies PeopleHandlers;
};

const writeHandlers = (users: Users) => {
  const { people } = users;
  return {
    createUser: async (request, reply) => sendJson(reply, 201, (await createUser(people, { provider: 'local', ...bodyOf(request) }, writing(users, request, 'create'))).record),
    updateUser: async (request, reply) => {
      const documentId = await documentIdOf(users, request);
      return sendJson(reply, 200, await changeUser(people, documentId, bodyOf(request), writing(users, request, 'update')));
    },
    destroyUser: async (request, reply) => {
      const documentId = await documentIdOf(users, request);
      const record = await recordOf(users, readQuery(users, request, 'destroy', false), documentId);
      await removeUser(people, documentId, rightsOf(users, request));
      return sendJson(reply, 200, record);
    },
  } satisfies PeopleHandlers;
};

/** Users as records. They are outside the envelope, and addressed by their numeric id. */
export function userHandlers(parts: RestParts, people: PeopleContext) {
  const type = parts.model.typesByUid[USER];
  if (type === undefined) throw new TypeError(`The model lacks ${USER}.`);
  const users: Users = { parts, people, type };
  return { ...readHandlers(users), ...writeHandlers(users) };
}
