import type { EmailSettings } from '../../config/email-settings.js';
import { createError } from '../../errors/catalogue.js';
import { createFolderTransport } from './folder-transport.js';
import type { MailTransport, MessageSavedListener } from './mail.js';
import { createNodemailerTransport } from './nodemailer-transport.js';

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

/** Creates the transport a project has configured. */
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
