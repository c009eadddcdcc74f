import { randomFillSync } from 'node:crypto';
import type { ContentType } from '../../model/model.js';
import type { VersionRow } from '../rows/version-statements.js';

const COMPONENT_ID_BYTES = 6;
/**
 * Number of ids made from one call to the system's random source. One call per id would cost more than
 * everything else about a component.
 */
const POOL_SIZE = 256;

const pool = Buffer.alloc(COMPONENT_ID_BYTES * POOL_SIZE);
let offset = pool.length;

/** Returns a new component's id: a positive number that JavaScript represents exactly. */
export function createComponentId(): number {
  if (offset === pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  const id = pool.readUIntBE(offset, COMPONENT_ID_BYTES) + 1;
  offset += COMPONENT_ID_BYTES;
  return id;
}

const containsId = (value: unknown, id: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && Reflect.get(value, 'id') === id) return true;
  return Object.values(value).some((child) => containsId(child, id));
};

/** True if a version contains the component with that id, at any depth. */
export function containsComponent(type: ContentType, row: VersionRow, id: number): boolean {
  return Object.values(type.attributes).some((attribute) => {
    const isComponent = attribute.family === 'component' || attribute.family === 'dynamiczone';
    return isComponent && containsId(row.values[attribute.column.field], id);
  });
}
