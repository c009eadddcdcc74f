import { join } from 'node:path';
import type { AccountMail, AccountContext } from '../../access/accounts/account-context.js';
import { createAttemptLimiter } from '../../access/accounts/attempts.js';
import { createRateCounter } from '../../access/accounts/rate-counter.js';
import { compileUserReader } from '../../access/accounts/user-reader.js';
import { accountSettings } from '../../config/account-settings.js';
import { emailSettings } from '../../config/email-settings.js';
import type { Database } from '../../database/database.js';
import type { DocumentService } from '../../documents/documents.js';
import { composeMessage } from '../../access/mail/compose-message.js';
import { createTransport } from '../../access/mail/create-transport.js';
import type { MessageSavedListener } from '../../access/mail/mail.js';
import { isRecord } from '../../lib/is-record.js';
import { createAccountMessages } from './account-messages.js';
import type { AccountSettingsSource } from './account-settings-source.js';
import type { Project } from '../open-project.js';
import { publicUrl } from '../server-url.js';

export interface AccountsDependencies {
  readonly project: Project;
  readonly database: Database;
  readonly documents: DocumentService;
  readonly source: AccountSettingsSource;
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

/** `validationRules.validatePassword` of users-permissions in config/plugins. */
const passwordRule = ({ plugins }: Project['config']): AccountContext['validatePassword'] => {
  const rules = plugins['users-permissions']?.config['validationRules'];
  const rule: unknown = isRecord(rules) ? rules['validatePassword'] : undefined;
  return typeof rule === 'function'
    ? (password): unknown => Reflect.apply(rule, undefined, [password])
    : null;
};

/** `callback.validate` of users-permissions in config/plugins. */
const callbackRule = ({ plugins }: Project['config']): AccountContext['validateCallback'] => {
  const section = plugins['users-permissions']?.config['callback'];
  const rule: unknown = isRecord(section) ? section['validate'] : undefined;
  return typeof rule === 'function'
    ? (callback, provider): unknown => Reflect.apply(rule, section, [callback, provider])
    : null;
};

/** Opens the services for sign-up, sign-in and account messages. */
export async function openAccounts({
  project,
  database,
  documents,
  source,
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
  const write = await createAccountMessages(config, source);
  let send: Parameters<AccountContext['replaceMailer']>[0] = transport.send;
  const sendMail = async (mail: AccountMail): Promise<void> => {
    await send(await write(mail));
  };
  const context: AccountContext = {
    database,
    model,
    documents,
    sendMail,
    rehearseMail: async (mail) => {
      await composeMessage(await write(mail));
    },
    replaceMailer: (other) => {
      send = other;
    },
    users: compileUserReader(database, model),
    settings,
    currentSettings: source.current,
    providers: source.providers,
    validateCallback: callbackRule(config),
    validatePassword: passwordRule(config),
    attempts: createAttemptLimiter(createRateCounter(database), settings.rateLimit),
    jwtSecret: config.secrets.jwtSecret,
    apiUrl: `${publicUrl(config)}${config.api.rest.prefix}`,
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
