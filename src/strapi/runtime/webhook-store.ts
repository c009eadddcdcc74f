import { ValidationError } from '../../errors/project-errors.js';
import { isRecord } from '../../lib/is-record.js';
import { WEBHOOKS_KEY } from '../../transfer/stored-state.js';
import type { StoredWebhook } from '../../transfer/stored-state.js';
import type { ServerState } from './state.js';

/** A webhook as project code sees it. It is kept, and not delivered. */
type Webhook = StoredWebhook;

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

const EVENTS = ['create', 'update', 'delete', 'publish', 'unpublish', 'draft-discard'] as const;

const eventKey = (name: string): string => `ENTRY_${name.replace('-', '_').toUpperCase()}`;

const parseWebhooks = (text: string | null): readonly Webhook[] => {
  const value: unknown = JSON.parse(text ?? '[]');
  return Array.isArray(value) ? (value.filter(isRecord) as unknown as readonly Webhook[]) : [];
};

const nextId = (webhooks: readonly Webhook[]): string =>
  String(Math.max(0, ...webhooks.map(({ id }) => Number(id))) + 1);

/** Creates the store of webhooks, which the database keeps. */
export function createWebhookStore(state: ServerState): WebhookStore {
  const allowedEvents = new Map(EVENTS.map((name) => [eventKey(name), `entry.${name}`]));
  const assertEvents = (events: readonly string[] = []): void => {
    const allowed = [...allowedEvents.values()];
    const unknown = events.find((event) => !allowed.includes(event));
    if (unknown !== undefined) throw new ValidationError(`There is no webhook event ${unknown}`);
  };
  const findWebhooks: WebhookStore['findWebhooks'] = async () =>
    parseWebhooks(await state.read(WEBHOOKS_KEY));
  const findWebhook: WebhookStore['findWebhook'] = async (id) =>
    (await findWebhooks()).find((webhook) => webhook.id === String(id)) ?? null;
  const replace = async (id: string | number, changed: readonly Webhook[]): Promise<Webhook | null> => {
    let found: Webhook | null = null;
    await state.change(WEBHOOKS_KEY, (text) => {
      const webhooks = parseWebhooks(text);
      found = webhooks.find((webhook) => webhook.id === String(id)) ?? null;
      return found === null
        ? null
        : JSON.stringify([...webhooks.filter((webhook) => webhook.id !== String(id)), ...changed]);
    });
    return found;
  };
  return {
    allowedEvents,
    addAllowedEvent: (key, event) => void allowedEvents.set(key, event),
    removeAllowedEvent: (key) => void allowedEvents.delete(key),
    listAllowedEvents: () => [...allowedEvents.keys()],
    getAllowedEvent: (key) => allowedEvents.get(key),
    findWebhooks,
    findWebhook,
    createWebhook: async ({ name = '', url = '', headers = {}, events = [] }) => {
      assertEvents(events);
      let created: Webhook = { id: '1', name, url, headers, events, isEnabled: true };
      await state.change(WEBHOOKS_KEY, (text) => {
        const webhooks = parseWebhooks(text);
        created = { ...created, id: nextId(webhooks) };
        return JSON.stringify([...webhooks, created]);
      });
      return created;
    },
    updateWebhook: async (id, data) => {
      assertEvents(data.events);
      const webhook = await findWebhook(id);
      if (webhook === null) return null;
      const changed = { ...webhook, ...data, id: webhook.id };
      return (await replace(id, [changed])) === null ? null : changed;
    },
    deleteWebhook: (id) => replace(id, []),
  };
}
