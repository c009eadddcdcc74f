import { getNamedType, isObjectType } from 'graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { requireUserCaller } from '../../../access/accounts/require-user.js';
import { withOwnRole } from '../../../access/accounts/user-access.js';
import { USER_UID } from '../../../model/content-types/builtin/registry.js';
import { fromClient } from '../../../query/client-request.js';
import { parseReadQuery, parseSelection } from '../../../query/parse/parse-read-query.js';
import { publishedQuery } from '../../../query/parse/published-query.js';
import type { GraphqlContext } from '../graphql-context.js';
import { isProjectField, needsRecord } from '../schema/field-marks.js';
import { collectFields } from '../selection/collect-fields.js';
import { parseRecord } from './root-field.js';

const ROLE = 'role';

/**
 * Reads a user with the role, for the response to signing in. No permission is checked: the request's caller
 * was not that user yet.
 */
export async function readUserWithRole(
  { dependencies, limits }: GraphqlContext,
  documentId: string,
): Promise<unknown> {
  const { access, model, documents } = dependencies;
  const selection = parseSelection(
    model,
    USER_UID,
    { populate: { [ROLE]: true } },
    { access: { canFind: () => true }, limits },
  );
  const query = publishedQuery(USER_UID, selection, { locale: access.locales.defaultCode() });
  const record = await documents.findOne(query, documentId);
  return record === null ? null : parseRecord(record);
}

interface RequestedFields {
  readonly names: readonly string[];
  /** True if project code needs all fields of the record. */
  readonly needsWholeRecord: boolean;
}

const requestedFieldsOf = (info: GraphQLResolveInfo): RequestedFields => {
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) return { names: [], needsWholeRecord: false };
  const requests = collectFields(info, type, info.fieldNodes).flatMap(({ name }) => {
    const field = type.getFields()[name];
    return field === undefined ? [] : [{ name, field }];
  });
  return {
    names: requests.filter(({ field }) => !isProjectField(field)).map(({ name }) => name),
    needsWholeRecord: requests.some(({ field }) => needsRecord(field)),
  };
};

/**
 * Resolves `me` to the signed-in user. The permission `me` decides which attributes are shown.
 *
 * @throws `request/unauthorized` for API tokens and anonymous callers
 */
export async function resolveMe(
  _source: unknown,
  _args: unknown,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
): Promise<unknown> {
  const {
    dependencies: { access, model, documents },
    caller,
    rights,
    limits,
  } = context;
  if (context.project.calls.get(info.path)?.isAuthorisationSkipped !== true)
    access.authorise(caller, USER_UID, 'me');
  const { documentId } = requireUserCaller(caller);
  const { names, needsWholeRecord } = requestedFieldsOf(info);
  const raw = {
    fields: needsWholeRecord ? '*' : names.filter((name) => name !== ROLE),
    populate: names.includes(ROLE) ? [ROLE] : [],
  };
  const ownRights = withOwnRole(rights);
  const query = parseReadQuery(model, USER_UID, raw, {
    access: ownRights,
    limits,
    action: 'me',
    defaultLocale: access.locales.defaultCode(),
    paginated: false,
  });
  const request = { access: ownRights, action: 'me' };
  const record = await documents.findOne(fromClient(query, request), documentId);
  return record === null ? null : parseRecord(record);
}
