import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmailSettings } from '../config/people.js';
import type { MailTransport, OnKept } from './mail.js';

const LINK = /https?:\/\/\S+/;

/** Keeps messages as files that mail programs open, and says where. For development: nothing leaves the machine. */
export function createFolderTransport({ from, replyTo }: EmailSettings, folder: string, onKept: OnKept): MailTransport {
  return {
    send: async (message) => {
      const { createTransport } = await import('nodemailer');
      const printer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
      const { message: printed } = await printer.sendMail({ ...message, from, ...(replyTo === null ? {} : { replyTo }) });
      await mkdir(folder, { recursive: true });
      const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`);
      await writeFile(file, printed as Buffer, { mode: 0o600 });
      onKept({ to: message.to, subject: message.subject, link: LINK.exec(message.text)?.[0] ?? null, file });
    },
    close: async () => undefined,
  };
}
