import { pascalCase } from '../../../lib/casing.js';
import type { JsonSchema } from '../../../lib/json-schema.js';
import type { ContentType } from '../../../model/model.js';
import type { ContentOperation } from '../../rest/routes/content-routes.js';
import { anyOf, listOf, recordOf } from '../schemas/json.js';
import type { SchemaBook } from '../schemas/schema-book.js';
import { aggregateEndpoint } from './aggregate-endpoint.js';
import { bulkEndpoint } from './bulk-endpoint.js';
import { answer, jsonBody, parameter } from './endpoint.js';
import type { Endpoint, OpenapiObject } from './endpoint.js';
import { listParameters, shapeParameters, versionParameters } from './query-parameters.js';
import { restoreEndpoint, versionEndpoint, versionsEndpoint } from './history-endpoints.js';
import { findScheduleEndpoint, scheduleEndpoint } from './schedule-endpoints.js';

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
