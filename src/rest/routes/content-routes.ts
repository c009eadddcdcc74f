import { LIST_LOCALES, permissionOf } from '../../access/permissions/controllers.js';
import type { DocumentAction, Permission } from '../../access/permissions/controllers.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import type { AnyPermission, Method, Route } from './route.js';

export type ContentOperation =
  | 'find'
  | 'findOne'
  | 'aggregate'
  | 'create'
  | 'update'
  | 'delete'
  | 'bulk'
  | 'findSchedule'
  | 'schedule'
  | 'findVersions'
  | 'findVersion'
  | 'restoreVersion'
  | 'findSingle'
  | 'updateSingle'
  | 'deleteSingle'
  | 'findScheduleOfSingle'
  | 'scheduleSingle';

/** An endpoint for the documents of one content type. */
export interface ContentRoute extends Route<ContentOperation> {
  readonly contentType: Uid;
}

interface OperationDefinition {
  readonly operation: ContentOperation;
  readonly method: Method;
  /** Several: the body says which. */
  readonly action: DocumentAction | readonly DocumentAction[];
  /** What follows the name of the type in the path. No document id is as short. */
  readonly suffix: string;
  readonly parameters?: Route['parameters'];
  readonly bodyKeys?: Route['bodyKeys'];
  readonly describe: (displayName: string) => string;
}

/** What a write that returns the document takes. */
const WRITE = { parameters: ['status', 'locale', 'fields', 'populate'], bodyKeys: ['data'] } as const;

/** What a request about one locale of a document takes. */
const OF_LOCALE = { parameters: ['locale'], bodyKeys: [] } as const;

const COLLECTION_OPERATIONS: readonly OperationDefinition[] = [
  {
    operation: 'find',
    method: 'GET',
    action: 'find',
    suffix: '',
    describe: (name) => `List documents of ${name}`,
  },
  {
    operation: 'create',
    ...WRITE,
    method: 'POST',
    action: 'create',
    suffix: '',
    describe: (name) => `Create a document of ${name}`,
  },
  {
    operation: 'findOne',
    method: 'GET',
    action: 'findOne',
    suffix: '/:documentId',
    describe: (name) => `Read one document of ${name}`,
  },
  {
    operation: 'aggregate',
    method: 'GET',
    action: 'find',
    suffix: '/aggregate',
    describe: (name) => `Count, sum up and group documents of ${name}`,
  },
  {
    operation: 'update',
    ...WRITE,
    method: 'PUT',
    action: 'update',
    suffix: '/:documentId',
    describe: (name) => `Update a document of ${name}`,
  },
  {
    operation: 'delete',
    ...OF_LOCALE,
    method: 'DELETE',
    action: 'delete',
    suffix: '/:documentId',
    describe: (name) => `Delete a document of ${name}`,
  },
  {
    operation: 'bulk',
    ...WRITE,
    parameters: [...WRITE.parameters, 'atomic'],
    method: 'POST',
    action: ['create', 'update', 'delete'],
    suffix: '/bulk',
    describe: (name) => `Create, update, delete and publish documents of ${name} at once`,
  },
];

const SINGLE_OPERATIONS: readonly OperationDefinition[] = [
  {
    operation: 'findSingle',
    method: 'GET',
    action: 'find',
    suffix: '',
    describe: (name) => `Read the document of ${name}`,
  },
  {
    operation: 'updateSingle',
    ...WRITE,
    method: 'PUT',
    action: 'update',
    suffix: '',
    describe: (name) => `Update the document of ${name}, or create it`,
  },
  {
    operation: 'deleteSingle',
    ...OF_LOCALE,
    method: 'DELETE',
    action: 'delete',
    suffix: '',
    describe: (name) => `Delete the document of ${name}`,
  },
];

/** For types with drafts: whoever may update a document may publish it, and so schedule that. */
const schedulingOperations = (
  [find, change]: readonly [ContentOperation, ContentOperation],
  suffix: string,
): readonly OperationDefinition[] => [
  {
    operation: find,
    method: 'GET',
    action: 'update',
    suffix,
    describe: (name) => `Tell when a document of ${name} is to be published or unpublished`,
  },
  {
    operation: change,
    ...OF_LOCALE,
    bodyKeys: ['data'],
    method: 'PUT',
    action: 'update',
    suffix,
    describe: (name) => `Say when a document of ${name} is to be published or unpublished`,
  },
];

const SCHEDULING = schedulingOperations(['findSchedule', 'schedule'], '/:documentId/schedule');
const SINGLE_SCHEDULING = schedulingOperations(['findScheduleOfSingle', 'scheduleSingle'], '/schedule');

/** For types with drafts, whose published versions are kept. */
const historyOperations = (prefix: string): readonly OperationDefinition[] => [
  {
    operation: 'findVersions',
    method: 'GET',
    action: 'findVersions',
    suffix: `${prefix}/versions`,
    describe: (name) => `List the published versions of a document of ${name}`,
  },
  {
    operation: 'findVersion',
    method: 'GET',
    action: 'findVersions',
    suffix: `${prefix}/versions/:version`,
    describe: (name) => `Read a published version of a document of ${name}`,
  },
  {
    operation: 'restoreVersion',
    ...OF_LOCALE,
    method: 'POST',
    action: 'restoreVersion',
    suffix: `${prefix}/versions/:version/restore`,
    describe: (name) => `Write a published version of a document of ${name} into its draft`,
  },
];

const HISTORY = historyOperations('/:documentId');
const SINGLE_HISTORY = historyOperations('');

const operationsOf = ({ kind, draftAndPublish }: ContentType): readonly OperationDefinition[] =>
  kind === 'singleType'
    ? [...SINGLE_OPERATIONS, ...(draftAndPublish ? [...SINGLE_SCHEDULING, ...SINGLE_HISTORY] : [])]
    : [...COLLECTION_OPERATIONS, ...(draftAndPublish ? [...SCHEDULING, ...HISTORY] : [])];

const guardOf = (type: ContentType, action: OperationDefinition['action']): Permission | AnyPermission =>
  typeof action === 'string' ? permissionOf(type, action) : { uid: type.uid, anyOf: action };

/** Deleting concerns all versions of a locale, whichever a request names. */
const unsupportedOf = (
  { kind, draftAndPublish }: ContentType,
  { method }: OperationDefinition,
  { prefix, path }: { readonly prefix: string; readonly path: string },
): Pick<Route, 'unsupported'> => {
  if (method !== 'DELETE') return {};
  const bulk = kind === 'singleType' ? `${prefix}/cms/bulk` : `${path}/bulk`;
  const status = draftAndPublish
    ? 'DELETE removes the draft and what is published. To take back what is published, send the action ' +
      `unpublish to POST ${bulk}; to reset the draft to it, the action discardDraft.`
    : 'DELETE removes the document, which has no drafts.';
  return { unsupported: { status } };
};

const routesOfType = (type: ContentType, prefix: string): readonly ContentRoute[] => {
  const path = `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`;
  return operationsOf(type).map((definition) => {
    const { operation, method, action, suffix, parameters, bodyKeys, describe } = definition;
    return {
      method,
      path: `${path}${suffix}`,
      contentType: type.uid,
      operation,
      guard: guardOf(type, action),
      ...(parameters === undefined ? {} : { parameters }),
      ...(bodyKeys === undefined ? {} : { bodyKeys }),
      ...unsupportedOf(type, definition, { prefix, path }),
      ...(operation === 'bulk' ? { isBulk: true } : {}),
      description: describe(type.displayName),
    };
  });
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
