import { isBuiltinProvider } from '../../../config/strapi/builtin-providers.js';
import { isRecord } from '../../../lib/is-record.js';
import type { PluginHost } from '../plugin-host.js';
import { openProviderPackage } from '../provider-package.js';

type Message = Readonly<Record<string, unknown>>;

/** A package that sends messages, as config/plugins names it. */
export interface EmailProvider {
  readonly name: string;
  readonly settings: Message;
  readonly send: (message: Message) => Promise<unknown>;
}

/** Opens the provider that config/plugins names. Null: messages are sent by Galley's own settings. */
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
