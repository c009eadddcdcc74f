import { join } from 'node:path';
import { createTransport } from '../../access/mail-transport.js';
import type { MailTransport } from '../../access/mail-transport.js';
import { emailSettings } from '../../config/email-settings.js';
import { isBuiltinProvider } from '../../config/strapi/config-values.js';
import { ApplicationError } from '../../errors/project-errors.js';
import { interpolate } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import { toPluginDefinition } from './plugin-definition.js';
import type { PluginDefinition } from './plugin-definition.js';
import type { PluginHost } from './plugin-host.js';
import { openProviderPackage } from './provider-package.js';

type Message = Readonly<Record<string, unknown>>;

/** A package that sends messages, as config/plugins names it. */
export interface EmailProvider {
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
export interface EmailPlugin {
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
export function createEmailPlugin(
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
