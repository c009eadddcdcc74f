import type { Database } from '../database/database.js';
import type { DocumentService } from '../documents/documents.js';
import type { DocumentHooks } from '../documents/hooks.js';
import type { Logger } from '../server/logger.js';
import { createDeliveryStore } from '../api/webhooks/delivery-store.js';
import { recordEvents } from '../api/webhooks/record-events.js';
import { createWebhookRegistry } from '../api/webhooks/webhook-registry.js';
import type { WebhookRegistry } from '../api/webhooks/webhook-registry.js';
import { startWebhookSender } from '../api/webhooks/webhook-sender.js';
import type { Project } from './open-project.js';

export interface OpenWebhooksOptions {
  readonly project: Project;
  readonly database: Database;
  readonly logger: Logger;
  readonly sends: boolean;
}

/** The webhooks of a project, with what records their events and sends them. */
export interface ProjectWebhooks {
  readonly registry: WebhookRegistry;
  /** Returns how many deliveries are still to be sent. */
  readonly countPending: () => Promise<number>;
  /** Records the events of all writes that call the hooks. */
  readonly recordFrom: (
    hooks: DocumentHooks,
    documents: DocumentService,
    defaultLocale: () => string,
  ) => void;
  readonly close: () => Promise<void>;
}

/** Opens the webhooks of a project, and begins to send where that is asked for. */
export function openWebhooks({ project, database, logger, sends }: OpenWebhooksOptions): ProjectWebhooks {
  const { config, model } = project;
  const registry = createWebhookRegistry(database, config);
  const deliveries = createDeliveryStore(database);
  const sender = sends
    ? startWebhookSender({
        database,
        registry,
        deliveries,
        onError: (error) => logger.error({ err: error }, 'Webhooks could not be sent'),
        onFailed: ({ name }, { key, event }, error) =>
          logger.warn({ delivery: key, event }, `The webhook ${name} has given up: ${error ?? 'no reason'}`),
      })
    : null;
  return {
    registry,
    countPending: deliveries.countPending,
    recordFrom: (hooks, documents, defaultLocale) =>
      recordEvents({
        database,
        model,
        hooks,
        documents,
        defaultLocale,
        registry,
        deliveries,
        onRecorded: () => sender?.wake(),
      }),
    close: async () => sender?.stop(),
  };
}
