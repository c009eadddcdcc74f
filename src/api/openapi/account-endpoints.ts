import { ROLE_UID, USER_UID } from '../../model/content-types/builtin-types.js';
import type { JsonSchema } from '../../lib/json.js';
import { typeOf } from '../../model/lookup.js';
import type { AccountOperation } from '../rest/routes/account-routes.js';
import {
  BOOLEAN,
  INTEGER,
  DATE_TIME,
  TEXT,
  listOf,
  nullable,
  objectOf,
  recordOf,
} from './schema-registry.js';
import type { SchemaRegistry } from './schema-registry.js';
import { jsonResponse, jsonBody, parameter } from './endpoint.js';
import type { Endpoint, OpenapiObject } from './endpoint.js';
import { listParameters, shapeParameters } from './query-parameters.js';

type EndpointParts = Omit<Endpoint, 'operationId' | 'tag'>;

const OK = recordOf({ ok: BOOLEAN });

const REDIRECT = { 302: { description: 'Redirects to the service, or to the front end.' } };

const textBody = (...names: readonly string[]): OpenapiObject =>
  jsonBody(recordOf(Object.fromEntries(names.map((name) => [name, TEXT]))));

const sessionResponse = (registry: SchemaRegistry): Readonly<Record<string, OpenapiObject>> => {
  const user = registry.of(USER_UID, '');
  return {
    200: jsonResponse(
      'The signed-in user and the tokens of the session.',
      objectOf({ jwt: TEXT, refreshToken: TEXT, user }, ['user']),
    ),
  };
};

const authEndpoints = (registry: SchemaRegistry) =>
  ({
    login: {
      callers: 'everybody',
      requestBody: textBody('identifier', 'password'),
      responses: sessionResponse(registry),
    },
    register: {
      callers: 'everybody',
      requestBody: jsonBody({
        ...recordOf({ username: TEXT, email: { type: 'string', format: 'email' }, password: TEXT }),
        additionalProperties: true,
      }),
      responses: sessionResponse(registry),
    },
    forgotPassword: {
      callers: 'everybody',
      requestBody: textBody('email'),
      responses: { 200: jsonResponse('The same response for all addresses, known or not.', OK) },
    },
    resetPassword: {
      callers: 'everybody',
      requestBody: textBody('code', 'password', 'passwordConfirmation'),
      responses: sessionResponse(registry),
    },
    changePassword: {
      callers: 'users',
      requestBody: textBody('currentPassword', 'password', 'passwordConfirmation'),
      responses: sessionResponse(registry),
    },
    confirmEmail: {
      callers: 'everybody',
      parameters: [{ ...parameter('confirmation', TEXT, 'The code in the e-mail.'), required: true }],
      responses: {
        ...sessionResponse(registry),
        302: { description: 'Redirects to the page that the project sets.' },
      },
    },
    sendConfirmation: {
      callers: 'everybody',
      requestBody: textBody('email'),
      responses: {
        200: jsonResponse(
          'The same response for all addresses, known or not.',
          recordOf({ email: TEXT, sent: BOOLEAN }),
        ),
      },
    },
    connect: {
      callers: 'everybody',
      parameters: [parameter('callback', TEXT, 'The page to redirect to after signing in.')],
      responses: REDIRECT,
    },
    connectCallback: { callers: 'everybody', responses: REDIRECT },
    providerCallback: {
      callers: 'everybody',
      parameters: [{ ...parameter('access_token', TEXT, 'An access token of the service.'), required: true }],
      responses: sessionResponse(registry),
    },
    refresh: {
      callers: 'everybody',
      requestBody: jsonBody(objectOf({ refreshToken: TEXT }), false),
      responses: { 200: jsonResponse('New tokens.', objectOf({ jwt: TEXT, refreshToken: TEXT }, ['jwt'])) },
    },
    logout: { callers: 'users', responses: { 200: jsonResponse('The session has ended.', OK) } },
  }) as const satisfies Readonly<Record<string, EndpointParts>>;

const userEndpoints = (registry: SchemaRegistry) => {
  const type = typeOf(registry.model, USER_UID);
  const user = { 200: jsonResponse('The user.', registry.of(USER_UID, '')) };
  const shape = shapeParameters(registry, type);
  const list = listParameters(registry, type);
  const range = [
    parameter('start', INTEGER, 'The first user.'),
    parameter('limit', INTEGER, 'The maximum number of users.'),
  ];
  return {
    findUsers: {
      parameters: [...list, ...range],
      responses: { 200: jsonResponse('Users.', listOf(registry.of(USER_UID, ''))) },
    },
    countUsers: {
      parameters: list.filter(({ name }) => name === 'filters'),
      responses: { 200: jsonResponse('The number of users.', INTEGER) },
    },
    me: { callers: 'users', parameters: shape, responses: user },
    findUser: { parameters: shape, responses: user },
    createUser: {
      parameters: shape,
      requestBody: jsonBody(registry.of(USER_UID, 'Input')),
      responses: { 201: user[200] },
    },
    updateUser: {
      parameters: shape,
      requestBody: jsonBody(registry.of(USER_UID, 'PartialInput')),
      responses: user,
    },
    destroyUser: { parameters: shape, responses: user },
  } as const satisfies Readonly<Record<string, EndpointParts>>;
};

/** All actions that can be granted: controllers by the plugin or type that they belong to. */
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
  createdAt: DATE_TIME,
  updatedAt: DATE_TIME,
  publishedAt: DATE_TIME,
  nb_users: INTEGER,
};

const ROLE_BODY = { name: TEXT, description: TEXT, type: TEXT, permissions: PERMISSIONS };

const roleEndpoints = () => {
  const done = { 200: jsonResponse('Done.', OK) };
  return {
    findRoles: { responses: { 200: jsonResponse('Roles.', recordOf({ roles: listOf(recordOf(ROLE)) })) } },
    findRole: {
      responses: {
        200: jsonResponse(
          'The role with its permissions.',
          recordOf({ role: recordOf({ ...ROLE, permissions: PERMISSIONS }) }),
        ),
      },
    },
    createRole: { requestBody: jsonBody(objectOf(ROLE_BODY, ['name'])), responses: done },
    updateRole: { requestBody: jsonBody(objectOf(ROLE_BODY)), responses: done },
    deleteRole: { responses: done },
    getPermissions: {
      responses: {
        200: jsonResponse('All actions that can be granted.', recordOf({ permissions: PERMISSIONS })),
      },
    },
  } as const satisfies Readonly<Record<string, EndpointParts>>;
};

/**
 * Describes an endpoint for signing in, users or roles.
 *
 * @param uid the content-type of the route
 */
export function accountEndpoint(
  registry: SchemaRegistry,
  operation: AccountOperation,
  uid: string,
): Endpoint {
  const parts: Readonly<Record<AccountOperation, EndpointParts>> = {
    ...authEndpoints(registry),
    ...userEndpoints(registry),
    ...roleEndpoints(),
  };
  const tag = uid === ROLE_UID ? 'Roles' : 'Users';
  return { operationId: operation, tag, ...parts[operation] };
}
