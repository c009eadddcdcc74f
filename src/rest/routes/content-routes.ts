import { LIST_LOCALES, permissionOf } from '../../access/permissions/controllers.js';
import type { DocumentAction } from '../../access/permissions/controllers.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import type { Method, Route } from './route.js';

export type ContentOperation =
  | 'find'
  | 'findOne'
  | 'aggregate'
  | 'create'
  | 'update'
  | 'delete'
  | 'findSingle'
  | 'updateSingle'
  | 'deleteSingle';

/** An endpoint for the documents of one content type. */
export interface ContentRoute extends Route<ContentOperation> {
  readonly contentType: Uid;
}

interface OperationDefinition {
  readonly operation: ContentOperation;
  readonly method: Method;
  readonly action: DocumentAction;
  /** Whether the path names one document. */
  readonly isById: boolean;
  /** What follows the path of the list. No document id is as short. */
  readonly subpath?: string;
  readonly describe: (displayName: string) => string;
}

const COLLECTION_OPERATIONS: readonly OperationDefinition[] = [
  {
    operation: 'find',
    method: 'GET',
    action: 'find',
    isById: false,
    describe: (name) => `List documents of ${name}`,
  },
  {
    operation: 'create',
    method: 'POST',
    action: 'create',
    isById: false,
    describe: (name) => `Create a document of ${name}`,
  },
  {
    operation: 'findOne',
    method: 'GET',
    action: 'findOne',
    isById: true,
    describe: (name) => `Read one document of ${name}`,
  },
  {
    operation: 'aggregate',
    method: 'GET',
    action: 'find',
    isById: false,
    subpath: 'aggregate',
    describe: (name) => `Count, sum up and group documents of ${name}`,
  },
  {
    operation: 'update',
    method: 'PUT',
    action: 'update',
    isById: true,
    describe: (name) => `Update a document of ${name}`,
  },
  {
    operation: 'delete',
    method: 'DELETE',
    action: 'delete',
    isById: true,
    describe: (name) => `Delete a document of ${name}`,
  },
];

const SINGLE_OPERATIONS: readonly OperationDefinition[] = [
  {
    operation: 'findSingle',
    method: 'GET',
    action: 'find',
    isById: false,
    describe: (name) => `Read the document of ${name}`,
  },
  {
    operation: 'updateSingle',
    method: 'PUT',
    action: 'update',
    isById: false,
    describe: (name) => `Update the document of ${name}, or create it`,
  },
  {
    operation: 'deleteSingle',
    method: 'DELETE',
    action: 'delete',
    isById: false,
    describe: (name) => `Delete the document of ${name}`,
  },
];

const routesOfType = (type: ContentType, prefix: string): readonly ContentRoute[] => {
  const isSingle = type.kind === 'singleType';
  const path = `${prefix}/${isSingle ? type.singularName : type.pluralName}`;
  return (isSingle ? SINGLE_OPERATIONS : COLLECTION_OPERATIONS).map(
    ({ operation, method, action, isById, subpath, describe }) => ({
      method,
      path: isById ? `${path}/:documentId` : subpath === undefined ? path : `${path}/${subpath}`,
      contentType: type.uid,
      operation,
      guard: permissionOf(type, action),
      description: describe(type.displayName),
    }),
  );
};

/**
 * Returns the endpoints of every content type of the project, in the model's order. Built-in types have
 * endpoints of their own.
 *
 * @example
 *   contentRoutes(model, '/api').map(({ method, path }) => `${method} ${path}`);
 */
export function contentRoutes(model: ContentModel, prefix: string): readonly ContentRoute[] {
  return model.types
    .filter((type) => type.origin === 'project')
    .flatMap((type) => routesOfType(type, prefix));
}

/** Returns the endpoints of the configured locales. */
export function localeRoutes(prefix: string): readonly Route<'listLocales'>[] {
  return [
    {
      method: 'GET',
      path: `${prefix}/i18n/locales`,
      contentType: null,
      operation: 'listLocales',
      guard: LIST_LOCALES,
      description: 'List the configured locales',
    },
  ];
}
