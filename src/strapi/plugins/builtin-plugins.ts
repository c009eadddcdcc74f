import { createError } from '../../errors/catalogue.js';
import { BUILTIN_SCHEMAS } from '../../model/content-types/builtin-types.js';
import type { Uid } from '../../model/model.js';
import type { Registries } from '../registry.js';
import { withKnownProperties } from '../unavailable.js';
import { createEmailPlugin } from './email-plugin.js';
import type { EmailProvider } from './email-plugin.js';
import { createI18nPlugin } from './i18n-plugin.js';
import { toPluginDefinition } from './plugin-definition.js';
import type { PluginDefinition } from './plugin-definition.js';
import type { PluginHost } from './plugin-host.js';
import { createUploadPlugin } from './upload-plugin.js';
import type { UploadProvider } from './upload-provider.js';
import { createUsersPermissionsPlugin } from './users-permissions/users-permissions-plugin.js';
import type { UsersPermissionsPlugin } from './users-permissions/users-permissions-plugin.js';

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
  for (const [name, definition] of definitions) definition.contentTypes = contentTypesOf(name);
  return { definitions, users, close: email.close };
}
