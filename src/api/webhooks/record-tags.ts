import { readPublicVersion } from '../../access/access.js';
import { PURGE_EVENT } from '../../config/webhook-settings.js';
import type { Database, Transaction } from '../../database/database.js';
import { createServerState, readServerState, writeServerState } from '../../database/server-state.js';
import { logChanges } from '../../documents/changes/change-log.js';
import type { TagListener } from '../../documents/tags/announce-tags.js';
import { SITE_TAG } from '../../documents/tags/tag-names.js';
import { sha256Hex } from '../../lib/ids.js';
import type { ContentModel } from '../../model/model.js';
import type { DeliveryStore } from './delivery-store.js';
import { printTagEvent } from './purge-requests.js';
import type { WebhookRegistry } from './webhook-registry.js';
import { receivesTags } from './webhook.js';

interface RecordTagsDependencies {
  readonly registry: Pick<WebhookRegistry, 'current'>;
  readonly deliveries: Pick<DeliveryStore, 'record'>;
  /** Called once a write with tags is committed. */
  readonly onRecorded: () => void;
}

const EVENT = { event: PURGE_EVENT, type: '', documentId: '', locale: null } as const;

/** Creates the listener that stores a delivery for each webhook with the event `cache.purge`. */
export function createTagRecorder({ registry, deliveries, onRecorded }: RecordTagsDependencies): TagListener {
  const receivers = async (tx: Transaction): Promise<readonly string[]> =>
    (await registry.current(tx)).filter(receivesTags).map(({ id }) => id);
  return {
    isListening: async (tx) => (await receivers(tx)).length > 0,
    announce: async (tx, tags) => {
      await deliveries.record(tx, await receivers(tx), EVENT, printTagEvent(tags));
      tx.afterCommit(async () => onRecorded());
    },
  };
}

const STATE_KEY = 'cache/site';

const withoutBigints = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/**
 * Milliseconds from the detection of a change to its announcement. Servers load changed permissions and
 * locales within 300 ms, so that no cache stores a response by the former ones after the purge.
 */
const DELAY_MS = 900;

interface SiteWatchOptions {
  readonly delayMs?: number;
  /** Returns milliseconds. */
  readonly now?: () => number;
}

/**
 * Creates a function that announces the tag of all responses if permissions, locales or the schema have
 * changed, or content was imported, since it was last called by any process. Processes that send webhooks or
 * streams of tags call it regularly, so that they notice changes by commands too.
 */
export function createSiteWatch(
  database: Database,
  model: ContentModel,
  listener: Pick<TagListener, 'announce'>,
  { delayMs = DELAY_MS, now = () => performance.now() }: SiteWatchOptions = {},
): () => Promise<void> {
  const schema = sha256Hex(JSON.stringify([model.types, model.components], withoutBigints));
  const state = createServerState(database);
  let checked: string | null = null;
  let detected = { version: '', at: 0 };
  return async () => {
    const version = `${await readPublicVersion(database)} ${schema}`;
    // Processes with different schemas would replace the versions of each other.
    if (version === checked) return;
    if ((await state.read(STATE_KEY)) !== version) {
      if (detected.version !== version) detected = { version, at: now() };
      if (now() - detected.at < delayMs) return;
      await database.transact(async (tx) => {
        await tx.lock(STATE_KEY);
        if ((await readServerState(tx, STATE_KEY)) === version) return;
        await writeServerState(tx, STATE_KEY, version);
        await listener.announce(tx, [SITE_TAG]);
        await logChanges(database, tx, [], [SITE_TAG]);
      });
    }
    checked = version;
  };
}
