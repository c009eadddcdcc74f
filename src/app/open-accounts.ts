import { join } from 'node:path';
import type { AccountMail, AccountContext } from '../access/accounts/account-context.js';
import { createAttemptLimiter } from '../access/accounts/attempts.js';
import { createRateCounter } from '../access/accounts/rate-counter.js';
import { compileUserReader } from '../access/accounts/user-reader.js';
import { accountSettings } from '../config/account-settings.js';
import { emailSettings } from '../config/email-settings.js';
import type { Database } from '../database/database.js';
import type { DocumentService } from '../documents/documents.js';
import { loadTemplate } from '../mail/account-templates.js';
import { createTransport } from '../mail/create-transport.js';
import type { MessageSavedListener } from '../mail/mail.js';
import { fillTemplate } from '../mail/template.js';
import type { Project } from './open-project.js';
import { serverUrl } from './server-url.js';

export interface AccountsDependencies {
  readonly project: Project;
  readonly database: Database;
  readonly documents: DocumentService;
  /** Called with errors of background tasks. */
  readonly onError: (error: unknown) => void;
  readonly onMessageSaved: MessageSavedListener;
}

export interface Accounts {
  readonly context: AccountContext;
  /** Waits for background tasks. */
  readonly close: () => Promise<void>;
}

const createBackgroundTasks = (onError: (error: unknown) => void) => {
  const running = new Set<Promise<void>>();
  return {
    run: (work: () => Promise<void>): void => {
      // Starts in a later turn of the event loop, so that the response time does not show whether there is
      // work to do, for example whether an account exists.
      const task = new Promise<void>((resolve) => {
        setImmediate(resolve);
      })
        .then(work)
        .catch(onError)
        .finally(() => running.delete(task));
      running.add(task);
    },
    settled: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
};

/** Opens the services for sign-up, sign-in and account messages. */
export async function openAccounts({
  project,
  database,
  documents,
  onError,
  onMessageSaved,
}: AccountsDependencies): Promise<Accounts> {
  const { config, model, root } = project;
  const settings = accountSettings(config);
  const transport = createTransport({
    settings: emailSettings(config),
    folder: join(root, '.galley', 'mail'),
    onMessageSaved,
  });
  const backgroundTasks = createBackgroundTasks(onError);
  const templates = {
    'reset-password': await loadTemplate(root, 'reset-password'),
    'email-confirmation': await loadTemplate(root, 'email-confirmation'),
  };
  let send: Parameters<AccountContext['replaceMailer']>[0] = transport.send;
  const sendMail = async ({ purpose, to, username, code, url }: AccountMail): Promise<void> => {
    await send({
      to,
      ...fillTemplate(templates[purpose], { URL: url, CODE: code, USERNAME: username, EMAIL: to }),
    });
  };
  const { url, host, port } = config.server;
  const publicUrl = url || serverUrl(host, port);
  const context: AccountContext = {
    database,
    model,
    documents,
    sendMail,
    replaceMailer: (other) => {
      send = other;
    },
    users: compileUserReader(database, model),
    settings,
    attempts: createAttemptLimiter(createRateCounter(database), settings.rateLimit),
    jwtSecret: config.secrets.jwtSecret,
    apiUrl: `${publicUrl}${config.api.rest.prefix}`,
    runInBackground: backgroundTasks.run,
    now: Date.now,
  };
  return {
    context: Object.freeze(context),
    close: async () => {
      await backgroundTasks.settled();
      await transport.close();
    },
  };
}
