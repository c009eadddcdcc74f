import { WRITE_ACTIONS } from '../../documents/hooks.js';
import type { WriteAction } from '../../documents/hooks.js';
import { pascalCase } from '../../lib/names.js';
import type { JsonSchema } from '../../lib/json.js';
import type { ContentType } from '../../model/model.js';
import type { ContentOperation } from '../rest/routes/content-routes.js';
import {
  BOOLEAN,
  INTEGER,
  DATE_TIME,
  NULL,
  TEXT,
  anyOf,
  listOf,
  nullable,
  objectOf,
  recordOf,
  ANY_OBJECT,
} from './schema-registry.js';
import type { SchemaRegistry } from './schema-registry.js';
import { aggregateEndpoint } from './aggregate-endpoint.js';
import { jsonResponse, jsonBody, parameter } from './endpoint.js';
import type { Endpoint, OpenapiObject } from './endpoint.js';
import { listParameters, releaseParameter, shapeParameters, versionParameters } from './query-parameters.js';

const VERSION = { version: INTEGER, publishedAt: DATE_TIME, author: nullable(TEXT) };
const OMISSION = recordOf({ attribute: TEXT, reason: TEXT });

const historyTraits = ({
  displayName,
  localized,
}: ContentType): Pick<Endpoint, 'tag' | 'mayBeMissing' | 'parameters'> => ({
  tag: displayName,
  mayBeMissing: true,
  parameters: localized
    ? [parameter('locale', TEXT, 'The locale of the document. Default: the default locale.')]
    : [],
});

/** Lists the published versions of a document. */
function versionsEndpoint(_registry: SchemaRegistry, type: ContentType): Endpoint {
  return {
    ...historyTraits(type),
    operationId: `findVersionsOf${type.typeName}`,
    responses: {
      200: jsonResponse(
        'The published versions, the latest first.',
        recordOf({ data: listOf(recordOf(VERSION)), meta: ANY_OBJECT }),
      ),
    },
  };
}

/** Returns a published version of a document. */
function versionEndpoint(_registry: SchemaRegistry, type: ContentType): Endpoint {
  const data = recordOf({ ...VERSION, content: ANY_OBJECT });
  return {
    ...historyTraits(type),
    operationId: `findVersionOf${type.typeName}`,
    responses: {
      200: jsonResponse(
        'The values of the version, with the documentIds of linked documents.',
        recordOf({ data, meta: ANY_OBJECT }),
      ),
    },
  };
}

/** Writes a published version of a document into its draft. */
function restoreEndpoint(registry: SchemaRegistry, type: ContentType): Endpoint {
  const meta = recordOf({ omitted: listOf(OMISSION) });
  const traits = historyTraits(type);
  return {
    ...traits,
    parameters: [...(traits.parameters ?? []), IF_MATCH],
    isConditional: true,
    operationId: `restoreVersionOf${type.typeName}`,
    responses: {
      200: jsonResponse(
        'The draft, and the attributes that could not be restored.',
        recordOf({ data: registry.of(type.uid, ''), meta }),
      ),
    },
  };
}

const TRASH_ENTRY = {
  id: INTEGER,
  type: TEXT,
  documentId: TEXT,
  locale: nullable(TEXT),
  deletedAt: DATE_TIME,
  label: nullable(TEXT),
};

const TRASHED_VERSION = recordOf({
  locale: nullable(TEXT),
  status: { type: 'string', enum: ['draft', 'published'] },
  createdAt: DATE_TIME,
  updatedAt: DATE_TIME,
  publishedAt: nullable(DATE_TIME),
  content: ANY_OBJECT,
});

const trashEndpoint =
  (name: string, description: string, data: JsonSchema) =>
  (_registry: SchemaRegistry, type: ContentType): Endpoint => ({
    tag: type.displayName,
    mayBeMissing: name !== 'findDeleted',
    parameters:
      name === 'findDeleted'
        ? [
            parameter('limit', INTEGER, 'The maximum number of entries. Default: 100.'),
            parameter('before', INTEGER, 'List only entries with a smaller id.'),
          ]
        : [],
    operationId: `${name}${type.typeName}`,
    responses: { 200: jsonResponse(description, recordOf({ data, meta: ANY_OBJECT })) },
  });

const TRASH_ENDPOINTS = {
  findTrash: trashEndpoint('findDeleted', 'The entries, the latest first.', listOf(recordOf(TRASH_ENTRY))),
  findDeleted: trashEndpoint(
    'findOneDeleted',
    'The deleted versions, without private values and links.',
    recordOf({ ...TRASH_ENTRY, versions: listOf(TRASHED_VERSION) }),
  ),
  restoreDeleted: trashEndpoint(
    'restoreDeleted',
    'The restored locales, and the values and links that were not restored.',
    recordOf({ type: TEXT, documentId: TEXT, locales: listOf(TEXT), omitted: listOf(OMISSION) }),
  ),
  purgeDeleted: (_registry: SchemaRegistry, type: ContentType): Endpoint => ({
    tag: type.displayName,
    operationId: `purgeDeleted${type.typeName}`,
    responses: { 204: { description: 'There is no such entry in the trash.' } },
  }),
};

/** The header of writes that must not overwrite unseen changes. */
const IF_MATCH: OpenapiObject = {
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag of the document that the client has read, or several, or `*`. The write is rejected if the ' +
    'document has changed.',
  schema: TEXT,
};

const ETAG: OpenapiObject = { ETag: { description: 'The value for `If-Match`.', schema: TEXT } };

const TIMES = { publishAt: nullable(DATE_TIME), unpublishAt: nullable(DATE_TIME) };

const ACTION = { type: 'string', enum: ['publish', 'unpublish'] };

export const SCHEDULED_CHANGE = recordOf({
  type: TEXT,
  documentId: TEXT,
  locale: nullable(TEXT),
  action: ACTION,
  at: DATE_TIME,
  error: nullable(TEXT),
  author: nullable(TEXT),
});

const SCHEDULE = recordOf({
  documentId: TEXT,
  locale: nullable(TEXT),
  ...TIMES,
  author: nullable(TEXT),
  failures: listOf(recordOf({ action: ACTION, at: DATE_TIME, message: TEXT })),
});

const scheduleTraits = ({ displayName, localized }: ContentType): Omit<Endpoint, 'operationId'> => ({
  tag: displayName,
  mayBeMissing: true,
  parameters: localized
    ? [parameter('locale', TEXT, 'The locale of the document. Default: the default locale.')]
    : [],
  responses: {
    200: jsonResponse(
      'The times of publication and unpublication, and the changes that failed.',
      recordOf({ data: SCHEDULE, meta: objectOf({}) }),
    ),
  },
});

/** Returns the schedule of a document. */
function findScheduleEndpoint(_registry: SchemaRegistry, type: ContentType): Endpoint {
  return { ...scheduleTraits(type), operationId: `findScheduleOf${type.typeName}` };
}

/** Schedules when a document is published or unpublished. */
function scheduleEndpoint(_registry: SchemaRegistry, type: ContentType): Endpoint {
  return {
    ...scheduleTraits(type),
    operationId: `schedule${type.typeName}`,
    requestBody: jsonBody(recordOf({ data: objectOf(TIMES) })),
  };
}

const itemSchema = (registry: SchemaRegistry, { uid }: ContentType, action: WriteAction): JsonSchema => {
  const version = {
    locale: { type: ['string', 'null'] },
    status: { type: ['string', 'null'], enum: ['draft', 'published', null] },
  };
  const head = { action: { const: action } };
  if (action === 'create') {
    const data = anyOf(registry.of(uid, 'Input'), registry.of(uid, 'PartialInput'));
    return objectOf({ ...head, data, ...version }, ['action', 'data']);
  }
  const addressed = { ...head, documentId: TEXT, ifMatch: { type: ['string', 'null'], format: 'date-time' } };
  return action === 'update'
    ? objectOf({ ...addressed, data: registry.of(uid, 'PartialInput'), ...version }, [
        'action',
        'documentId',
        'data',
      ])
    : objectOf({ ...addressed, ...version }, ['action', 'documentId']);
};

/**
 * Returns the schema of one item's outcome: the document, or the error that a single request would have
 * returned.
 */
export function outcomeSchema(registry: SchemaRegistry, document: JsonSchema): JsonSchema {
  const head = { action: { type: 'string', enum: WRITE_ACTIONS }, status: INTEGER };
  return anyOf(
    recordOf({ ...head, documentId: TEXT, data: anyOf(document, NULL) }),
    recordOf({ ...head, data: NULL, error: registry.shared('ErrorBody') }),
  );
}

export const OUTCOME_META = recordOf({ succeeded: INTEGER, failed: INTEGER });

/** Writes several documents in one request. */
function bulkEndpoint(registry: SchemaRegistry, type: ContentType): Endpoint {
  const items = listOf(anyOf(...WRITE_ACTIONS.map((action) => itemSchema(registry, type, action))));
  return {
    operationId: `bulk${pascalCase(type.pluralName)}`,
    tag: type.displayName,
    parameters: [
      parameter('atomic', BOOLEAN, 'If true, no item is written unless all can be. Default: true.'),
      ...versionParameters(type),
      ...shapeParameters(registry, type),
    ],
    requestBody: jsonBody(recordOf({ data: items })),
    isConditional: true,
    responses: {
      200: jsonResponse(
        'The outcome of each item, in the order of the request.',
        recordOf({ data: listOf(outcomeSchema(registry, registry.of(type.uid, ''))), meta: OUTCOME_META }),
      ),
    },
  };
}

const documentResponse = (registry: SchemaRegistry, { uid, displayName }: ContentType): OpenapiObject => ({
  ...jsonResponse(
    `The document of ${displayName}.`,
    recordOf({ data: registry.of(uid, ''), meta: ANY_OBJECT }),
  ),
  headers: ETAG,
});

/** Describes the response with a page of documents. */
export const listResponse = (registry: SchemaRegistry, { uid, displayName }: ContentType): OpenapiObject => {
  const pagination = anyOf(
    registry.shared('PagePagination'),
    registry.shared('OffsetPagination'),
    registry.shared('CursorPagination'),
  );
  return jsonResponse(
    `Documents of ${displayName}.`,
    recordOf({ data: listOf(registry.of(uid, '')), meta: recordOf({ pagination }) }),
  );
};

/** Returns the schema of data for a new document. With `status=draft`, required attributes may be missing. */
const createdDataSchema = (registry: SchemaRegistry, { uid, draftAndPublish }: ContentType): JsonSchema =>
  draftAndPublish
    ? anyOf(registry.of(uid, 'Input'), registry.of(uid, 'PartialInput'))
    : registry.of(uid, 'Input');

const writeParameters = (registry: SchemaRegistry, type: ContentType): readonly OpenapiObject[] => [
  ...versionParameters(type),
  ...shapeParameters(registry, type),
];

const find = (registry: SchemaRegistry, type: ContentType): Endpoint => ({
  operationId: `find${pascalCase(type.pluralName)}`,
  tag: type.displayName,
  parameters: listParameters(registry, type),
  responses: { 200: listResponse(registry, type) },
});

const readOne = (registry: SchemaRegistry, type: ContentType): Endpoint => ({
  operationId: `find${type.kind === 'singleType' ? '' : 'One'}${type.typeName}`,
  tag: type.displayName,
  mayBeMissing: true,
  parameters: [...releaseParameter(type), ...writeParameters(registry, type)],
  responses: { 200: documentResponse(registry, type) },
});

const create = (registry: SchemaRegistry, type: ContentType): Endpoint => ({
  operationId: `create${type.typeName}`,
  tag: type.displayName,
  parameters: writeParameters(registry, type),
  requestBody: jsonBody(recordOf({ data: createdDataSchema(registry, type) })),
  responses: { 201: documentResponse(registry, type) },
});

const update = (registry: SchemaRegistry, type: ContentType): Endpoint => ({
  operationId: `update${type.typeName}`,
  tag: type.displayName,
  parameters: [...writeParameters(registry, type), IF_MATCH],
  isConditional: true,
  requestBody: jsonBody(recordOf({ data: registry.of(type.uid, 'PartialInput') })),
  responses: { 200: documentResponse(registry, type) },
});

/** Copies a document to another locale. */
const translate = (registry: SchemaRegistry, type: ContentType): Endpoint => ({
  operationId: `translate${type.typeName}`,
  tag: type.displayName,
  mayBeMissing: true,
  parameters: [
    ...writeParameters(registry, type).filter(({ name }) => name !== 'locale'),
    { ...parameter('locale', TEXT, 'The new locale.'), required: true },
    parameter('from', TEXT, 'The locale to copy. Default: the default locale.'),
    parameter('attributes', TEXT, 'The attributes to copy, separated by commas. Default: all.'),
  ],
  isConditional: true,
  requestBody: { ...jsonBody(recordOf({ data: registry.of(type.uid, 'PartialInput') })), required: false },
  responses: {
    201: jsonResponse(
      'The new locale, and the attributes that could not be copied.',
      recordOf({ data: registry.of(type.uid, ''), meta: recordOf({ omitted: listOf(OMISSION) }) }),
    ),
  },
});

const deleteOne = (registry: SchemaRegistry, type: ContentType): Endpoint => ({
  operationId: `delete${type.typeName}`,
  tag: type.displayName,
  mayBeMissing: false,
  parameters: [
    ...(type.localized
      ? [
          parameter(
            'locale',
            { type: 'string' },
            'A locale code, or `*` for all. Default: the default locale.',
          ),
        ]
      : []),
    ...shapeParameters(registry, type),
    IF_MATCH,
  ],
  isConditional: true,
  responses: { 204: { description: 'The document no longer exists.' } },
});

/** Describes the endpoints of one content type. */
export const CONTENT_ENDPOINTS: Readonly<
  Record<ContentOperation, (registry: SchemaRegistry, type: ContentType) => Endpoint>
> = {
  find,
  findOne: readOne,
  aggregate: aggregateEndpoint,
  create,
  update,
  delete: deleteOne,
  bulk: bulkEndpoint,
  findSingle: readOne,
  updateSingle: update,
  deleteSingle: deleteOne,
  findSchedule: findScheduleEndpoint,
  schedule: scheduleEndpoint,
  findScheduleOfSingle: findScheduleEndpoint,
  scheduleSingle: scheduleEndpoint,
  findVersions: versionsEndpoint,
  findVersion: versionEndpoint,
  restoreVersion: restoreEndpoint,
  translate,
  ...TRASH_ENDPOINTS,
};
