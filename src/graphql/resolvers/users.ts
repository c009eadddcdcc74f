import { changeUser } from '../../access/people/change-user.js';
import { createUser } from '../../access/people/create-user.js';
import type { UserAnswer } from '../../access/people/people.js';
import { removeUser } from '../../access/people/remove-user.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { ContentType } from '../../model/model.js';
import { typeOf } from '../../query/read-context.js';
import type { ServiceCall } from '../graphql-parts.js';
import { planRoot, shownAction } from '../selection/plan-read.js';
import { toData } from '../selection/to-data.js';
import { parseRecord } from './root-field.js';

const USER_UID = 'plugin::users-permissions.user';

const userType = ({ context }: ServiceCall): ContentType => typeOf(context.parts.model, USER_UID);

const answerOf = (call: ServiceCall, action: string): UserAnswer => {
  const type = userType(call);
  const { context, info } = call;
  return { access: context.rights, selection: planRoot({ context, info, type, action: shownAction(context, type, action), under: 'data' }) };
};

const dataOf = (call: ServiceCall): Readonly<Record<string, unknown>> => {
  const data = toData(call.context.parts.model, userType(call), call.args['data']);
  return isRecord(data) ? data : {};
};

/** Users are addressed by their numeric id. */
const documentIdOf = async ({ args, context }: ServiceCall): Promise<string> => {
  const { id } = args;
  const user = typeof id === 'string' && /^[1-9]\d{0,14}$/.test(id) ? await context.parts.people.users.byId(Number(id)) : null;
  if (user === null) throw fail('request/not-found');
  return user.documentId;
};

export async function addUser(call: ServiceCall): Promise<unknown> {
  const { record } = await createUser(call.context.parts.people, { provider: 'local', ...dataOf(call) }, answerOf(call, 'create'));
  return { data: parseRecord(record) };
}

export async function updateUser(call: ServiceCall): Promise<unknown> {
  const answer = answerOf(call, 'update');
  return { data: parseRecord(await changeUser(call.context.parts.people, await documentIdOf(call), dataOf(call), answer)) };
}

/** Answers the user that was. */
export async function deleteUser(call: ServiceCall): Promise<unknown> {
  const { people, documents, access } = call.context.parts;
  const { selection } = answerOf(call, 'destroy');
  const documentId = await documentIdOf(call);
  const query = { type: USER_UID, filter: null, sort: [], selection, page: null, locale: access.locales.defaultCode(), status: 'published', hasPublishedVersion: null } as const;
  const record = await documents.findOne(query, documentId);
  if (record === null || !(await removeUser(people, documentId, call.context.rights))) throw fail('request/not-found');
  return { data: parseRecord(record) };
}
