import { WRITE_ACTIONS } from '../../documents/hooks.js';
import { camelCase } from '../../lib/names.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { JsonSchema } from '../../lib/json.js';
import { typeOf } from '../../model/lookup.js';
import type { NamedOperation } from '../administration/administration.js';
import type { RemoteOperation, SchemaOperation, UploadOperation } from '../rest/routes/rest-routes.js';
import {
  BOOLEAN,
  INTEGER,
  DATE_TIME,
  TEXT,
  anyOf,
  listOf,
  nullable,
  objectOf,
  recordOf,
  ANY_OBJECT,
} from './schema-registry.js';
import type { SchemaRegistry } from './schema-registry.js';
import { OUTCOME_META, SCHEDULED_CHANGE, listResponse, outcomeSchema } from './content-endpoints.js';
import { jsonResponse, jsonBody, parameter } from './endpoint.js';
import type { Endpoint, OpenapiObject } from './endpoint.js';
import { listParameters, shapeParameters } from './query-parameters.js';

/** A file in a request for its usages. */
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
        ref: { type: 'string', description: 'The uid of the content-type whose document links the files.' },
        refId: { type: 'string', description: 'The id of that document.' },
        field: { type: 'string', description: 'Its attribute.' },
      }),
    },
  },
};

/** Describes an endpoint of the media library. */
export function uploadEndpoint(registry: SchemaRegistry, operation: UploadOperation): Endpoint {
  const type = typeOf(registry.model, FILE_UID);
  const file = registry.of(FILE_UID, '');
  const one = { 200: jsonResponse('The file.', file) };
  const endpoints: Readonly<Record<UploadOperation, Omit<Endpoint, 'tag'>>> = {
    upload: {
      operationId: 'uploadFiles',
      parameters: [parameter('id', TEXT, 'The id or documentId of the file to replace or update.')],
      requestBody: uploadBody,
      responses: {
        200: jsonResponse('The replaced or updated file.', file),
        201: jsonResponse('The new files, in the order of the request.', listOf(file)),
      },
    },
    find: {
      operationId: 'findFiles',
      parameters: listParameters(registry, type),
      responses: { 200: jsonResponse('Files.', listOf(file)) },
    },
    findPage: {
      operationId: 'findFilesByPage',
      parameters: listParameters(registry, type),
      responses: { 200: listResponse(registry, type) },
    },
    findOne: { operationId: 'findFile', parameters: shapeParameters(registry, type), responses: one },
    destroy: { operationId: 'deleteFile', responses: one },
  };
  return { tag: 'Files', ...endpoints[operation] };
}

const LOCALE = recordOf({
  id: INTEGER,
  documentId: TEXT,
  name: TEXT,
  code: TEXT,
  createdAt: DATE_TIME,
  updatedAt: DATE_TIME,
  publishedAt: DATE_TIME,
  isDefault: BOOLEAN,
});

export const LOCALE_ENDPOINT: Endpoint = {
  operationId: 'listLocales',
  tag: 'Locales',
  responses: { 200: jsonResponse('The configured locales.', listOf(LOCALE)) },
};

/** Describes an endpoint from which site generators read the schemas of the content. */
export function schemaEndpoint(operation: SchemaOperation): Endpoint {
  const schema = objectOf({ uid: TEXT, schema: ANY_OBJECT }, ['uid', 'schema']);
  const isList = operation === 'getContentTypes' || operation === 'getComponents';
  const responses = {
    200: jsonResponse(
      'Schemas in the format of Strapi.',
      recordOf({ data: isList ? listOf(schema) : schema }),
    ),
  };
  return { operationId: operation, tag: 'Schemas', responses };
}

const EVENT = objectOf(
  {
    id: TEXT,
    action: { enum: WRITE_ACTIONS },
    type: TEXT,
    documentId: TEXT,
    locale: nullable(TEXT),
    status: nullable({ enum: ['draft', 'published'] }),
    time: DATE_TIME,
  },
  ['id', 'action', 'type', 'documentId', 'locale', 'status', 'time'],
);

/** Describes the endpoint of events at a path. */
export function eventEndpoint(path: string): Endpoint {
  return {
    operationId: path.endsWith('/cms/events') ? 'streamCmsEvents' : 'streamEvents',
    tag: 'Events',
    parameters: [
      {
        ...parameter('type', listOf(TEXT), 'Names or uids of content-types. Default: all that you may find.'),
        explode: true,
      },
      parameter('documentId', TEXT, 'The id of one document.'),
      parameter('locale', TEXT, 'The code of one locale.'),
      parameter('status', { enum: ['draft', 'published'] }, 'Only changes of these versions.'),
      {
        ...parameter('tag', listOf(TEXT), 'Cache tags to send instead of changes; `*`: all.'),
        explode: true,
      },
      parameter('lastEventId', TEXT, 'The id of the last known event, like the header `Last-Event-ID`.'),
    ],
    responses: {
      200: {
        description:
          'Server-sent events. Unnamed ones are changes, whose data is JSON. With `tag`, there are `tags` ' +
          'with `{"tags":[…]}` instead. `position` only has an id. ' +
          'After `reset`, a client must read everything again.',
        content: { 'text/event-stream': { schema: EVENT } },
      },
    },
  };
}

/** Describes an endpoint that the command line uses on remote servers. */
export function remoteEndpoint(registry: SchemaRegistry, operation: RemoteOperation): Endpoint {
  const outcomes = listOf(outcomeSchema(registry, ANY_OBJECT));
  const endpoints: Readonly<Record<RemoteOperation, Omit<Endpoint, 'operationId' | 'tag' | 'callers'>>> = {
    about: { responses: { 200: jsonResponse('About the server.', recordOf({ data: ANY_OBJECT })) } },
    findContent: {
      requestBody: jsonBody(objectOf({ type: TEXT, params: ANY_OBJECT }, ['type'])),
      responses: {
        200: jsonResponse('A page of documents.', recordOf({ data: listOf(ANY_OBJECT), meta: ANY_OBJECT })),
      },
    },
    listSchedules: {
      parameters: [parameter('type', TEXT, 'The uid of a type. Default: all types.')],
      responses: {
        200: jsonResponse(
          'Scheduled changes, the earliest first.',
          recordOf({ data: listOf(SCHEDULED_CHANGE) }),
        ),
      },
    },
    writeContent: {
      parameters: [
        parameter('atomic', BOOLEAN, 'If true, no item is written unless all can be. Default: true.'),
        parameter('dryRun', BOOLEAN, 'If true, all writes are rolled back.'),
      ],
      requestBody: jsonBody(
        objectOf(
          { data: listOf(ANY_OBJECT), progress: objectOf({ key: TEXT, value: TEXT }, ['key', 'value']) },
          ['data'],
        ),
      ),
      responses: {
        200: jsonResponse('The outcome of each item.', recordOf({ data: outcomes, meta: OUTCOME_META })),
      },
    },
    findProgress: {
      parameters: [parameter('key', TEXT, 'The name of the import.')],
      responses: {
        200: jsonResponse('The stored progress. Null: none is stored.', recordOf({ data: nullable(TEXT) })),
      },
    },
    removeProgress: {
      parameters: [parameter('key', TEXT, 'The name of the import.')],
      responses: { 200: jsonResponse('The progress was removed.', recordOf({ data: nullable(TEXT) })) },
    },
    findUsages: {
      parameters: [parameter('once', BOOLEAN, 'If true, at most one usage of each file is returned.')],
      requestBody: jsonBody(recordOf({ data: listOf(USED_FILE) })),
      responses: { 200: jsonResponse('The usages of the files.', recordOf({ data: listOf(USAGE) })) },
    },
    findStrays: {
      responses: {
        200: jsonResponse(
          'Stored objects without a file. Null: the store cannot list its objects.',
          recordOf({ data: nullable(listOf(recordOf({ name: TEXT, bytes: INTEGER }))) }),
        ),
      },
    },
    removeStrays: {
      requestBody: jsonBody(recordOf({ data: listOf(TEXT) })),
      responses: { 200: jsonResponse('The names of the deleted objects.', recordOf({ data: listOf(TEXT) })) },
    },
    regenerateFormats: {
      responses: {
        200: jsonResponse(
          'The outcome. Null: there is no such file.',
          recordOf({ data: { enum: ['regenerated', 'no-image', 'other-provider', null] } }),
        ),
      },
    },
  };
  return { operationId: operation, tag: 'Command line', callers: 'tokens', ...endpoints[operation] };
}

/** Describes an endpoint with which the command line administers remote servers. */
export function administrationEndpoint({ id, resource }: NamedOperation): Endpoint {
  return {
    operationId: camelCase(id),
    tag: `Administration: ${resource}`,
    callers: 'tokens',
    requestBody: jsonBody(ANY_OBJECT),
    responses: { 200: jsonResponse('The result.', recordOf({ data: {} })) },
  };
}

/** Describes an endpoint for exporting or importing archives. */
export function transferEndpoint(operation: 'exportArchive' | 'importArchive'): Endpoint {
  const archive = { 'application/gzip': { schema: BYTES } };
  const lines = { 'application/x-ndjson': { schema: TEXT } };
  const choices = [
    parameter('parts', TEXT, 'The parts of the content to include, separated by commas.'),
    parameter('types', TEXT, 'The content-types to include, separated by commas.'),
    parameter('excludedTypes', TEXT, 'The content-types to exclude, separated by commas.'),
  ];
  const shared = {
    operationId: operation,
    tag: 'Command line',
    callers: 'tokens',
    mayBeMissing: true,
  } as const;
  return operation === 'exportArchive'
    ? {
        ...shared,
        parameters: choices,
        responses: { 200: { description: 'The archive.', content: archive } },
      }
    : {
        ...shared,
        parameters: choices,
        requestBody: { required: true, content: archive },
        responses: {
          200: {
            description: 'Lines of progress, and a last line with the result or the error.',
            content: lines,
          },
        },
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
    '`cover` crops the image around its focal point to fill both sides. `inside` fits the whole image.',
  ),
  parameter(
    'format',
    { ...TEXT, enum: [...formats, 'auto'] },
    'Of an image: the type. `auto`: AVIF or WebP if the `Accept` header allows it.',
  ),
  parameter('quality', { ...INTEGER, enum: qualities }, 'Of an image in JPEG, WebP or AVIF.'),
];

/** Describes the endpoint that downloads files. */
export function downloadEndpoint(images: ImageChoices | undefined): Endpoint {
  return {
    operationId: 'downloadFile',
    tag: 'Files',
    ...(images === undefined || images.sizes.length === 0 ? {} : { parameters: imageParameters(images) }),
    responses: {
      200: { description: 'The file.', content: { '*/*': { schema: BYTES } } },
      206: { description: 'A part of it.', content: { '*/*': { schema: BYTES } } },
    },
  };
}

/** Describes an endpoint of project code, whose response is not known. */
export function projectEndpoint(operationId: string): Endpoint {
  return {
    operationId,
    tag: 'Project routes',
    responses: {
      default: { description: 'The response of project code.', content: { '*/*': { schema: anyOf({}) } } },
    },
  };
}
