import type { Config } from '../../config/config.js';
import type { Database, Transaction } from '../../database/database.js';
import { createServerState } from '../../database/server-state.js';
import { isRecord } from '../../lib/records.js';
import { createDeliveryStore } from './delivery-store.js';
import { WEBHOOKS_KEY, fromConfig, fromStored } from './webhook.js';
import type { StoredWebhook, Webhook } from './webhook.js';

/** Changes by other processes are noticed after this time. */
const MAX_AGE_MS = 1000;

/** The webhooks of a project: those of the configuration and those of the database. */
export interface WebhookRegistry {
  /**
   * Returns all webhooks. Changes by other processes are noticed after at most a second.
   *
   * @param tx the transaction whose connection reads them. A transaction that waited for a second connection
   *   could deadlock if a pooler has few
   */
  readonly current: (tx?: Pick<Transaction, 'query'>) => Promise<readonly Webhook[]>;
  /** Reads the stored webhooks. */
  readonly stored: () => Promise<readonly StoredWebhook[]>;
  readonly add: (webhook: Omit<StoredWebhook, 'id'>) => Promise<StoredWebhook>;
  /** Returns the updated webhook. Null: there is none with that id. */
  readonly update: (id: string, changes: Partial<StoredWebhook>) => Promise<StoredWebhook | null>;
  /** Removes a webhook with its deliveries. Returns the removed webhook. Null: there is none with that id. */
  readonly remove: (id: string) => Promise<StoredWebhook | null>;
}

const parseWebhooks = (text: string | null): readonly StoredWebhook[] => {
  const value: unknown = JSON.parse(text ?? '[]');
  return Array.isArray(value) ? (value.filter(isRecord) as unknown as readonly StoredWebhook[]) : [];
};

const nextId = (webhooks: readonly StoredWebhook[]): string =>
  String(Math.max(0, ...webhooks.map(({ id }) => Number(id))) + 1);

type Change = (webhooks: readonly StoredWebhook[]) => readonly StoredWebhook[] | null;

/** Creates the registry of the webhooks of a database and a configuration. */
export function createWebhookRegistry(
  database: Pick<Database, 'dialect' | 'readTexts' | 'readNumber' | 'transact'>,
  { webhooks: declared }: Pick<Config, 'webhooks'>,
): WebhookRegistry {
  const state = createServerState(database);
  const deliveries = createDeliveryStore(database);
  const fromFile = declared.map(fromConfig);
  let cached: { readonly webhooks: readonly Webhook[]; readonly readAt: number } | null = null;
  const stored = async (): Promise<readonly StoredWebhook[]> => parseWebhooks(await state.read(WEBHOOKS_KEY));
  const change = async (edit: Change): Promise<void> => {
    await state.change(WEBHOOKS_KEY, (text) => {
      const edited = edit(parseWebhooks(text));
      return edited === null ? null : JSON.stringify(edited);
    });
    cached = null;
  };
  const replace = async (
    id: string,
    edit: (webhook: StoredWebhook) => readonly StoredWebhook[],
  ): Promise<{ readonly before: StoredWebhook; readonly after: StoredWebhook | null } | null> => {
    let found: { readonly before: StoredWebhook; readonly after: StoredWebhook | null } | null = null;
    await change((webhooks) => {
      const before = webhooks.find((webhook) => webhook.id === id);
      if (before === undefined) return null;
      const replaced = edit(before);
      found = { before, after: replaced[0] ?? null };
      return webhooks.flatMap((webhook) => (webhook.id === id ? replaced : [webhook]));
    });
    return found;
  };
  return {
    current: async (tx) => {
      const now = performance.now();
      if (cached === null || now - cached.readAt >= MAX_AGE_MS) {
        const text = await (tx === undefined ? state.read(WEBHOOKS_KEY) : state.readWithin(tx, WEBHOOKS_KEY));
        cached = { webhooks: [...fromFile, ...parseWebhooks(text).map(fromStored)], readAt: now };
      }
      return cached.webhooks;
    },
    stored,
    add: async (webhook) => {
      let added: StoredWebhook = { ...webhook, id: '1' };
      await change((webhooks) => {
        added = { ...webhook, id: nextId(webhooks) };
        return [...webhooks, added];
      });
      // A server may have stored deliveries for a removed webhook with the same id.
      await deliveries.deleteOf(added.id);
      return added;
    },
    update: async (id, changes) =>
      (await replace(id, (webhook) => [{ ...webhook, ...changes, id }]))?.after ?? null,
    remove: async (id) => {
      const removed = await replace(id, () => []);
      if (removed === null) return null;
      await deliveries.deleteOf(id);
      return removed.before;
    },
  };
}
