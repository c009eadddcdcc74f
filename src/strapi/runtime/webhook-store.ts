import { WEBHOOK_EVENTS, isWebhookUrl } from '../../config/webhook-settings.js';
import { ValidationError } from '../../errors/project-errors.js';
import type { WebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import type { StoredWebhook } from '../../api/webhooks/webhook.js';

/** A webhook as project code sees it: what Strapi has of it, and no secret. */
type Webhook = Pick<StoredWebhook, 'id' | 'name' | 'url' | 'headers' | 'events' | 'isEnabled'>;

export interface WebhookStore {
  readonly allowedEvents: Map<string, string>;
  readonly addAllowedEvent: (key: string, event: string) => void;
  readonly removeAllowedEvent: (key: string) => void;
  readonly listAllowedEvents: () => readonly string[];
  readonly getAllowedEvent: (key: string) => string | undefined;
  readonly findWebhooks: () => Promise<readonly Webhook[]>;
  readonly findWebhook: (id: string | number) => Promise<Webhook | null>;
  readonly createWebhook: (data: Partial<Webhook>) => Promise<Webhook>;
  readonly updateWebhook: (id: string | number, data: Partial<Webhook>) => Promise<Webhook | null>;
  readonly deleteWebhook: (id: string | number) => Promise<Webhook | null>;
}

const eventKey = (event: string): string => event.replace(/[.-]/g, '_').toUpperCase();

const shown = ({ id, name, url, headers, events, isEnabled }: StoredWebhook): Webhook => ({
  id,
  name,
  url,
  headers,
  events,
  isEnabled,
});

const shownOrNull = (webhook: StoredWebhook | null): Webhook | null =>
  webhook === null ? null : shown(webhook);

/** Returns the changes to a webhook that project code may make. */
const changesOf = ({ name, url, headers, events, isEnabled }: Partial<Webhook>): Partial<StoredWebhook> => ({
  ...(name === undefined ? {} : { name }),
  ...(url === undefined ? {} : { url }),
  ...(headers === undefined ? {} : { headers }),
  ...(events === undefined ? {} : { events }),
  ...(isEnabled === undefined ? {} : { isEnabled }),
});

/** Creates the store of webhooks, over those of the database. */
export function createWebhookStore(registry: WebhookRegistry): WebhookStore {
  const allowedEvents = new Map<string, string>(WEBHOOK_EVENTS.map((event) => [eventKey(event), event]));
  const assertValid = ({ events = [], url = '' }: Partial<Webhook>): void => {
    const allowed = [...allowedEvents.values()];
    const unknown = events.find((event) => !allowed.includes(event));
    if (unknown !== undefined) throw new ValidationError(`There is no webhook event ${unknown}`);
    if (url !== '' && !isWebhookUrl(url)) throw new ValidationError(`${url} is no address of a webhook`);
  };
  return {
    allowedEvents,
    addAllowedEvent: (key, event) => void allowedEvents.set(key, event),
    removeAllowedEvent: (key) => void allowedEvents.delete(key),
    listAllowedEvents: () => [...allowedEvents.keys()],
    getAllowedEvent: (key) => allowedEvents.get(key),
    findWebhooks: async () => (await registry.stored()).map(shown),
    findWebhook: async (id) =>
      shownOrNull((await registry.stored()).find((webhook) => webhook.id === String(id)) ?? null),
    createWebhook: async (data) => {
      assertValid(data);
      const { name = '', url = '', headers = {}, events = [], isEnabled = true } = data;
      return shown(await registry.add({ name, url, headers, events, isEnabled }));
    },
    updateWebhook: async (id, data) => {
      assertValid(data);
      return shownOrNull(await registry.update(String(id), changesOf(data)));
    },
    deleteWebhook: async (id) => shownOrNull(await registry.remove(String(id))),
  };
}
