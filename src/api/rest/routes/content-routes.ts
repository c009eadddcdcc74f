import { LIST_LOCALES, permissionOf } from '../../../access/permissions/actions.js';
import type { DocumentAction, Permission } from '../../../access/permissions/actions.js';
import type { ContentModel, ContentType, Uid } from '../../../model/model.js';
import { AGGREGATE_PARAMETERS } from '../../../query/aggregate.js';
import { READ_PARAMETERS } from '../../../query/read-context.js';
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
  | 'translate'
  | 'findTrash'
  | 'findDeleted'
  | 'restoreDeleted'
  | 'purgeDeleted'
  | 'findSingle'
  | 'updateSingle'
  | 'deleteSingle'
  | 'findScheduleOfSingle'
  | 'scheduleSingle';

/** An endpoint for the documents of one content type. */
export interface ContentRoute extends Route<ContentOperation> {
  readonly contentType: Uid;
}

/** Names of a type's documents in descriptions: `blog post`, `blog posts`. */
interface DescribedNames {
  readonly one: string;
  readonly many: string;
}

interface OperationDefinition {
  readonly operation: ContentOperation;
  readonly method: Method;
  /** Several: the body determines the required one. */
  readonly action: DocumentAction | readonly DocumentAction[];
  /** The path after the name of the type. Names such as `bulk` are too short to be document ids. */
  readonly suffix: string;
  readonly parameters?: Route['parameters'];
  readonly bodyKeys?: Route['bodyKeys'];
  readonly describe: (names: DescribedNames) => string;
}

/** Parameters and body of a write that returns the document. */
const WRITE = { parameters: ['status', 'locale', 'fields', 'populate'], bodyKeys: ['data'] } as const;

/** Parameters of a deletion. `fields` and `populate` select the representation that `If-Match` names. */
const DELETION = { parameters: ['locale', 'fields', 'populate'], bodyKeys: [] } as const;

/** Parameters and body of a request about one locale of a document. */
const OF_LOCALE = { parameters: ['locale'], bodyKeys: [] } as const;

const COLLECTION_OPERATIONS: readonly OperationDefinition[] = [
  {
    operation: 'find',
    parameters: READ_PARAMETERS,
    method: 'GET',
    action: 'find',
    suffix: '',
    describe: ({ many }) => `List ${many}`,
  },
  {
    operation: 'create',
    ...WRITE,
    method: 'POST',
    action: 'create',
    suffix: '',
    describe: ({ one }) => `Create one ${one}`,
  },
  {
    operation: 'findOne',
    parameters: READ_PARAMETERS,
    method: 'GET',
    action: 'findOne',
    suffix: '/:documentId',
    describe: ({ one }) => `Read one ${one}`,
  },
  {
    operation: 'aggregate',
    parameters: AGGREGATE_PARAMETERS,
    method: 'GET',
    action: 'find',
    suffix: '/aggregate',
    describe: ({ many }) => `Count, sum up and group ${many}`,
  },
  {
    operation: 'update',
    ...WRITE,
    method: 'PUT',
    action: 'update',
    suffix: '/:documentId',
    describe: ({ one }) => `Update one ${one}`,
  },
  {
    operation: 'delete',
    ...DELETION,
    method: 'DELETE',
    action: 'delete',
    suffix: '/:documentId',
    describe: ({ one }) => `Delete one ${one}`,
  },
  {
    operation: 'bulk',
    ...WRITE,
    parameters: [...WRITE.parameters, 'atomic'],
    method: 'POST',
    action: ['create', 'update', 'delete'],
    suffix: '/bulk',
    describe: ({ many }) => `Create, update, delete and publish several ${many}`,
  },
];

const SINGLE_OPERATIONS: readonly OperationDefinition[] = [
  {
    operation: 'findSingle',
    parameters: READ_PARAMETERS,
    method: 'GET',
    action: 'find',
    suffix: '',
    describe: ({ one }) => `Read the ${one}`,
  },
  {
    operation: 'updateSingle',
    ...WRITE,
    method: 'PUT',
    action: 'update',
    suffix: '',
    describe: ({ one }) => `Update the ${one}, or create it`,
  },
  {
    operation: 'deleteSingle',
    ...DELETION,
    method: 'DELETE',
    action: 'delete',
    suffix: '',
    describe: ({ one }) => `Delete the ${one}`,
  },
];

/** Operations of types with drafts. The permission to update includes publishing, and so scheduling. */
const schedulingOperations = (
  [find, change]: readonly [ContentOperation, ContentOperation],
  suffix: string,
): readonly OperationDefinition[] => [
  {
    operation: find,
    parameters: OF_LOCALE.parameters,
    method: 'GET',
    action: 'update',
    suffix,
    describe: ({ one }) => `Read the schedule of one ${one}`,
  },
  {
    operation: change,
    ...OF_LOCALE,
    bodyKeys: ['data'],
    method: 'PUT',
    action: 'update',
    suffix,
    describe: ({ one }) => `Schedule when one ${one} is published or unpublished`,
  },
];

const SCHEDULING = schedulingOperations(['findSchedule', 'schedule'], '/:documentId/schedule');
const SINGLE_SCHEDULING = schedulingOperations(['findScheduleOfSingle', 'scheduleSingle'], '/schedule');

/** Operations of types with drafts, whose published versions are stored. */
const historyOperations = (prefix: string): readonly OperationDefinition[] => [
  {
    operation: 'findVersions',
    parameters: OF_LOCALE.parameters,
    method: 'GET',
    action: 'findVersions',
    suffix: `${prefix}/versions`,
    describe: ({ one }) => `List the published versions of one ${one}`,
  },
  {
    operation: 'findVersion',
    parameters: OF_LOCALE.parameters,
    method: 'GET',
    action: 'findVersions',
    suffix: `${prefix}/versions/:version`,
    describe: ({ one }) => `Read a published version of one ${one}`,
  },
  {
    operation: 'restoreVersion',
    ...OF_LOCALE,
    method: 'POST',
    action: 'restoreVersion',
    suffix: `${prefix}/versions/:version/restore`,
    describe: ({ one }) => `Write a published version of one ${one} into its draft`,
  },
];

const HISTORY = historyOperations('/:documentId');
const SINGLE_HISTORY = historyOperations('');

/** The operation of localized types. */
const translation = (suffix: string): OperationDefinition => ({
  operation: 'translate',
  parameters: [...WRITE.parameters, 'from', 'attributes'],
  bodyKeys: WRITE.bodyKeys,
  method: 'POST',
  action: 'update',
  suffix,
  describe: ({ one }) => `Copy one ${one} to another locale`,
});

/** Operations on deleted documents. */
const TRASH: readonly OperationDefinition[] = [
  {
    operation: 'findTrash',
    parameters: ['limit', 'before'],
    method: 'GET',
    action: 'findDeleted',
    suffix: '/trash',
    describe: ({ many }) => `List deleted ${many}`,
  },
  {
    operation: 'findDeleted',
    parameters: [],
    method: 'GET',
    action: 'findDeleted',
    suffix: '/trash/:entry',
    describe: ({ one }) => `Read one deleted ${one}`,
  },
  {
    operation: 'restoreDeleted',
    parameters: [],
    bodyKeys: [],
    method: 'POST',
    action: 'restoreDeleted',
    suffix: '/trash/:entry/restore',
    describe: ({ one }) => `Restore one deleted ${one}`,
  },
  {
    operation: 'purgeDeleted',
    parameters: [],
    bodyKeys: [],
    method: 'DELETE',
    action: 'purgeDeleted',
    suffix: '/trash/:entry',
    describe: ({ one }) => `Delete one ${one} in the trash for good`,
  },
];

const operationsOf = ({ kind, draftAndPublish, localized }: ContentType): readonly OperationDefinition[] =>
  kind === 'singleType'
    ? [
        ...SINGLE_OPERATIONS,
        ...(localized ? [translation('')] : []),
        ...(draftAndPublish ? [...SINGLE_SCHEDULING, ...SINGLE_HISTORY] : []),
        ...TRASH,
      ]
    : [
        ...COLLECTION_OPERATIONS,
        ...(localized ? [translation('/:documentId')] : []),
        ...(draftAndPublish ? [...SCHEDULING, ...HISTORY] : []),
        ...TRASH,
      ];

const guardOf = (type: ContentType, action: OperationDefinition['action']): Permission | AnyPermission =>
  typeof action === 'string' ? permissionOf(type, action) : { uid: type.uid, anyOf: action };

/** Returns the unsupported parameter `status` of DELETE, which removes all versions of a locale. */
const unsupportedOf = (
  { kind, draftAndPublish }: ContentType,
  { method, operation }: OperationDefinition,
  { prefix, path }: { readonly prefix: string; readonly path: string },
): Pick<Route, 'unsupported'> => {
  if (method !== 'DELETE' || operation === 'purgeDeleted') return {};
  const bulk = kind === 'singleType' ? `${prefix}/cms/bulk` : `${path}/bulk`;
  const status = draftAndPublish
    ? 'DELETE removes the draft and the published version. To unpublish the document, send the action ' +
      `unpublish to POST ${bulk}; to reset the draft to the published version, the action discardDraft.`
    : 'DELETE removes the document, which has no drafts.';
  return { unsupported: { status } };
};

const spaced = (name: string): string => name.replaceAll('-', ' ');

const routesOfType = (type: ContentType, prefix: string): readonly ContentRoute[] => {
  const path = `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`;
  const names = { one: spaced(type.singularName), many: spaced(type.pluralName) };
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
      description: describe(names),
    };
  });
};

/**
 * Returns the endpoints of every content-type of the project, in the model's order. Built-in types have other
 * endpoints.
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
