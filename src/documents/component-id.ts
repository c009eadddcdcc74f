import { randomFillSync } from 'node:crypto';

const COMPONENT_ID_BYTES = 6;
/** Ids whose bytes are fetched at once: asking the system for each costs more than the rest of a component. */
const IDS_AT_ONCE = 256;

const pool = Buffer.alloc(COMPONENT_ID_BYTES * IDS_AT_ONCE);
let used = pool.length;

/** A new component's id: a positive number that JavaScript keeps exactly. */
export function createComponentId(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.readUIntBE(used, COMPONENT_ID_BYTES) + 1;
  used += COMPONENT_ID_BYTES;
  return id;
}
