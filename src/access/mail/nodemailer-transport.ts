import type { Transporter } from 'nodemailer';
import type { EmailSettings } from '../../config/email-settings.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { MailTransport } from './mail.js';

/** With nodemailer's own timeouts a server would take up to ten minutes to stop. */
const TIMEOUTS_MS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};
/** The longest that sending one message may take. */
const SEND_TIMEOUT_MS = 60_000;

/**
 * Returns what `createTransport` takes: options, a URL such as `smtp://user:pass@host`, or the project's own
 * transport.
 */
const withTimeouts = (options: unknown): unknown => {
  if (typeof options === 'string') {
    // nodemailer would make Node print the URL with its password.
    if (!URL.canParse(options))
      throw new TypeError('providerOptions must be a URL such as smtps://user:password@mail.example.com');
    return { ...TIMEOUTS_MS, url: options };
  }
  return isRecord(options) && typeof options['send'] !== 'function'
    ? { ...TIMEOUTS_MS, ...options }
    : options;
};

/** Returns the reason of a failure. The error itself may contain the message and the credentials. */
const reasonOf = (error: unknown): string => {
  const { code, message } =
    isRecord(error) || error instanceof Error
      ? (error as { readonly code?: unknown; readonly message?: unknown })
      : {};
  return [code, message]
    .filter((part) => typeof part === 'string')
    .join(': ')
    .slice(0, 300);
};

/** Sends messages with nodemailer, which is loaded with the first message. Throws `mail/send-failed`. */
export function createNodemailerTransport({ options, from, replyTo }: EmailSettings): MailTransport {
  let transporterPromise: Promise<Transporter> | null = null;
  const createTransporter = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport(withTimeouts(options) as Parameters<typeof createTransport>[0]);
  };
  return {
    send: async (message) => {
      try {
        transporterPromise ??= createTransporter();
        await (
          await transporterPromise
        ).sendMail({
          from,
          signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
          ...(replyTo === null ? {} : { replyTo }),
          ...message,
        });
      } catch (error) {
        throw createError('mail/send-failed', { to: message.to, reason: reasonOf(error) });
      }
    },
    close: async () => {
      const transporter = await transporterPromise?.catch(() => null);
      transporter?.close();
    },
  };
}
