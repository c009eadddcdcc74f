import { COMPONENTS_CONTROLLER, TYPES_CONTROLLER } from '../../../access/permissions/controllers.js';
import type { Route } from './route.js';

const SCHEMA_OPERATIONS = [
  {
    operation: 'getContentTypes',
    path: '/content-types',
    uid: TYPES_CONTROLLER,
    description: 'List the schemas of all content-types',
  },
  {
    operation: 'getContentType',
    path: '/content-types/:uid',
    uid: TYPES_CONTROLLER,
    description: 'Read the schema of one content-type',
  },
  {
    operation: 'getComponents',
    path: '/components',
    uid: COMPONENTS_CONTROLLER,
    description: 'List the schemas of all components',
  },
  {
    operation: 'getComponent',
    path: '/components/:uid',
    uid: COMPONENTS_CONTROLLER,
    description: 'Read the schema of one component',
  },
] as const;

export type SchemaOperation = (typeof SCHEMA_OPERATIONS)[number]['operation'];

/** Returns the endpoints from which site generators learn what content there is. */
export function schemaRoutes(prefix: string): readonly Route<SchemaOperation>[] {
  return SCHEMA_OPERATIONS.map(({ operation, path, uid, description }) => ({
    method: 'GET',
    path: `${prefix}/content-type-builder${path}`,
    contentType: null,
    operation,
    guard: { uid, action: operation },
    description,
  }));
}
