import { getNamedType, isObjectType } from 'graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { ROLE_UID, USER_UID } from '../../content-types/builtin/registry.js';
import { fail } from '../../errors/catalogue.js';
import { parseReadQuery, parseSelection } from '../../query/parse-read-query.js';
import type { ReadAccess, ReadQuery } from '../../query/query.js';
import type { GraphqlContext } from '../graphql-parts.js';
import { isProjectField, needsRecord } from '../schema/field-marks.js';
import { collectFields } from '../selection/collect-fields.js';
import { parseRecord } from './root-field.js';

const ROLE = 'role';

/** Somebody who has just signed in, with the role. What they may do is not decided by who they were before. */
export async function readSignedIn({ parts, limits }: GraphqlContext, documentId: string): Promise<unknown> {
  const { access, model, documents } = parts;
  const selection = parseSelection(model, USER_UID, { populate: { [ROLE]: true } }, { access: { canFind: () => true }, limits });
  const query: ReadQuery = { type: USER_UID, filter: null, sort: [], selection, page: null, locale: access.locales.defaultCode(), status: 'published', hasPublishedVersion: null };
  const record = await documents.findOne(query, documentId);
  return record === null ? null : parseRecord(record);
}

/** No grant on roles is needed to see one's own. */
const withOwnRole = (rights: ReadAccess): ReadAccess => ({ ...rights, canFind: (uid) => uid === ROLE_UID || rights.canFind(uid) });

interface Requested {
  readonly names: readonly string[];
  /** Project code looks at the record, whose fields are then all read. */
  readonly isWhole: boolean;
}

const requestedOf = (info: GraphQLResolveInfo): Requested => {
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) return { names: [], isWhole: false };
  const requests = collectFields(info, type, info.fieldNodes).flatMap(({ name }) => {
    const field = type.getFields()[name];
    return field === undefined ? [] : [{ name, field }];
  });
  return { names: requests.filter(({ field }) => !isProjectField(field)).map(({ name }) => name), isWhole: requests.some(({ field }) => needsRecord(field)) };
};

/** `me`: the user who asks, as far as the right to oneself goes. Nobody else has one: an API token is no user. */
export async function resolveMe(_source: unknown, _args: unknown, context: GraphqlContext, info: GraphQLResolveInfo): Promise<unknown> {
  const { parts: { access, model, documents }, caller, rights, limits } = context;
  if (context.project.calls.get(info.path)?.isWaived !== true) access.authorise(caller, USER_UID, 'me');
  if (caller.kind !== 'user') throw fail('request/unauthorized');
  const { names, isWhole } = requestedOf(info);
  const raw = { fields: isWhole ? '*' : names.filter((name) => name !== ROLE), populate: names.includes(ROLE) ? [ROLE] : [] };
  const query = parseReadQuery(model, USER_UID, raw, { access: withOwnRole(rights), limits, action: 'me', defaultLocale: access.locales.defaultCode(), paginated: false });
  const record = await documents.findOne(query, caller.documentId);
  return record === null ? null : parseRecord(record);
}
