import type { Transporter } from 'nodemailer';
import type { EmailSettings } from '../config/people.js';
import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { MailTransport } from './mail.js';

/** Milliseconds; nodemailer's own would keep a server from stopping for ten minutes. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const DEADLINE = 60_000;

/** What createTransport takes: options, an address such as `smtp://user:pass@host`, or a transport of the project's own. */
const withTimeouts = (options: unknown): unknown => {
  if (typeof options === 'string') {
    // nodemailer would have Node print it, password and all.
    if (!URL.canParse(options)) throw new TypeError('providerOptions is no address such as smtps://user:password@mail.example.com');
    return { ...TIMEOUTS, url: options };
  }
  return isRecord(options) && typeof options['send'] !== 'function' ? { ...TIMEOUTS, ...options } : options;
};

/** What went wrong, without what was to be sent or what was signed in with: the errors themselves carry more. */
const reasonOf = (error: unknown): string => {
  const { code, message } = isRecord(error) || error instanceof Error ? (error as { readonly code?: unknown; readonly message?: unknown }) : {};
  return [code, message].filter((part) => typeof part === 'string').join(': ').slice(0, 300);
};

/** Sends by nodemailer, which is loaded with the first message. Throws `mail/not-sent`. */
export function createNodemailerTransport({ options, from, replyTo }: EmailSettings): MailTransport {
  let opened: Promise<Transporter> | null = null;
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport(withTimeouts(options) as Parameters<typeof createTransport>[0]);
  };
  return {
    send: async (message) => {
      try {
        opened ??= open();
        await (await opened).sendMail({ ...message, from, signal: AbortSignal.timeout(DEADLINE), ...(replyTo === null ? {} : { replyTo }) });
      } catch (error) {
        throw fail('mail/not-sent', { to: message.to, reason: reasonOf(error) });
      }
    },
    close: async () => {
      const transporter = await opened?.catch(() => null);
      transporter?.close();
    },
  };
}
