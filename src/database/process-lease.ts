import { randomUUID } from 'node:crypto';
import type { ServerState } from './server-state.js';

/** Decides which of several processes does some work. */
export interface ProcessLease {
  /** Takes or renews the lease where that is due. Returns whether this process holds it. */
  readonly hold: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/**
 * Keeps in the database who does the work. The holder changes the value again and again. A value that stays
 * the same for `leaseMs` is that of a process that has ended, which every other process measures by its own
 * clock.
 *
 * @param key names the work: `webhooks/sender`
 */
export function createProcessLease(state: ServerState, key: string, leaseMs: number): ProcessLease {
  const owner = randomUUID();
  const renewalMs = leaseMs / 3;
  let beat = 0;
  let renewedAt: number | null = null;
  let seen: { readonly value: string | null; readonly since: number } | null = null;
  /** Replaces what was seen, unless another process was faster. */
  const take = async (isExpected: (value: string | null) => boolean): Promise<boolean> => {
    let isTaken = false;
    beat += 1;
    await state.change(key, (value) => {
      isTaken = isExpected(value);
      return isTaken ? `${owner} ${beat}` : null;
    });
    renewedAt = isTaken ? performance.now() : null;
    return isTaken;
  };
  return {
    hold: async () => {
      const now = performance.now();
      if (renewedAt !== null)
        return now - renewedAt < renewalMs || take((value) => value?.startsWith(owner) === true);
      const value = await state.read(key);
      if (seen === null || seen.value !== value) seen = { value, since: now };
      const isFree = value === null || value === '' || now - seen.since >= leaseMs;
      return isFree && take((current) => current === value);
    },
    release: async () => {
      if (renewedAt === null) return;
      renewedAt = null;
      await state.change(key, (value) => (value?.startsWith(owner) === true ? '' : null));
    },
  };
}
