import { join } from 'node:path';
import type { AccountContext, AccountMail } from '../../access/accounts/account-context.js';
import { createAttemptLimiter, createRateCounter } from '../../access/accounts/attempts.js';
import { compileUserReader } from '../../access/accounts/user-reader.js';
import {
  fillStoredTemplate,
  fillTemplate,
  loadTemplate,
  readStoredTemplate,
} from '../../access/mail-templates.js';
import { composeMessage, createTransport } from '../../access/mail-transport.js';
import type { MessageSavedListener } from '../../access/mail-transport.js';
import { accountSettings, currentAccountSettings } from '../../config/account-settings.js';
import type { AccountSettings } from '../../config/account-settings.js';
import type { Config } from '../../config/config.js';
import type { WriteLog } from '../../documents/log/write-log.js';
import { emailSettings } from '../../config/email-settings.js';
import { providerSettings } from '../../config/provider-settings.js';
import type { ProviderSettings } from '../../config/provider-settings.js';
import type { Database } from '../../database/database.js';
import { STORE_PREFIX, createServerState } from '../../database/server-state.js';
import type { DocumentService } from '../../documents/documents.js';
import { isRecord } from '../../lib/records.js';
import { publicUrl, serverUrl } from './open-project.js';
import type { Project } from './open-project.js';

/** The present settings of accounts, read at each call. */
interface AccountSettingsSource {
  readonly current: () => Promise<AccountSettings>;
  /** The providers of the configuration and of the stored setting `grant`. */
  readonly providers: () => Promise<ReadonlyMap<string, ProviderSettings>>;
  /** The stored setting `email` of users-permissions. */
  readonly mails: () => Promise<unknown>;
}

/**
 * Creates the source of settings from Strapi's store. Reads the store each time, since imports and project
 * code write it while servers run. Sign-in and sign-up take far longer than this read.
 */
export function createAccountSettingsSource(config: Config, database: Database): AccountSettingsSource {
  const state = createServerState(database);
  const read = async (key: string): Promise<unknown> => {
    const text = await state.read(`${STORE_PREFIX}plugin_users-permissions_${key}`);
    return text === null ? null : (JSON.parse(text) as unknown);
  };
  return {
    current: async () => {
      const [advanced, grant] = await Promise.all([read('advanced'), read('grant')]);
      return currentAccountSettings(config, { advanced, grant });
    },
    providers: async () => providerSettings(config, await read('grant')),
    mails: () => read('email'),
  };
}

/** The name of a message in Strapi's store, and the name of the code parameter in its link. */
const STORED = {
  'reset-password': { name: 'reset_password', parameter: 'code' },
  'email-confirmation': { name: 'email_confirmation', parameter: 'confirmation' },
} as const;

const withoutParameter = (address: string, parameter: string): string => {
  const url = new URL(address);
  url.searchParams.delete(parameter);
  return url.href;
};

/**
 * Returns a function that renders messages about accounts, from the project's files, the stored templates, or
 * Galley's templates.
 *
 * @throws `mail/invalid-template`
 */
async function createAccountMessages(
  { root, server: { url, host, port } }: Pick<Config, 'root' | 'server'>,
  { mails }: Pick<AccountSettingsSource, 'mails'>,
) {
  const templates = {
    'reset-password': await loadTemplate(root, 'reset-password'),
    'email-confirmation': await loadTemplate(root, 'email-confirmation'),
  };
  const baseUrl = url || serverUrl(host, port);
  return async ({ purpose, to, username, code, url: link }: AccountMail) => {
    const { template, isOwn } = templates[purpose];
    const { name, parameter } = STORED[purpose];
    const stored = isOwn ? null : readStoredTemplate(await mails(), name);
    if (stored === null)
      return { to, ...fillTemplate(template, { URL: link, CODE: code, USERNAME: username, EMAIL: to }) };
    const values = {
      URL: withoutParameter(link, parameter),
      SERVER_URL: baseUrl,
      ADMIN_URL: `${baseUrl}/admin`,
      USER: { username, email: to },
      TOKEN: code,
      CODE: code,
    };
    return { to, ...fillStoredTemplate(stored, values) };
  };
}

export interface AccountsDependencies {
  readonly project: Project;
  readonly database: Database;
  readonly documents: DocumentService;
  readonly log: WriteLog;
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
      // Starts in a later turn of the event loop, so that the response time does not disclose the existence
      // of work, such as the existence of an account.
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
  log,
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
    log,
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
