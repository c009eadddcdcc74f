import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmailSettings } from '../../config/email-settings.js';
import { OWNER_ONLY } from '../../lib/private-file.js';
import { composeMessage } from './compose-message.js';
import type { MailTransport, MessageSavedListener } from './mail.js';

/**
 * Stores messages as files that mail programs open, and reports each. For development: nothing leaves the
 * machine. Links stand unbroken in the files, since people copy them from there.
 */
export function createFolderTransport(
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
