import type { EmailSettings } from '../config/people.js';
import type { MailTransport } from './mail.js';

/** Sends by nodemailer, which is loaded with the first message. */
export function createNodemailerTransport({ options, from, replyTo }: EmailSettings): MailTransport {
  let opened: Promise<import('nodemailer').Transporter> | null = null;
  const open = async (): Promise<import('nodemailer').Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport(options as Parameters<typeof createTransport>[0]);
  };
  return {
    send: async (message) => {
      opened ??= open();
      await (await opened).sendMail({ ...message, from, ...(replyTo === null ? {} : { replyTo }) });
    },
    close: async () => {
      if (opened !== null) (await opened).close();
    },
  };
}
