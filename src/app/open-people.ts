import { join } from 'node:path';
import type { AccountMail, PeopleContext } from '../access/people/people.js';
import { compileUserReader } from '../access/user-reader.js';
import { emailSettings, peopleSettings } from '../config/people.js';
import type { Database } from '../database/database.js';
import type { DocumentService } from '../documents/documents.js';
import { loadTemplate } from '../mail/account-templates.js';
import { createTransport } from '../mail/create-transport.js';
import type { OnKept } from '../mail/mail.js';
import { fillTemplate } from '../mail/template.js';
import type { Project } from './open-project.js';
import { urlOf } from './server-url.js';

export interface PeopleParts {
  readonly project: Project;
  readonly database: Database;
  readonly documents: DocumentService;
  /** Told of faults nobody waits for. */
  readonly onError: (error: unknown) => void;
  readonly onKept: OnKept;
}

export interface People {
  readonly context: PeopleContext;
  /** Waits for what is done in the background. */
  readonly close: () => Promise<void>;
}

const createBackground = (onError: (error: unknown) => void) => {
  const running = new Set<Promise<void>>();
  return {
    run: (work: () => Promise<void>): void => {
      // Not in the same turn: an answer must not take longer where there is something to do.
      const task = new Promise<void>((resolve) => {
        setImmediate(resolve);
      }).then(work).catch(onError).finally(() => running.delete(task));
      running.add(task);
    },
    settled: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
};

/** What sign-up, sign-in and messages about accounts work with, in one project. */
export async function openPeople({ project, database, documents, onError, onKept }: PeopleParts): Promise<People> {
  const { config, model, root } = project;
  const transport = createTransport({ settings: emailSettings(config), folder: join(root, '.galley', 'mail'), onKept });
  const background = createBackground(onError);
  const templates = { 'reset-password': await loadTemplate(root, 'reset-password'), 'email-confirmation': await loadTemplate(root, 'email-confirmation') };
  const sendMail = async ({ purpose, to, username, code, url }: AccountMail): Promise<void> => {
    await transport.send({ to, ...fillTemplate(templates[purpose], { URL: url, CODE: code, USERNAME: username, EMAIL: to }) });
  };
  const context: PeopleContext = {
    database, model, documents, sendMail,
    users: compileUserReader(database, model),
    settings: peopleSettings(config),
    jwtSecret: config.secrets.jwtSecret,
    apiUrl: `${config.server.url || urlOf(config.server.host, config.server.port)}${config.api.rest.prefix}`,
    inBackground: background.run,
    now: Date.now,
  };
  return {
    context: Object.freeze(context),
    close: async () => {
      await background.settled();
      await transport.close();
    },
  };
}
