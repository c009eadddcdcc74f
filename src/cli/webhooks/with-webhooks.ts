import { listLocales } from '../../access/locales/find-locales.js';
import { openProjectDatabase } from '../../project/open-project-database.js';
import type { Project } from '../../project/open-project.js';
import { mapUnreachableError } from '../../project/unreachable-error.js';
import type { Database } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';
import { createDeliveryStore } from '../../api/webhooks/delivery-store.js';
import type { DeliveryStore } from '../../api/webhooks/delivery-store.js';
import { createWebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import type { WebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import type { Webhook } from '../../api/webhooks/webhook.js';

/** The webhooks of a project, as commands work with them. */
export interface Webhooks {
  readonly project: Project;
  readonly registry: WebhookRegistry;
  readonly deliveries: DeliveryStore;
  /** The codes of the locales that there are. */
  readonly locales: () => Promise<readonly string[]>;
}

const openWebhooks = (project: Project, database: Database): Webhooks => ({
  project,
  registry: createWebhookRegistry(database, project.config),
  deliveries: createDeliveryStore(database),
  locales: async () => (await listLocales({ database })).map(({ code }) => code),
});

/**
 * Opens the webhooks of a project for some work, and closes the database afterwards.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, and the errors of the work
 */
export async function withWebhooks<T>(
  project: Project,
  work: (webhooks: Webhooks) => Promise<T>,
): Promise<T> {
  return mapUnreachableError(project, async () => {
    const { database, close } = await openProjectDatabase(project);
    try {
      return await work(openWebhooks(project, database));
    } finally {
      await close();
    }
  });
}

/** Returns a webhook by its id or name. Throws `webhook/unknown` with the nearest name. */
export async function findWebhook({ registry }: Pick<Webhooks, 'registry'>, name: string): Promise<Webhook> {
  const webhooks = await registry.current();
  const found = webhooks.find(({ id }) => id === name) ?? webhooks.find((webhook) => webhook.name === name);
  if (found !== undefined) return found;
  const names = webhooks.map((webhook) => webhook.name);
  throw createError('webhook/unknown', { name, remedy: didYouMean(name, names, 'See: cms webhook list') });
}

/** Returns a webhook that commands may change. Throws `webhook/unknown` and `webhook/declared`. */
export async function findChangeable(webhooks: Webhooks, name: string): Promise<Webhook> {
  const webhook = await findWebhook(webhooks, name);
  if (!webhook.isDeclared) return webhook;
  throw createError('webhook/declared', { name, file: webhooks.project.config.file ?? 'the configuration' });
}
