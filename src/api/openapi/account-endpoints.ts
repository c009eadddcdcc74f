import { ROLE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import type { JsonSchema } from '../../lib/json.js';
import { typeOf } from '../../model/lookup.js';
import type { AccountOperation } from '../rest/routes/account-routes.js';
import { BOOLEAN, INTEGER, MOMENT, TEXT, listOf, nullable, objectOf, recordOf } from './schema-book.js';
import type { SchemaBook } from './schema-book.js';
import { answer, jsonBody, parameter } from './endpoint.js';
import type { Endpoint, OpenapiObject } from './endpoint.js';
import { listParameters, shapeParameters } from './query-parameters.js';

type EndpointParts = Omit<Endpoint, 'operationId' | 'tag'>;

const OK = recordOf({ ok: BOOLEAN });

const TO_PAGE = { 302: { description: 'The page of the service, or of the front end.' } };

const texts = (...names: readonly string[]): OpenapiObject =>
  jsonBody(recordOf(Object.fromEntries(names.map((name) => [name, TEXT]))));

const signedIn = (book: SchemaBook): Readonly<Record<string, OpenapiObject>> => {
  const user = book.of(USER_UID, '');
  return { 200: answer('The user, signed in.', objectOf({ jwt: TEXT, refreshToken: TEXT, user }, ['user'])) };
};

const authEndpoints = (book: SchemaBook) =>
  ({
    login: { callers: 'everybody', requestBody: texts('identifier', 'password'), answers: signedIn(book) },
    register: {
      callers: 'everybody',
      requestBody: jsonBody({
        ...recordOf({ username: TEXT, email: { type: 'string', format: 'email' }, password: TEXT }),
        additionalProperties: true,
      }),
      answers: signedIn(book),
    },
    forgotPassword: {
      callers: 'everybody',
      requestBody: texts('email'),
      answers: { 200: answer('Whether or not there is such a user.', OK) },
    },
    resetPassword: {
      callers: 'everybody',
      requestBody: texts('code', 'password', 'passwordConfirmation'),
      answers: signedIn(book),
    },
    changePassword: {
      callers: 'users',
      requestBody: texts('currentPassword', 'password', 'passwordConfirmation'),
      answers: signedIn(book),
    },
    confirmEmail: {
      callers: 'everybody',
      parameters: [{ ...parameter('confirmation', TEXT, 'The code that was sent.'), required: true }],
      answers: {
        ...signedIn(book),
        302: { description: 'The page that the project shows afterwards.' },
      },
    },
    sendConfirmation: {
      callers: 'everybody',
      requestBody: texts('email'),
      answers: {
        200: answer('Whether or not there is such a user.', recordOf({ email: TEXT, sent: BOOLEAN })),
      },
    },
    connect: {
      callers: 'everybody',
      parameters: [parameter('callback', TEXT, 'The page that is shown at the end.')],
      answers: TO_PAGE,
    },
    connectCallback: { callers: 'everybody', answers: TO_PAGE },
    providerCallback: {
      callers: 'everybody',
      parameters: [{ ...parameter('access_token', TEXT, 'That of the service.'), required: true }],
      answers: signedIn(book),
    },
    refresh: {
      callers: 'everybody',
      requestBody: jsonBody(objectOf({ refreshToken: TEXT }), false),
      answers: { 200: answer('New tokens.', objectOf({ jwt: TEXT, refreshToken: TEXT }, ['jwt'])) },
    },
    logout: { callers: 'users', answers: { 200: answer('The session has ended.', OK) } },
  }) as const satisfies Readonly<Record<string, EndpointParts>>;

const userEndpoints = (book: SchemaBook) => {
  const type = typeOf(book.model, USER_UID);
  const user = { 200: answer('The user.', book.of(USER_UID, '')) };
  const shape = shapeParameters(book, type);
  const list = listParameters(book, type);
  const range = [parameter('start', INTEGER, 'The first user.'), parameter('limit', INTEGER, 'How many.')];
  return {
    findUsers: {
      parameters: [...list, ...range],
      answers: { 200: answer('Users.', listOf(book.of(USER_UID, ''))) },
    },
    countUsers: {
      parameters: list.filter(({ name }) => name === 'filters'),
      answers: { 200: answer('How many there are.', INTEGER) },
    },
    me: { callers: 'users', parameters: shape, answers: user },
    findUser: { parameters: shape, answers: user },
    createUser: {
      parameters: shape,
      requestBody: jsonBody(book.of(USER_UID, 'Input')),
      answers: { 201: user[200] },
    },
    updateUser: {
      parameters: shape,
      requestBody: jsonBody(book.of(USER_UID, 'PartialInput')),
      answers: user,
    },
    destroyUser: { parameters: shape, answers: user },
  } as const satisfies Readonly<Record<string, EndpointParts>>;
};

/** Everything that can be granted: controllers by the plugin or type that they belong to. */
const PERMISSIONS: JsonSchema = {
  type: 'object',
  additionalProperties: recordOf({
    controllers: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: objectOf({ enabled: BOOLEAN, policy: TEXT }, ['enabled']),
      },
    },
  }),
};

const ROLE: Readonly<Record<string, JsonSchema>> = {
  id: INTEGER,
  documentId: TEXT,
  name: TEXT,
  description: nullable(TEXT),
  type: nullable(TEXT),
  createdAt: MOMENT,
  updatedAt: MOMENT,
  publishedAt: MOMENT,
  nb_users: INTEGER,
};

const ROLE_BODY = { name: TEXT, description: TEXT, type: TEXT, permissions: PERMISSIONS };

const roleEndpoints = () => {
  const done = { 200: answer('Done.', OK) };
  return {
    findRoles: { answers: { 200: answer('Roles.', recordOf({ roles: listOf(recordOf(ROLE)) })) } },
    findRole: {
      answers: {
        200: answer(
          'The role with its permissions.',
          recordOf({ role: recordOf({ ...ROLE, permissions: PERMISSIONS }) }),
        ),
      },
    },
    createRole: { requestBody: jsonBody(objectOf(ROLE_BODY, ['name'])), answers: done },
    updateRole: { requestBody: jsonBody(objectOf(ROLE_BODY)), answers: done },
    deleteRole: { answers: done },
    getPermissions: {
      answers: { 200: answer('Everything that can be granted.', recordOf({ permissions: PERMISSIONS })) },
    },
  } as const satisfies Readonly<Record<string, EndpointParts>>;
};

/** Describes an endpoint of accounts. `uid`: the type that its route names. */
export function accountEndpoint(book: SchemaBook, operation: AccountOperation, uid: string): Endpoint {
  const parts: Readonly<Record<AccountOperation, EndpointParts>> = {
    ...authEndpoints(book),
    ...userEndpoints(book),
    ...roleEndpoints(),
  };
  const tag = uid === ROLE_UID ? 'Roles' : 'Users';
  return { operationId: operation, tag, ...parts[operation] };
}
