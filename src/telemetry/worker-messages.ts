import { isRecord } from '../lib/is-record.js';

/**
 * What workers and their primary process tell each other, so that whichever worker is asked can state the
 * figures of all: it `asks`, the primary has each worker `count`, and sends it what these `counted`.
 */
export type MetricsMessage =
  | { readonly metrics: 'ask' | 'count'; readonly id: number }
  | { readonly metrics: 'counted'; readonly id: number; readonly figures: unknown }
  | { readonly metrics: 'all'; readonly id: number; readonly figures: readonly unknown[] };

/** Whether a message between processes is one of these. Only own processes can send any. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return isRecord(message) && typeof message['metrics'] === 'string' && typeof message['id'] === 'number';
}
