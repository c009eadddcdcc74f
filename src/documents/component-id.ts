import { randomBytes } from 'node:crypto';

const COMPONENT_ID_BYTES = 6;

/** A new component's id: a positive number that JavaScript keeps exactly. */
export function createComponentId(): number {
  return randomBytes(COMPONENT_ID_BYTES).readUIntBE(0, COMPONENT_ID_BYTES) + 1;
}
