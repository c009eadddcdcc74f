import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export const SMTP_USER = 'galley';
export const SMTP_PASSWORD = 'smtp-s3cret-password';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body with unfolded lines. */
  readonly text: string;
}

/** A real mail server. It takes messages of authenticated clients, except to addresses at refused.example. */
export interface MailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** How often authentication failed. */
  readonly failedLogins: () => number;
  readonly close: () => Promise<void>;
}

const smtpError = (message: string, responseCode: number): Error =>
  Object.assign(new Error(message), { responseCode });

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let failed = 0;
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) => {
      const isKnown = username === SMTP_USER && password === SMTP_PASSWORD;
      if (!isKnown) failed += 1;
      callback(isKnown ? null : smtpError('Who are you?', 535), isKnown ? { user: username } : undefined);
    },
    onRcptTo: ({ address }, _session, callback) =>
      callback(address.endsWith('@refused.example') ? smtpError('No such mailbox', 550) : null),
    onData: (stream, { envelope }, callback) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          text: text.replaceAll('=\r\n', '').replaceAll('=3D', '='),
        });
        callback(null);
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    failedLogins: () => failed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
