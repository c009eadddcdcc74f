import { join } from 'node:path';
import { emailSettings } from '../../../config/email-settings.js';
import { ApplicationError } from '../../../errors/project-errors.js';
import { isRecord } from '../../../lib/is-record.js';
import { createTransport } from '../../../mail/create-transport.js';
import type { MailTransport } from '../../../mail/mail.js';
import { interpolate } from '../interpolate.js';
import { toPluginDefinition } from '../plugin-definition.js';
import type { PluginDefinition } from '../plugin-definition.js';
import type { PluginHost } from '../plugin-host.js';

type Message = Readonly<Record<string, unknown>>;

/** The plugin `email` with its transport, which is opened with the first message. */
export interface EmailPlugin {
  readonly plugin: PluginDefinition;
  readonly close: () => Promise<void>;
}

const TEXT_FIELDS = ['to', 'cc', 'bcc', 'from', 'replyTo', 'subject', 'text', 'html'] as const;

/** Lists of addresses are written as one text. */
const textOf = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const toMessage = (options: Message): Parameters<MailTransport['send']>[0] => {
  const texts = TEXT_FIELDS.map((name) => [name, textOf(options[name])] as const);
  const { to, subject, ...rest } = Object.fromEntries(texts.filter(([, value]) => value !== undefined));
  if (to === undefined) throw new ApplicationError('A message needs a recipient: to');
  const { attachments } = options;
  return { ...rest, to, subject: subject ?? '', ...(Array.isArray(attachments) ? { attachments } : {}) };
};

const fill = (template: Message, data: unknown): Message => {
  const missing = ['subject', 'text', 'html'].filter((name) => !Object.hasOwn(template, name));
  if (missing.length > 0) throw new Error(`The e-mail template lacks ${missing.join(', ')}.`);
  return Object.fromEntries(
    ['subject', 'text', 'html'].map((name) => [name, interpolate(textOf(template[name]) ?? '', data)]),
  );
};

/** Creates the plugin that sends messages by the project's settings. */
export function createEmailPlugin({ root, config, log }: PluginHost): EmailPlugin {
  const settings = emailSettings(config);
  let transport: MailTransport | null = null;
  const send = async (options: Message): Promise<void> => {
    transport ??= createTransport({
      settings,
      folder: join(root, '.galley', 'mail'),
      onMessageSaved: (message) => log.info(message, 'A message was written to a file instead of sent'),
    });
    await transport.send(toMessage(options));
  };
  const service = {
    send,
    sendTemplatedEmail: (options: Message, template: unknown, data: unknown = {}): Promise<void> =>
      send({ ...options, ...fill(isRecord(template) ? template : {}, data) }),
    getProviderSettings: () => ({
      provider: settings.transport,
      settings: { defaultFrom: settings.from, defaultReplyTo: settings.replyTo },
    }),
  };
  return {
    plugin: { ...toPluginDefinition({ services: { email: service } }), provider: { send } },
    close: async () => transport?.close(),
  };
}
