import { changeUser } from '../../access/people/change-user.js';
import { createUser } from '../../access/people/create-user.js';
import type { UserAnswer } from '../../access/people/people.js';
import { removeUser } from '../../access/people/remove-user.js';
import { USER_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { ContentType } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { typeOf } from '../../query/read-context.js';
import type { ServiceCall } from '../graphql-parts.js';
import { planRoot, shownAction } from '../selection/plan-read.js';
import { toData } from '../selection/to-data.js';
import { parseRecord } from './root-field.js';

/** Users and roles are known by numbers, which GraphQL's ID writes as text. */
const NUMBER = /^[1-9]\d{0,14}$/;

const userType = ({ context }: ServiceCall): ContentType => typeOf(context.parts.model, USER_UID);

const answerOf = (call: ServiceCall, action: string): UserAnswer => {
  const type = userType(call);
  const { context, info } = call;
  return { access: context.rights, selection: planRoot({ context, info, type, action: shownAction(context, type, action), under: 'data' }) };
};

const dataOf = (call: ServiceCall): Readonly<Record<string, unknown>> => {
  const data = toData(call.context.parts.model, userType(call), call.args['data']);
  if (!isRecord(data)) return {};
  const { role } = data;
  return typeof role === 'string' && NUMBER.test(role) ? { ...data, role: Number(role) } : data;
};

/** Users are addressed by their numeric id. */
const documentIdOf = async ({ args, context }: ServiceCall): Promise<string> => {
  const { id } = args;
  const user = typeof id === 'string' && NUMBER.test(id) ? await context.parts.people.users.byId(Number(id)) : null;
  if (user === null) throw fail('request/not-found');
  return user.documentId;
};

export async function addUser(call: ServiceCall): Promise<unknown> {
  const { record } = await createUser(call.context.parts.people, dataOf(call), answerOf(call, 'create'));
  return { data: parseRecord(record) };
}

export async function updateUser(call: ServiceCall): Promise<unknown> {
  const answer = answerOf(call, 'update');
  return { data: parseRecord(await changeUser(call.context.parts.people, await documentIdOf(call), dataOf(call), answer)) };
}

/** Answers the user that was, as far as finding shows that user. */
export async function deleteUser(call: ServiceCall): Promise<unknown> {
  const { parts: { people, documents, access }, rights } = call.context;
  const { selection } = answerOf(call, 'destroy');
  const documentId = await documentIdOf(call);
  const filter = rights.canFind(USER_UID) ? rights.limitsOf?.(USER_UID, 'find')?.filter ?? null : null;
  const query: ReadQuery = { type: USER_UID, filter, sort: [], selection, page: null, locale: access.locales.defaultCode(), status: 'published', hasPublishedVersion: null };
  const record = (await documents.findOne(query, documentId)) ?? (await documents.findOne({ ...query, filter: null, selection: { fields: [], populate: [] } }, documentId));
  if (record === null || !(await removeUser(people, documentId, rights))) throw fail('request/not-found');
  return { data: parseRecord(record) };
}
