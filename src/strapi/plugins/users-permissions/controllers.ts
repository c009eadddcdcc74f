import type { FastifyReply, FastifyRequest } from 'fastify';
import qs from 'qs';
import type { Access, Caller } from '../../../access/access.js';
import { accountHandlers } from '../../../api/rest/accounts/account-handlers.js';
import type { Handler } from '../../../api/rest/handler.js';
import type { AccountOperation } from '../../../api/rest/routes/account-routes.js';
import { createError } from '../../../errors/catalogue.js';
import { ApplicationError } from '../../../errors/project-errors.js';
import { isRecord } from '../../../lib/records.js';
import { USER_UID } from '../../../model/content-types/builtin-types.js';
import { typeOf } from '../../../model/lookup.js';
import type { ContentModel } from '../../../model/model.js';
import type { Entry, PluginHost } from '../plugin-host.js';

/** Returns a user without private attributes and relations. */
function toPublicUser(model: ContentModel, user: Entry): Readonly<Record<string, unknown>> {
  const { attributes, privateFields } = typeOf(model, USER_UID);
  return Object.fromEntries(
    Object.entries(user).filter(([name]) => {
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      if (attribute === undefined) return !privateFields.includes(name);
      return attribute.family === 'scalar' && !attribute.private;
    }),
  );
}

/** The part of Koa's context that is read and written. */
export interface BridgedContext {
  status: number;
  body: unknown;
  query: Readonly<Record<string, unknown>>;
  params?: Readonly<Record<string, string>>;
  readonly path: string;
  readonly req: { readonly headers: { readonly authorization?: string | undefined } };
  readonly request: { body?: unknown; ip: string };
  readonly state: { readonly auth?: { readonly caller?: Caller | undefined } };
  set(name: string, value: string): void;
  redirect(url: string): void;
}

/** An action of a controller in Koa's style. */
type Action = (context: BridgedContext) => Promise<void>;

const requestOf = (context: BridgedContext, caller: Caller): FastifyRequest => {
  const query = qs.stringify(context.query, { strictNullHandling: true });
  const request = {
    url: `${context.path}${query === '' ? '' : `?${query}`}`,
    params: context.params ?? {},
    body: context.request.body,
    headers: context.req.headers,
    ip: context.request.ip,
    getDecorator: () => caller,
  };
  // Handlers of accounts read nothing else.
  return request as unknown as FastifyRequest;
};

const parseBody = (payload: unknown): unknown => {
  if (typeof payload !== 'string') return payload;
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return payload;
  }
};

/**
 * Creates a reply that writes to the context, so that code around the handler can read and change the
 * response.
 */
const replyTo = (context: BridgedContext): FastifyReply => {
  const reply = {
    code: (status: number) => {
      context.status = status;
      return reply;
    },
    header: (name: string, value: unknown) => {
      context.set(name, String(value));
      return reply;
    },
    send: (payload: unknown) => {
      const { status } = context;
      context.body = parseBody(payload);
      context.status = status;
      return reply;
    },
    redirect: (url: string, status: number) => {
      context.redirect(url);
      context.status = status;
      return reply;
    },
  };
  return reply as unknown as FastifyReply;
};

/** Converts a handler of Fastify to an action of a controller. */
function toAction(access: Access, handler: Handler): Action {
  return async (context) => {
    const caller =
      context.state.auth?.caller ?? (await access.authenticate(context.req.headers.authorization));
    await handler(requestOf(context, caller), replyTo(context));
  };
}

/** The actions of the controllers, with their operations in Galley. */
export const ACTIONS = {
  auth: {
    callback: 'login',
    connect: 'connect',
    register: 'register',
    forgotPassword: 'forgotPassword',
    resetPassword: 'resetPassword',
    changePassword: 'changePassword',
    emailConfirmation: 'confirmEmail',
    sendEmailConfirmation: 'sendConfirmation',
    refresh: 'refresh',
    logout: 'logout',
  },
  user: {
    find: 'findUsers',
    count: 'countUsers',
    me: 'me',
    findOne: 'findUser',
    create: 'createUser',
    update: 'updateUser',
    destroy: 'destroyUser',
  },
  role: {
    find: 'findRoles',
    findOne: 'findRole',
    createRole: 'createRole',
    updateRole: 'updateRole',
    deleteRole: 'deleteRole',
  },
  permissions: { getPermissions: 'getPermissions' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, AccountOperation>>>>;

/** Actions of the admin panel, which extensions wrap and nothing calls here. */
const ADMIN_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  contentmanageruser: ['create', 'update'],
  settings: [
    'getEmailTemplate',
    'updateEmailTemplate',
    'getAdvancedSettings',
    'updateAdvancedSettings',
    'getProviders',
    'updateProviders',
  ],
};

type Controller = Record<string, unknown>;

/** Galley's controllers, and the function that distinguishes their actions from those of the project. */
export interface UserControllers {
  readonly controllers: Record<string, unknown>;
  readonly isDefault: (action: unknown) => boolean;
}

interface ProviderServices {
  readonly connect: (provider: string, query: unknown) => Promise<Entry>;
}

const assertEnabled = async ({ store }: PluginHost, provider: string): Promise<void> => {
  const providers = await store({ type: 'plugin', name: 'users-permissions', key: 'grant' }).get();
  const settings: unknown = isRecord(providers) ? providers[provider] : undefined;
  if (!isRecord(settings) || settings['enabled'] !== true)
    throw new ApplicationError('This provider is disabled');
};

/** Signs in with an account of another service, by the tokens in the query. */
const signInWith = async (host: PluginHost, provider: string, query: unknown): Promise<unknown> => {
  await assertEnabled(host, provider);
  try {
    const user = await host
      .service<ProviderServices>('users-permissions', 'providers')
      .connect(provider, query);
    if (user['blocked'] === true) throw new Error('Your account has been blocked by an administrator');
    const { issue } = host.service<{ issue: (payload: object) => unknown }>('users-permissions', 'jwt');
    return { jwt: await issue({ id: user.id }), user: toPublicUser(host.model, user) };
  } catch (error) {
    throw new ApplicationError(error instanceof Error ? error.message : String(error));
  }
};

const withProviders =
  (host: PluginHost, signInLocally: Action): Action =>
  async (context) => {
    const provider = context.params?.['provider'] ?? 'local';
    if (provider === 'local') await signInLocally(context);
    else context.body = await signInWith(host, provider, context.query);
  };

/** Returns the controller `auth`: a function of `{ strapi }` that also has its actions as properties. */
const asFactory = (actions: Controller): unknown => Object.assign(() => ({ ...actions }), actions);

const adminControllers = (): Record<string, Controller> =>
  Object.fromEntries(
    Object.entries(ADMIN_ACTIONS).map(([controller, actions]) => [
      controller,
      Object.fromEntries(
        actions.map((action) => [
          action,
          () => {
            throw createError('strapi/no-admin-panel', { name: `${controller}.${action}` });
          },
        ]),
      ),
    ]),
  );

/** Creates the controllers of users-permissions from the handlers of Galley's routes. */
export function createUserControllers(host: PluginHost): UserControllers {
  const { model, documents, access, config, accounts } = host;
  const { prefix, maxBulk, strictParams: _strictParams, ...limits } = config.api.rest;
  const handlers = accountHandlers({ model, documents, access, prefix, maxBulk, limits }, accounts);
  const defaults = new WeakSet<object>();
  const controllerOf = (operations: Readonly<Record<string, AccountOperation>>): Controller =>
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [name, toAction(access, handlers[operation])]),
    );
  const auth = controllerOf(ACTIONS.auth);
  auth['callback'] = withProviders(host, auth['callback'] as Action);
  const [begin, complete] = [auth['connect'] as Action, toAction(access, handlers.connectCallback)];
  auth['connect'] = (context: Parameters<Action>[0]) =>
    (context.path.endsWith('/callback') ? complete : begin)(context);
  const others = {
    user: controllerOf(ACTIONS.user),
    role: controllerOf(ACTIONS.role),
    permissions: controllerOf(ACTIONS.permissions),
  };
  for (const controller of [auth, ...Object.values(others)])
    for (const action of Object.values(controller)) defaults.add(action as object);
  return {
    controllers: { auth: asFactory(auth), ...others, ...adminControllers() },
    isDefault: (action) => typeof action === 'function' && defaults.has(action),
  };
}
