import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AccessContext } from '../../../../src/access/access.js';
import { setPermissions } from '../../../../src/access/permissions/role-permissions.js';
import { databases } from '../../../support/databases.js';
import { createSite } from '../../support/site.js';
import type { Site } from '../../support/site.js';
import { SMTP_PASSWORD, SMTP_USER, startMailServer } from './smtp-server.js';
import type { MailServer, ReceivedMail } from './smtp-server.js';

const PASSWORD = 'old-password';
const CODE = /(?:code|confirmation)=([0-9a-f]{64})/;

interface TestResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Sending mail may take long on a busy machine, but never longer than this. */
const POLL_OPTIONS = { timeout: 30_000 };

const post = async (site: Site, path: string, body: object): Promise<TestResponse> => {
  const response = await fetch(`${site.server.url}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};

/** Creates a site that sends with a transport, where everybody may sign up and has to confirm the address. */
const createMailSite = async (providerOptions: unknown, isConfirmed = false): Promise<Site> => {
  const [database] = databases;
  if (database === undefined) throw new Error('no database is wanted');
  const settings = { defaultFrom: 'Club <club@example.com>', defaultReplyTo: 'office@example.com' };
  const config = {
    plugins: {
      email: { config: { provider: 'nodemailer', providerOptions, settings } },
      'users-permissions': { config: { advanced: { emailConfirmation: isConfirmed } } },
    },
  };
  const site = await createSite({ project: 'magazine', database, config });
  const context: AccessContext = {
    database: site.server.app.database,
    model: site.project.model,
    salt: 'salt',
  };
  await setPermissions(context, {
    role: 'public',
    uid: 'plugin::users-permissions.auth',
    actions: [
      'callback',
      'register',
      'forgotPassword',
      'resetPassword',
      'emailConfirmation',
      'sendEmailConfirmation',
    ],
  });
  await site.server.app.access.refresh();
  return site;
};

const register = (site: Site, username: string, email = `${username}@example.com`): Promise<TestResponse> =>
  post(site, 'local/register', { username, email, password: PASSWORD });

describe('a mail server', () => {
  let mail: MailServer;
  let site: Site;
  beforeAll(async () => {
    mail = await startMailServer();
    site = await createMailSite({
      host: '127.0.0.1',
      port: mail.port,
      auth: { user: SMTP_USER, pass: SMTP_PASSWORD },
    });
  });
  afterAll(async () => {
    await site.close();
    await mail.close();
  });

  const messageTo = async (address: string): Promise<ReceivedMail> => {
    await expect
      .poll(() => mail.received.filter(({ to }) => to.includes(address)).length, POLL_OPTIONS)
      .toBeGreaterThan(0);
    return mail.received.findLast(({ to }) => to.includes(address)) ?? { from: '', to: [], text: '' };
  };

  it('receives the message with the code for a new password', async () => {
    expect((await register(site, 'ada')).status).toBe(200);
    expect((await post(site, 'forgot-password', { email: 'ada@example.com' })).body).toEqual({ ok: true });
    const { from, text } = await messageTo('ada@example.com');
    expect(from).toBe('club@example.com');
    expect(text).toContain('From: Club <club@example.com>');
    expect(text).toContain('Reply-To: office@example.com');
    const code = CODE.exec(text)?.[1] ?? '';
    expect(
      (
        await post(site, 'reset-password', {
          code,
          password: 'new-password',
          passwordConfirmation: 'new-password',
        })
      ).status,
    ).toBe(200);
    expect((await post(site, 'local', { identifier: 'ada', password: 'new-password' })).status).toBe(200);
    expect(site.log).toEqual([]);
  });

  it('that rejects an address is named in the log, and nowhere else', async () => {
    expect((await register(site, 'bob', 'bob@refused.example')).status).toBe(200);
    const [known, unknown] = [
      await post(site, 'forgot-password', { email: 'bob@refused.example' }),
      await post(site, 'forgot-password', { email: 'nobody@refused.example' }),
    ];
    expect(known).toEqual(unknown);
    await expect.poll(() => site.log.length, POLL_OPTIONS).toBe(1);
    expect(site.log[0]).toContain('550 No such mailbox');
    expect(site.log[0]).not.toMatch(/[0-9a-f]{64}|smtp-s3cret/);
  });
});

describe('confirmation of addresses', () => {
  it('works with a server configured by its URL', async () => {
    const mail = await startMailServer();
    const site = await createMailSite(
      `smtp://${SMTP_USER}:${encodeURIComponent(SMTP_PASSWORD)}@127.0.0.1:${mail.port}`,
      true,
    );
    try {
      expect((await register(site, 'cleo')).body).toMatchObject({ user: { confirmed: false } });
      await expect.poll(() => mail.received.length, POLL_OPTIONS).toBe(1);
      const code = CODE.exec(mail.received[0]?.text ?? '')?.[1] ?? '';
      expect(
        (await fetch(`${site.server.url}/api/auth/email-confirmation?confirmation=${code}`)).status,
      ).toBe(200);
      expect((await post(site, 'local', { identifier: 'cleo', password: PASSWORD })).status).toBe(200);
    } finally {
      await site.close();
      await mail.close();
    }
  });
});

/** Starts a server that calls a function with every connection. */
const startSocketServer = async (
  onConnection: (socket: Socket) => void,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> => {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Returns a port on which nobody listens. */
const freePort = async (): Promise<number> => {
  const { port, close } = await startSocketServer(() => undefined);
  await close();
  return port;
};

describe('a mail server that fails', () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  const failures: Readonly<Record<string, () => Promise<unknown>>> = {
    'refuses the password': async () => {
      const mail = await startMailServer();
      cleanups.push(mail.close);
      return { host: '127.0.0.1', port: mail.port, auth: { user: SMTP_USER, pass: 'not-the-s3cret' } };
    },
    'is not there': async () => `smtp://${SMTP_USER}:not-the-s3cret@127.0.0.1:${await freePort()}`,
    'hangs up': async () => {
      const { port, close } = await startSocketServer((socket) => socket.end());
      cleanups.push(close);
      return { host: '127.0.0.1', port, auth: { user: SMTP_USER, pass: 'not-the-s3cret' } };
    },
    'never says a word': async () => {
      const { port, close } = await startSocketServer(() => undefined);
      cleanups.push(close);
      return {
        host: '127.0.0.1',
        port,
        greetingTimeout: 500,
        auth: { user: SMTP_USER, pass: 'not-the-s3cret' },
      };
    },
    'has an address that is none': async () => 'smtp://galley:not-the-s3cret@:notaport',
  };

  it.each(Object.keys(failures))(
    'and %s does not reveal who has an account, and writes a log entry',
    async (kind) => {
      const site = await createMailSite(await failures[kind]?.(), true);
      cleanups.push(site.close);
      const joined = await register(site, 'dora');
      expect([joined.status, joined.body]).toMatchObject([200, { user: { confirmed: false } }]);
      await expect.poll(() => site.log.length, POLL_OPTIONS).toBe(1);
      const answers = [];
      for (const email of ['dora@example.com', 'nobody@example.com'])
        answers.push(await post(site, 'forgot-password', { email }));
      expect(answers).toEqual([
        { status: 200, body: { ok: true } },
        { status: 200, body: { ok: true } },
      ]);
      expect(await post(site, 'send-email-confirmation', { email: 'dora@example.com' })).toMatchObject({
        status: 200,
        body: { sent: true },
      });
      await expect.poll(() => site.log.length, POLL_OPTIONS).toBe(3);
      for (const line of site.log) {
        expect(JSON.parse(line)).toMatchObject({ level: 50, err: { code: 'mail/send-failed' } });
        expect(line).toContain('dora@example.com');
        expect(line).not.toMatch(/[0-9a-f]{64}|s3cret/);
      }
    },
  );
});
