import type { ContentType } from '../model/model.js';
import type { VersionRow } from './version-row.js';

const holdsId = (value: unknown, id: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && Reflect.get(value, 'id') === id) return true;
  return Object.values(value).some((inner) => holdsId(inner, id));
};

/** Whether a version holds a component of that id, at any depth. */
export function holdsComponent(type: ContentType, row: VersionRow, id: number): boolean {
  return Object.values(type.attributes).some((attribute) => {
    const isComponent = attribute.family === 'component' || attribute.family === 'dynamiczone';
    return isComponent && holdsId(row.values[attribute.column.field], id);
  });
}
