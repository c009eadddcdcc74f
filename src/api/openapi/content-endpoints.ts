import { BULK_ACTIONS } from '../../documents/write/parse-bulk-items.js';
import { pascalCase } from '../../lib/names.js';
import type { JsonSchema } from '../../lib/json.js';
import type { ContentType } from '../../model/model.js';
import type { ContentOperation } from '../rest/routes/content-routes.js';
import {
  BOOLEAN,
  INTEGER,
  MOMENT,
  NULL,
  TEXT,
  anyOf,
  listOf,
  nullable,
  objectOf,
  recordOf,
} from './schema-book.js';
import type { SchemaBook } from './schema-book.js';
import { aggregateEndpoint } from './aggregate-endpoint.js';
import { answer, jsonBody, parameter } from './endpoint.js';
import type { Endpoint, OpenapiObject } from './endpoint.js';
import { listParameters, shapeParameters, versionParameters } from './query-parameters.js';

const VERSION = { version: INTEGER, publishedAt: MOMENT };
const OMISSION = recordOf({ attribute: TEXT, reason: TEXT });
const ANYTHING = { type: 'object', additionalProperties: true } as const;

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
function versionsEndpoint(_book: SchemaBook, type: ContentType): Endpoint {
  return {
    ...historyTraits(type),
    operationId: `findVersionsOf${type.typeName}`,
    answers: {
      200: answer('The latest first.', recordOf({ data: listOf(recordOf(VERSION)), meta: ANYTHING })),
    },
  };
}

/** Returns a published version of a document. */
function versionEndpoint(_book: SchemaBook, type: ContentType): Endpoint {
  const data = recordOf({ ...VERSION, content: ANYTHING });
  return {
    ...historyTraits(type),
    operationId: `findVersionOf${type.typeName}`,
    answers: {
      200: answer('Its values, with documentIds of what it links.', recordOf({ data, meta: ANYTHING })),
    },
  };
}

/** Writes a published version of a document into its draft. */
function restoreEndpoint(book: SchemaBook, type: ContentType): Endpoint {
  const meta = recordOf({ omitted: listOf(OMISSION) });
  return {
    ...historyTraits(type),
    operationId: `restoreVersionOf${type.typeName}`,
    answers: {
      200: answer(
        'The draft, and what could not be restored.',
        recordOf({ data: book.of(type.uid, ''), meta }),
      ),
    },
  };
}

const TIMES = { publishAt: nullable(MOMENT), unpublishAt: nullable(MOMENT) };

const ACTION = { type: 'string', enum: ['publish', 'unpublish'] };

export const SCHEDULED_CHANGE = recordOf({
  type: TEXT,
  documentId: TEXT,
  locale: nullable(TEXT),
  action: ACTION,
  at: MOMENT,
  error: nullable(TEXT),
});

const SCHEDULE = recordOf({
  documentId: TEXT,
  locale: nullable(TEXT),
  ...TIMES,
  failures: listOf(recordOf({ action: ACTION, at: MOMENT, message: TEXT })),
});

const scheduleTraits = ({ displayName, localized }: ContentType): Omit<Endpoint, 'operationId'> => ({
  tag: displayName,
  mayBeMissing: true,
  parameters: localized
    ? [parameter('locale', TEXT, 'The locale of the document. Default: the default locale.')]
    : [],
  answers: {
    200: answer(
      'When it is to be published and unpublished, and what could not be done.',
      recordOf({ data: SCHEDULE, meta: objectOf({}) }),
    ),
  },
});

/** Tells when a document is to be published or unpublished. */
function findScheduleEndpoint(_book: SchemaBook, type: ContentType): Endpoint {
  return { ...scheduleTraits(type), operationId: `findScheduleOf${type.typeName}` };
}

/** Says when a document is to be published or unpublished. */
function scheduleEndpoint(_book: SchemaBook, type: ContentType): Endpoint {
  return {
    ...scheduleTraits(type),
    operationId: `schedule${type.typeName}`,
    requestBody: jsonBody(recordOf({ data: objectOf(TIMES) })),
  };
}

type BulkAction = (typeof BULK_ACTIONS)[number];

const itemSchema = (book: SchemaBook, { uid }: ContentType, action: BulkAction): JsonSchema => {
  const version = {
    locale: { type: ['string', 'null'] },
    status: { type: ['string', 'null'], enum: ['draft', 'published', null] },
  };
  const head = { action: { const: action } };
  if (action === 'create') {
    const data = anyOf(book.of(uid, 'Input'), book.of(uid, 'PartialInput'));
    return objectOf({ ...head, data, ...version }, ['action', 'data']);
  }
  const addressed = { ...head, documentId: TEXT };
  return action === 'update'
    ? objectOf({ ...addressed, data: book.of(uid, 'PartialInput'), ...version }, [
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
export function outcomeSchema(book: SchemaBook, document: JsonSchema): JsonSchema {
  const head = { action: { type: 'string', enum: BULK_ACTIONS }, status: INTEGER };
  return anyOf(
    recordOf({ ...head, documentId: TEXT, data: anyOf(document, NULL) }),
    recordOf({ ...head, data: NULL, error: book.shared('ErrorBody') }),
  );
}

export const OUTCOME_META = recordOf({ succeeded: INTEGER, failed: INTEGER });

/** Many writes at once. */
function bulkEndpoint(book: SchemaBook, type: ContentType): Endpoint {
  const items = listOf(anyOf(...BULK_ACTIONS.map((action) => itemSchema(book, type, action))));
  return {
    operationId: `bulk${pascalCase(type.pluralName)}`,
    tag: type.displayName,
    parameters: [
      parameter('atomic', BOOLEAN, 'Whether nothing is written where one item cannot be. Default: true.'),
      ...versionParameters(type),
      ...shapeParameters(book, type),
    ],
    requestBody: jsonBody(recordOf({ data: items })),
    answers: {
      200: answer(
        'What became of each item, in their order.',
        recordOf({ data: listOf(outcomeSchema(book, book.of(type.uid, ''))), meta: OUTCOME_META }),
      ),
    },
  };
}

const META: JsonSchema = { type: 'object', additionalProperties: true };

const oneAnswer = (book: SchemaBook, { uid, displayName }: ContentType): OpenapiObject =>
  answer(`The document of ${displayName}.`, recordOf({ data: book.of(uid, ''), meta: META }));

/** Describes the response with a page of documents. */
export const listAnswer = (book: SchemaBook, { uid, displayName }: ContentType): OpenapiObject => {
  const pagination = anyOf(
    book.shared('PagePagination'),
    book.shared('OffsetPagination'),
    book.shared('CursorPagination'),
  );
  return answer(
    `Documents of ${displayName}.`,
    recordOf({ data: listOf(book.of(uid, '')), meta: recordOf({ pagination }) }),
  );
};

/** Types with required attributes have other rules for drafts, which `status=draft` creates. */
const newData = (book: SchemaBook, { uid, draftAndPublish }: ContentType): JsonSchema =>
  draftAndPublish ? anyOf(book.of(uid, 'Input'), book.of(uid, 'PartialInput')) : book.of(uid, 'Input');

const writeParameters = (book: SchemaBook, type: ContentType): readonly OpenapiObject[] => [
  ...versionParameters(type),
  ...shapeParameters(book, type),
];

const find = (book: SchemaBook, type: ContentType): Endpoint => ({
  operationId: `find${pascalCase(type.pluralName)}`,
  tag: type.displayName,
  parameters: listParameters(book, type),
  answers: { 200: listAnswer(book, type) },
});

const readOne = (book: SchemaBook, type: ContentType): Endpoint => ({
  operationId: `find${type.kind === 'singleType' ? '' : 'One'}${type.typeName}`,
  tag: type.displayName,
  mayBeMissing: true,
  parameters: writeParameters(book, type),
  answers: { 200: oneAnswer(book, type) },
});

const create = (book: SchemaBook, type: ContentType): Endpoint => ({
  operationId: `create${type.typeName}`,
  tag: type.displayName,
  parameters: writeParameters(book, type),
  requestBody: jsonBody(recordOf({ data: newData(book, type) })),
  answers: { 201: oneAnswer(book, type) },
});

const update = (book: SchemaBook, type: ContentType): Endpoint => ({
  operationId: `update${type.typeName}`,
  tag: type.displayName,
  parameters: writeParameters(book, type),
  requestBody: jsonBody(recordOf({ data: book.of(type.uid, 'PartialInput') })),
  answers: { 200: oneAnswer(book, type) },
});

const deleteOne = (_book: SchemaBook, type: ContentType): Endpoint => ({
  operationId: `delete${type.typeName}`,
  tag: type.displayName,
  mayBeMissing: false,
  parameters: type.localized
    ? [parameter('locale', { type: 'string' }, 'A locale code, or `*` for all. Default: the default locale.')]
    : [],
  answers: { 204: { description: 'There is no such document any more.' } },
});

/** Describes the endpoints of one content type. */
export const CONTENT_ENDPOINTS: Readonly<
  Record<ContentOperation, (book: SchemaBook, type: ContentType) => Endpoint>
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
};
