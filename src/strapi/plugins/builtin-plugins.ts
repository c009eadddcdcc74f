import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { BUILTIN_SCHEMAS } from '../../model/content-types/builtin-types.js';
import type { Uid } from '../../model/model.js';
import type { LocaleRecord } from '../../access/access.js';
import { addLocale, removeLocale } from '../../access/locales.js';
import { ApplicationError } from '../../errors/project-errors.js';
import { isRecord } from '../../lib/records.js';
import { createTransport } from '../../access/mail-transport.js';
import type { MailTransport } from '../../access/mail-transport.js';
import { emailSettings } from '../../config/email-settings.js';
import { isBuiltinProvider } from '../../config/strapi/config-values.js';
import { interpolate } from '../../lib/text.js';
import type { Registries } from '../registry.js';
import { withKnownProperties } from '../unavailable.js';
import { LOCALE_UID, toLocaleRow } from '../database/internal-types.js';
import { assertParams, SERVICE_PARAMS } from '../database/call-params.js';
import { toPluginDefinition } from './plugin-definition.js';
import type { PluginDefinition } from './plugin-definition.js';
import type { PluginHost } from './plugin-host.js';
import { createUploadPlugin } from './upload-plugin.js';
import type { UploadProvider } from './upload-provider.js';
import { createUsersPermissionsPlugin } from './users-permissions/users-permissions-plugin.js';
import type { UsersPermissionsPlugin } from './users-permissions/users-permissions-plugin.js';
import { openProviderPackage } from './provider-package.js';

type Message = Readonly<Record<string, unknown>>;

/** A package that sends messages, as config/plugins names it. */
interface EmailProvider {
  readonly name: string;
  readonly settings: Message;
  readonly send: (message: Message) => Promise<unknown>;
}

/** Opens the provider that config/plugins names. Null if messages are sent by Galley's settings. */
export async function openEmailProvider(host: PluginHost): Promise<EmailProvider | null> {
  const { read } = host;
  const name = read('plugin::email.provider');
  if (typeof name !== 'string' || isBuiltinProvider('email', name)) return null;
  const settings = read('plugin::email.settings', {});
  const parameters = [read('plugin::email.providerOptions', {}), settings];
  const opened = await openProviderPackage(host, { kind: 'email', name, parameters });
  if (opened === null) return null;
  const { send } = opened;
  if (typeof send !== 'function') throw new TypeError(`The email provider ${name} has no function send.`);
  return {
    name,
    settings: isRecord(settings) ? settings : {},
    send: async (message) => Reflect.apply(send, opened, [message]) as unknown,
  };
}

/** The plugin `email` with its transport, which is opened for the first message. */
interface EmailPlugin {
  readonly plugin: PluginDefinition;
  readonly close: () => Promise<void>;
}

const TEXT_FIELDS = ['to', 'cc', 'bcc', 'from', 'replyTo', 'subject', 'text', 'html'] as const;

/** Returns a value as text. Lists of addresses are joined. */
const toText = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const toMessage = (options: Message): Parameters<MailTransport['send']>[0] => {
  const texts = TEXT_FIELDS.map((name) => [name, toText(options[name])] as const);
  const { to, subject, ...rest } = Object.fromEntries(texts.filter(([, value]) => value !== undefined));
  if (to === undefined) throw new ApplicationError('A message needs a recipient: to');
  const { attachments } = options;
  return { ...rest, to, subject: subject ?? '', ...(Array.isArray(attachments) ? { attachments } : {}) };
};

const fillTemplate = (template: Message, data: unknown): Message => {
  const missing = ['subject', 'text', 'html'].filter((name) => !Object.hasOwn(template, name));
  if (missing.length > 0) throw new Error(`The e-mail template lacks ${missing.join(', ')}.`);
  return Object.fromEntries(
    ['subject', 'text', 'html'].map((name) => [name, interpolate(toText(template[name]) ?? '', data)]),
  );
};

/**
 * Creates the plugin that sends messages with the provider or, without one, with Galley's settings. The
 * provider also sends the messages about accounts.
 */
function createEmailPlugin(
  { root, config, log, accounts }: PluginHost,
  provider: EmailProvider | null,
): EmailPlugin {
  const settings = emailSettings(config);
  let transport: MailTransport | null = null;
  const sendByTransport = async (options: Message): Promise<void> => {
    transport ??= createTransport({
      settings,
      folder: join(root, '.galley', 'mail'),
      onMessageSaved: (message) => log.info(message, 'A message was written to a file instead of sent'),
    });
    await transport.send(toMessage(options));
  };
  const sender = { send: provider?.send ?? sendByTransport };
  if (provider !== null) accounts.replaceMailer(async (message) => void (await sender.send({ ...message })));
  const send = (options: Message): Promise<unknown> => sender.send(options);
  const service = {
    send,
    sendTemplatedEmail: (options: Message, template: unknown, data: unknown = {}): Promise<unknown> =>
      send({ ...options, ...fillTemplate(isRecord(template) ? template : {}, data) }),
    getProviderSettings: () => ({
      provider: provider?.name ?? settings.transport,
      settings: provider?.settings ?? { defaultFrom: settings.from, defaultReplyTo: settings.replyTo },
    }),
  };
  return {
    plugin: { ...toPluginDefinition({ services: { email: service } }), provider: sender },
    close: async () => transport?.close(),
  };
}

type Row = Readonly<Record<string, unknown>>;

const toRowOrNull = (locale: LocaleRecord | null): Row | null =>
  locale === null ? null : toLocaleRow(locale);

const createLocalesService = ({ access, database, model, config, query }: PluginHost) => {
  const rows = () => query(LOCALE_UID);
  const { locales } = access;
  const context = { database, model, salt: config.secrets.apiTokenSalt };
  const byCode = (code: unknown): LocaleRecord | null =>
    locales.all().find((locale) => locale.code === code) ?? null;
  const byId = (id: unknown): LocaleRecord | null =>
    locales.all().find((locale) => locale.id === Number(id)) ?? null;
  return {
    find: (where: Row = {}) => rows().findMany({ where }),
    findById: async (id: unknown) => toRowOrNull(byId(id)),
    findByCode: async (code: unknown) => toRowOrNull(byCode(code)),
    count: (where: Row = {}) => rows().count({ where }),
    create: async (params: Row) => {
      const call = "strapi.plugin('i18n').service('locales').create";
      assertParams({ call, options: SERVICE_PARAMS['i18n.locales create'] }, params);
      const { code, name, isDefault } = params;
      const created = await addLocale(context, {
        code: String(code),
        ...(typeof name === 'string' ? { name } : {}),
        isDefault: isDefault === true,
      });
      await access.refresh();
      return created;
    },
    delete: async ({ id }: Row) => {
      const locale = byId(id);
      if (locale === null) return null;
      await removeLocale(context, { code: locale.code, acceptDataLoss: true });
      await access.refresh();
      return locale;
    },
    getDefaultLocale: async () => locales.defaultCode(),
    setDefaultLocale: async ({ code }: Row) => {
      await addLocale(context, { code: String(code), isDefault: true });
      await access.refresh();
    },
    setIsDefault: async (given: unknown) => {
      const mark = (locale: unknown): unknown =>
        isRecord(locale) ? { ...locale, isDefault: locale['code'] === locales.defaultCode() } : locale;
      return Array.isArray(given) ? given.map(mark) : mark(given);
    },
  };
};

const isLocalized = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const pluginOptions: unknown = Reflect.get(value, 'pluginOptions');
  const i18n: unknown = isRecord(pluginOptions) ? pluginOptions['i18n'] : undefined;
  return isRecord(i18n) && i18n['localized'] === true;
};

const createContentTypesService = ({ access: { locales } }: PluginHost) => ({
  isLocalizedContentType: isLocalized,
  getValidLocale: async (locale?: unknown) => {
    if (locale === undefined || locale === null) return locales.defaultCode();
    if (typeof locale !== 'string' || !locales.has(locale)) throw new ApplicationError('Locale not found');
    return locale;
  },
});

/** Creates the plugin that manages the locales. */
function createI18nPlugin(host: PluginHost): PluginDefinition {
  return toPluginDefinition({
    services: { locales: createLocalesService(host), 'content-types': createContentTypesService(host) },
  });
}

/** The policies and services of Strapi's admin panel, which Galley lacks. */
const POLICIES = ['isAuthenticatedAdmin', 'hasPermissions'];
const SERVICES = ['user', 'role', 'token', 'auth', 'api-token', 'transfer', 'metrics'];

const acceptAll = async (): Promise<void> => undefined;
const PROVIDER = { register: acceptAll, registerMany: acceptAll, has: () => false, get: () => undefined };

/** Plugins register the permissions of the admin panel's users at their start. There are no such users. */
const PERMISSION_SERVICE = { actionProvider: PROVIDER, conditionProvider: PROVIDER };

/** Registers the policies and services of the admin panel: policies reject, services throw. */
export function registerAdminCode({ policies, services }: Registries): void {
  for (const name of POLICIES) policies.set(`admin::${name}`, () => false);
  services.set('admin::permission', () => PERMISSION_SERVICE);
  for (const name of SERVICES)
    services.set(`admin::${name}`, () => {
      throw createError('strapi/no-admin-panel', { name: `admin::${name}` });
    });
}

/** Creates `strapi.admin`, which ignores what plugins register with it. */
export function createAdmin(): object {
  const services = withKnownProperties('strapi.admin.services', { permission: PERMISSION_SERVICE });
  return withKnownProperties('strapi.admin', { services });
}

/** Plugins of Strapi that serve its admin panel. They exist without members. */
const ADMIN_PLUGINS = ['content-manager', 'content-type-builder', 'content-releases', 'review-workflows'];

/** The provider packages that config/plugins names. Null if there is none, or it is built in. */
interface Providers {
  readonly email: EmailProvider | null;
  readonly upload: UploadProvider | null;
}

/** The built-in plugins. */
export interface BuiltinPlugins {
  readonly definitions: ReadonlyMap<string, PluginDefinition>;
  readonly users: UsersPermissionsPlugin;
  readonly close: () => Promise<void>;
}

/** Returns the content-types of a plugin, for code that inspects them or adds listeners. */
const contentTypesOf = (plugin: string): Record<string, unknown> => {
  const prefix: Uid = `plugin::${plugin}.`;
  return Object.fromEntries(
    Object.entries(BUILTIN_SCHEMAS).flatMap(([uid, schema]) =>
      uid.startsWith(prefix)
        ? [[uid.slice(prefix.length), { schema: structuredClone(schema) }] as const]
        : [],
    ),
  );
};

/**
 * Returns a function that returns a service, with the members of the service. Extensions change the members,
 * or call the function to replace the service: in Strapi, services are functions of `{ strapi }`.
 */
const asFactory = (service: unknown): unknown => {
  if (!isRecord(service)) return service;
  const factory: object = Object.assign(() => {
    for (const [key, member] of Object.entries(factory))
      if (service[key] !== member) Object.assign(service, { [key]: member });
    return service;
  }, service);
  return factory;
};

interface BuiltinOptions {
  readonly graphql: unknown;
  readonly providers: Providers;
  /** The disabled plugins, which code does not find. */
  readonly disabled: readonly string[];
}

/** Creates the built-in plugins. */
export function createBuiltinPlugins(
  host: PluginHost,
  { graphql, providers, disabled }: BuiltinOptions,
): BuiltinPlugins {
  const users = createUsersPermissionsPlugin(host);
  const email = createEmailPlugin(host, providers.email);
  const definitions = new Map<string, PluginDefinition>([
    ['users-permissions', users.plugin],
    ['upload', createUploadPlugin(host, providers.upload)],
    ['email', email.plugin],
    ['i18n', createI18nPlugin(host)],
    ['graphql', toPluginDefinition({ services: { extension: graphql } })],
    ...ADMIN_PLUGINS.map((name) => [name, toPluginDefinition({})] as const),
  ]);
  for (const name of disabled) definitions.delete(name);
  for (const [name, definition] of definitions) {
    definition.contentTypes = contentTypesOf(name);
    definition.services = Object.fromEntries(
      Object.entries(definition.services).map(([service, value]) => [service, asFactory(value)]),
    );
  }
  return { definitions, users, close: email.close };
}
