import type { FastifyRequest } from 'fastify';
import { countAccess, requireUserById, requireUserCaller } from '../../../access/accounts/account-context.js';
import type { AccountContext, UserWriteOptions } from '../../../access/accounts/account-context.js';
import { changeUser, createUser, removeUserAs } from '../../../access/accounts/users.js';
import { USER_UID } from '../../../model/content-types/builtin-types.js';
import { createError } from '../../../errors/catalogue.js';
import { deepFreeze, isRecord } from '../../../lib/records.js';
import { typeOf } from '../../../model/lookup.js';
import type { ContentType } from '../../../model/model.js';
import { fromClient } from '../../../query/read-access.js';
import { parseReadQuery, parseSelection } from '../../../query/parse/parse-read-query.js';
import type { ReadQuery } from '../../../query/query.js';
import type { ReadAccess } from '../../../query/read-access.js';
import { sendJson } from '../envelope.js';
import { callerOf } from '../../http/request-lifecycle.js';
import { idParameterOf, queryOf } from '../handler.js';
import type { Handlers, RestDependencies } from '../handler.js';

/** Context shared by the handlers of users. */
interface UserHandlerContext {
  readonly dependencies: RestDependencies;
  readonly accounts: AccountContext;
  readonly type: ContentType;
}

const readAccessOf = ({ dependencies }: UserHandlerContext, request: FastifyRequest): ReadAccess =>
  dependencies.access.readAccessOf(callerOf(request));

/** Parses a request for users. Without pagination, a list has the maximum that one request may read. */
const readQuery = (
  context: UserHandlerContext,
  request: FastifyRequest,
  action: string,
  {
    isList,
    access = readAccessOf(context, request),
  }: { readonly isList: boolean; readonly access?: ReadAccess },
): ReadQuery => {
  const {
    type,
    dependencies: {
      model,
      limits,
      access: { locales },
    },
  } = context;
  const params = queryOf(request);
  const { start, limit, ...rest } = params;
  const pagination =
    rest['pagination'] ??
    (start === undefined && limit === undefined ? { limit: String(limits.maxLimit) } : { start, limit });
  const query = parseReadQuery(
    model,
    type.uid,
    { ...rest, pagination },
    { limits, access, action, defaultLocale: locales.defaultCode(), paginated: isList },
  );
  return deepFreeze(fromClient(query, { access, action, params }));
};

/** Returns the document id of the user whose numeric id is in the path. Throws `request/not-found`. */
const requireDocumentId = async (
  { accounts }: UserHandlerContext,
  request: FastifyRequest,
): Promise<string> => {
  const user = await requireUserById(accounts.users, idParameterOf(request));
  return user.documentId;
};

const readRecord = async (
  { dependencies }: UserHandlerContext,
  query: ReadQuery,
  documentId: string,
): Promise<string> => {
  const record = await dependencies.documents.findOne(query, documentId);
  if (record === null) throw createError('request/not-found');
  return record;
};

const bodyOf = (request: FastifyRequest): Readonly<Record<string, unknown>> => {
  if (!isRecord(request.body)) throw createError('request/invalid-body');
  return request.body;
};

/** Returns the options of a write, whose response is the record, by default with its role. */
const writeOptionsOf = (
  context: UserHandlerContext,
  request: FastifyRequest,
  action: 'create' | 'update',
): UserWriteOptions => {
  const { model, limits } = context.dependencies;
  const access = readAccessOf(context, request);
  const { fields, populate = ['role'] } = queryOf(request);
  return {
    access,
    selection: parseSelection(model, USER_UID, { fields, populate }, { limits, access, action }),
  };
};

const readHandlers = (context: UserHandlerContext) => {
  const { documents } = context.dependencies;
  return {
    findUsers: async (request, reply) => {
      const { records } = await documents.findMany(readQuery(context, request, 'find', { isList: true }));
      return sendJson(reply, 200, `[${records.join(',')}]`);
    },
    countUsers: async (request, reply) =>
      sendJson(
        reply,
        200,
        String(
          await documents.count(
            readQuery(context, request, 'count', {
              isList: false,
              access: countAccess(readAccessOf(context, request)),
            }),
          ),
        ),
      ),
    me: async (request, reply) => {
      const { documentId } = requireUserCaller(callerOf(request));
      return sendJson(
        reply,
        200,
        await readRecord(context, readQuery(context, request, 'me', { isList: false }), documentId),
      );
    },
    findUser: async (request, reply) =>
      sendJson(
        reply,
        200,
        await readRecord(
          context,
          readQuery(context, request, 'findOne', { isList: false }),
          await requireDocumentId(context, request),
        ),
      ),
  } satisfies Handlers;
};

const writeHandlers = (context: UserHandlerContext) => {
  const { accounts } = context;
  return {
    createUser: async (request, reply) =>
      sendJson(
        reply,
        201,
        (await createUser(accounts, bodyOf(request), writeOptionsOf(context, request, 'create'))).record,
      ),
    updateUser: async (request, reply) => {
      const documentId = await requireDocumentId(context, request);
      return sendJson(
        reply,
        200,
        await changeUser(accounts, documentId, bodyOf(request), writeOptionsOf(context, request, 'update')),
      );
    },
    destroyUser: async (request, reply) => {
      const { model, limits, access } = context.dependencies;
      const userAccess = readAccessOf(context, request);
      const { fields, populate } = queryOf(request);
      const record = await removeUserAs(accounts, {
        documentId: await requireDocumentId(context, request),
        access: userAccess,
        selection: parseSelection(
          model,
          USER_UID,
          { fields, populate },
          { limits, access: userAccess, action: 'destroy' },
        ),
        locale: access.locales.defaultCode(),
      });
      return sendJson(reply, 200, record);
    },
  } satisfies Handlers;
};

/** Returns the handlers of users, whose records have no envelope and are addressed by numeric ids. */
export function userHandlers(dependencies: RestDependencies, accounts: AccountContext) {
  const context: UserHandlerContext = {
    dependencies,
    accounts,
    type: typeOf(dependencies.model, USER_UID),
  };
  return { ...readHandlers(context), ...writeHandlers(context) };
}
