import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { JsonSchema } from '../../lib/json.js';
import { typeOf } from '../../model/lookup.js';
import type { RemoteOperation, SchemaOperation, UploadOperation } from '../rest/routes/rest-routes.js';
import {
  BOOLEAN,
  INTEGER,
  MOMENT,
  TEXT,
  anyOf,
  listOf,
  nullable,
  objectOf,
  recordOf,
} from './schema-book.js';
import type { SchemaBook } from './schema-book.js';
import { OUTCOME_META, SCHEDULED_CHANGE, listAnswer, outcomeSchema } from './content-endpoints.js';
import { answer, jsonBody, parameter } from './endpoint.js';
import type { Endpoint, OpenapiObject } from './endpoint.js';
import { listParameters, shapeParameters } from './query-parameters.js';

const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true };
/** A file as whoever looks for usages has to describe it. */
const USED_FILE = recordOf({ documentId: TEXT, keys: listOf(TEXT), url: TEXT });
const USAGE = recordOf({
  file: TEXT,
  type: TEXT,
  documentId: TEXT,
  locale: TEXT,
  status: TEXT,
  attribute: TEXT,
  by: { enum: ['link', 'address'] },
});
const BYTES: JsonSchema = { type: 'string', format: 'binary' };

const uploadBody: OpenapiObject = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: objectOf({
        files: listOf(BYTES),
        fileInfo: {
          type: 'string',
          description:
            'JSON with `name`, `alternativeText`, `caption`, `focalPoint`: an object, or one for each file.',
        },
        ref: { type: 'string', description: 'The uid of a type whose document is to link the files.' },
        refId: { type: 'string', description: 'The id of that document.' },
        field: { type: 'string', description: 'Its attribute.' },
      }),
    },
  },
};

/** Describes an endpoint of the media library. */
export function uploadEndpoint(book: SchemaBook, operation: UploadOperation): Endpoint {
  const type = typeOf(book.model, FILE_UID);
  const file = book.of(FILE_UID, '');
  const one = { 200: answer('The file.', file) };
  const endpoints: Readonly<Record<UploadOperation, Omit<Endpoint, 'tag'>>> = {
    upload: {
      operationId: 'uploadFiles',
      parameters: [parameter('id', INTEGER, 'The file to replace or to describe anew.')],
      requestBody: uploadBody,
      answers: {
        200: answer('The file that was replaced or described anew.', file),
        201: answer('The files, in the order in which they were sent.', listOf(file)),
      },
    },
    find: {
      operationId: 'findFiles',
      parameters: listParameters(book, type),
      answers: { 200: answer('Files.', listOf(file)) },
    },
    findPage: {
      operationId: 'findFilesByPage',
      parameters: listParameters(book, type),
      answers: { 200: listAnswer(book, type) },
    },
    findOne: { operationId: 'findFile', parameters: shapeParameters(book, type), answers: one },
    destroy: { operationId: 'deleteFile', answers: one },
  };
  return { tag: 'Files', ...endpoints[operation] };
}

const LOCALE = recordOf({
  id: INTEGER,
  documentId: TEXT,
  name: TEXT,
  code: TEXT,
  createdAt: MOMENT,
  updatedAt: MOMENT,
  publishedAt: MOMENT,
  isDefault: BOOLEAN,
});

export const LOCALE_ENDPOINT: Endpoint = {
  operationId: 'listLocales',
  tag: 'Locales',
  answers: { 200: answer('The configured locales.', listOf(LOCALE)) },
};

/** Describes an endpoint from which site generators learn what content there is. */
export function schemaEndpoint(operation: SchemaOperation): Endpoint {
  const schema = objectOf({ uid: TEXT, schema: ANY_OBJECT }, ['uid', 'schema']);
  const isList = operation === 'getContentTypes' || operation === 'getComponents';
  const answers = {
    200: answer('In the form of Strapi.', recordOf({ data: isList ? listOf(schema) : schema })),
  };
  return { operationId: operation, tag: 'Schemas', answers };
}

/** Describes an endpoint for remote command lines. */
export function remoteEndpoint(book: SchemaBook, operation: RemoteOperation): Endpoint {
  const outcomes = listOf(outcomeSchema(book, ANY_OBJECT));
  const endpoints: Readonly<Record<RemoteOperation, Omit<Endpoint, 'operationId' | 'tag' | 'callers'>>> = {
    about: { answers: { 200: answer('About the server.', recordOf({ data: ANY_OBJECT })) } },
    findContent: {
      requestBody: jsonBody(objectOf({ type: TEXT, params: ANY_OBJECT }, ['type'])),
      answers: {
        200: answer('A list.', recordOf({ data: listOf(ANY_OBJECT), meta: ANY_OBJECT })),
      },
    },
    listSchedules: {
      parameters: [parameter('type', TEXT, 'The uid of a type. Default: all types.')],
      answers: { 200: answer('The earliest first.', recordOf({ data: listOf(SCHEDULED_CHANGE) })) },
    },
    writeContent: {
      parameters: [
        parameter('atomic', BOOLEAN, 'Whether nothing is written where one item cannot be. Default: true.'),
        parameter('dryRun', BOOLEAN, 'Whether everything is taken back.'),
      ],
      requestBody: jsonBody(
        objectOf(
          { data: listOf(ANY_OBJECT), progress: objectOf({ key: TEXT, value: TEXT }, ['key', 'value']) },
          ['data'],
        ),
      ),
      answers: {
        200: answer('What became of each item.', recordOf({ data: outcomes, meta: OUTCOME_META })),
      },
    },
    findProgress: {
      parameters: [parameter('key', TEXT, 'The name of the import.')],
      answers: { 200: answer('What it has stored. Null: nothing.', recordOf({ data: nullable(TEXT) })) },
    },
    removeProgress: {
      parameters: [parameter('key', TEXT, 'The name of the import.')],
      answers: { 200: answer('It is forgotten.', recordOf({ data: nullable(TEXT) })) },
    },
    findUsages: {
      parameters: [parameter('once', BOOLEAN, 'Whether one of the usages of each file is enough.')],
      requestBody: jsonBody(recordOf({ data: listOf(USED_FILE) })),
      answers: { 200: answer('Who refers to them.', recordOf({ data: listOf(USAGE) })) },
    },
    findStrays: {
      answers: {
        200: answer(
          'Objects. Null where the store cannot tell.',
          recordOf({ data: nullable(listOf(recordOf({ name: TEXT, bytes: INTEGER }))) }),
        ),
      },
    },
    removeStrays: {
      requestBody: jsonBody(recordOf({ data: listOf(TEXT) })),
      answers: { 200: answer('The names that were deleted.', recordOf({ data: listOf(TEXT) })) },
    },
    regenerateFormats: {
      answers: {
        200: answer(
          'What was done. Null: there is no such file.',
          recordOf({ data: { enum: ['regenerated', 'no-image', 'elsewhere', null] } }),
        ),
      },
    },
  };
  return { operationId: operation, tag: 'Command line', callers: 'tokens', ...endpoints[operation] };
}

/** Describes an endpoint of transfers. */
export function transferEndpoint(operation: 'exportArchive' | 'importArchive'): Endpoint {
  const archive = { 'application/gzip': { schema: BYTES } };
  const lines = { 'application/x-ndjson': { schema: TEXT } };
  const choices = [
    parameter('parts', TEXT, 'The parts of the content that are wanted, with commas.'),
    parameter('types', TEXT, 'The types that are wanted, with commas.'),
  ];
  const shared = {
    operationId: operation,
    tag: 'Command line',
    callers: 'tokens',
    mayBeMissing: true,
  } as const;
  return operation === 'exportArchive'
    ? { ...shared, parameters: choices, answers: { 200: { description: 'The archive.', content: archive } } }
    : {
        ...shared,
        parameters: choices,
        requestBody: { required: true, content: archive },
        answers: { 200: { description: 'Lines of progress, and what was done.', content: lines } },
      };
}

/** Transformations that clients may request of images. */
export interface ImageChoices {
  readonly sizes: readonly number[];
  readonly qualities: readonly number[];
  readonly formats: readonly string[];
}

const imageParameters = ({ sizes, qualities, formats }: ImageChoices): readonly OpenapiObject[] => [
  parameter('width', { ...INTEGER, enum: sizes }, 'Of an image: the width in pixels.'),
  parameter('height', { ...INTEGER, enum: sizes }, 'Of an image: the height in pixels.'),
  parameter(
    'fit',
    { ...TEXT, enum: ['cover', 'inside'], default: 'cover' },
    'Whether an image fills both sides, cropped around its focal point, or stays within them as a whole.',
  ),
  parameter(
    'format',
    { ...TEXT, enum: [...formats, 'auto'] },
    'Of an image: the type. `auto`: AVIF or WebP where the header `Accept` names it.',
  ),
  parameter('quality', { ...INTEGER, enum: qualities }, 'Of an image in JPEG, WebP or AVIF.'),
];

/** Describes how files are downloaded. */
export function downloadEndpoint(images: ImageChoices | undefined): Endpoint {
  return {
    operationId: 'downloadFile',
    tag: 'Files',
    ...(images === undefined || images.sizes.length === 0 ? {} : { parameters: imageParameters(images) }),
    answers: {
      200: { description: 'The file.', content: { '*/*': { schema: BYTES } } },
      206: { description: 'A part of it.', content: { '*/*': { schema: BYTES } } },
    },
  };
}

/** An endpoint of the project's own, of which only its route is known. */
export function ownEndpoint(operationId: string): Endpoint {
  return {
    operationId,
    tag: 'Own routes',
    answers: {
      default: { description: 'Whatever the project answers.', content: { '*/*': { schema: anyOf({}) } } },
    },
  };
}
