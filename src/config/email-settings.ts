import { createOptionReader, oneOf, option, text } from './checks.js';
import type { Config } from './config.js';

/** Settings of outgoing email, from `plugins.email.config`. */
export interface EmailSettings {
  /** `folder`: messages are written to .galley/mail and logged. `none`: messages cannot be sent. */
  readonly transport: 'nodemailer' | 'folder' | 'none';
  /** The parameter of nodemailer's `createTransport`. */
  readonly options: unknown;
  readonly from: string;
  readonly replyTo: string | null;
}

/** The options of the email plugin. `providerOptions` is passed to nodemailer unchecked. */
export const EMAIL_OPTIONS = {
  provider: option<'nodemailer' | 'folder' | undefined>(
    oneOf('nodemailer', 'folder'),
    undefined,
    'The transport of messages; `folder` writes them to .galley/mail. ' +
      'Default: nodemailer if it has options, otherwise folder; in production, none.',
    { example: 'nodemailer' },
  ),
  'settings.defaultFrom': option(text, 'no-reply@localhost', 'The sender of messages.', {
    example: 'shop@example.com',
  }),
  'settings.defaultReplyTo': option<string | null>(text, null, 'The address that replies go to.', {
    example: 'help@example.com',
  }),
};

/** Returns a project's mail settings, with defaults. */
export function emailSettings({
  plugins,
  environment,
}: Pick<Config, 'plugins' | 'environment'>): EmailSettings {
  const { enabled = true, config = {} } = plugins['email'] ?? {};
  const read = createOptionReader(EMAIL_OPTIONS, config);
  const { providerOptions } = config;
  const fallback = environment === 'production' ? 'none' : 'folder';
  return Object.freeze({
    transport: !enabled
      ? 'none'
      : (read('provider') ?? (providerOptions === undefined ? fallback : 'nodemailer')),
    options: providerOptions ?? {},
    from: read('settings.defaultFrom'),
    replyTo: read('settings.defaultReplyTo'),
  });
}
