import { isRecord } from '../../lib/is-record.js';

/**
 * Message between workers and their primary process, by which any worker can report the figures of all: it
 * sends `ask`, the primary sends `count` to each worker, and returns the `counted` figures as `all`.
 */
export type MetricsMessage =
  | { readonly metrics: 'ask' | 'count'; readonly id: number }
  | { readonly metrics: 'counted'; readonly id: number; readonly figures: unknown }
  | { readonly metrics: 'all'; readonly id: number; readonly figures: readonly unknown[] };

/** True if a message between processes is one of these. Only own processes can send any. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return isRecord(message) && typeof message['metrics'] === 'string' && typeof message['id'] === 'number';
}
