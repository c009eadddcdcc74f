import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import type { EmailSettings } from '../config/email-settings.js';
import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/records.js';
import { OWNER_ONLY } from '../lib/files.js';

/** A message ready to be sent. */
interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

/** Further options of a message that project code may set, in the form of nodemailer. */
interface MessageOptions {
  /** Default: the sender of the project's settings. */
  readonly from?: string;
  readonly replyTo?: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly attachments?: object[];
}

/** Sends messages by one of the configured transports. */
export interface MailTransport {
  /** Throws `mail/transport-not-configured`, `mail/send-failed`. */
  readonly send: (message: Message & MessageOptions) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Called with the file of a message that was stored instead of sent. The message is secret: its link lets
 * anybody choose a new password.
 */
export type MessageSavedListener = (message: {
  readonly to: string;
  readonly subject: string;
  readonly file: string;
}) => void;

/** Returns the source of a message to send. Links are not broken into lines. */
export async function composeMessage(message: SendMailOptions): Promise<Buffer> {
  const nodemailer = await import('nodemailer');
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  composer.use('stream', ({ message: { childNodes } }, done) => {
    for (const part of childNodes) part.getTransferEncoding = () => '8bit';
    done();
  });
  const { message: source } = await composer.sendMail(message);
  return source as Buffer;
}

/** With nodemailer's default timeouts, a server would take up to ten minutes to stop. */
const TIMEOUTS_MS = {
  dnsTimeout: 10_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};
/** Maximum time for sending one message. */
const SEND_TIMEOUT_MS = 60_000;

/**
 * Returns the argument of nodemailer's `createTransport`. `options` are options, a URL such as
 * `smtp://user:pass@host`, or a transport of the project.
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
function createNodemailerTransport({ options, from, replyTo }: EmailSettings): MailTransport {
  let transporterPromise: Promise<Transporter> | null = null;
  const createTransporter = async (): Promise<Transporter> => {
    const nodemailer = await import('nodemailer');
    return nodemailer.createTransport(
      withTimeouts(options) as Parameters<typeof nodemailer.createTransport>[0],
    );
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

/**
 * Stores messages as files that mail programs open, and reports each. For development: nothing leaves the
 * machine. Links are not broken into lines, since people copy them from the files.
 */
function createFolderTransport(
  { from, replyTo }: EmailSettings,
  folder: string,
  onMessageSaved: MessageSavedListener,
): MailTransport {
  return {
    send: async (message) => {
      const source = await composeMessage({ from, ...(replyTo === null ? {} : { replyTo }), ...message });
      await mkdir(folder, { recursive: true });
      const file = join(
        folder,
        `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`,
      );
      await writeFile(file, source, { mode: OWNER_ONLY });
      onMessageSaved({ to: message.to, subject: message.subject, file });
    },
    close: async () => undefined,
  };
}

export interface TransportOptions {
  readonly settings: EmailSettings;
  /** Folder of messages that are stored instead of sent. */
  readonly folder: string;
  readonly onMessageSaved: MessageSavedListener;
}

const createDisabledTransport = (): MailTransport => ({
  send: async ({ to }) => {
    throw createError('mail/transport-not-configured', { to });
  },
  close: async () => undefined,
});

/** Creates the configured transport. */
export function createTransport({ settings, folder, onMessageSaved }: TransportOptions): MailTransport {
  switch (settings.transport) {
    case 'nodemailer':
      return createNodemailerTransport(settings);
    case 'folder':
      return createFolderTransport(settings, folder, onMessageSaved);
    default:
      return createDisabledTransport();
  }
}
