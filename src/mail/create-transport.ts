import type { EmailSettings } from '../config/people.js';
import { fail } from '../errors/catalogue.js';
import { createFolderTransport } from './folder-transport.js';
import type { MailTransport, OnKept } from './mail.js';
import { createNodemailerTransport } from './nodemailer-transport.js';

export interface TransportOptions {
  readonly settings: EmailSettings;
  /** Where messages are kept that are not sent. */
  readonly folder: string;
  readonly onKept: OnKept;
}

const refusing = (): MailTransport => ({
  send: async ({ to }) => {
    throw fail('mail/no-transport', { to });
  },
  close: async () => undefined,
});

/** The way a project sends its messages. */
export function createTransport({ settings, folder, onKept }: TransportOptions): MailTransport {
  switch (settings.transport) {
    case 'nodemailer': return createNodemailerTransport(settings);
    case 'folder': return createFolderTransport(settings, folder, onKept);
    default: return refusing();
  }
}
