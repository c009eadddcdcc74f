import { pascalCase } from '../../../lib/casing.js';
import type { JsonSchema } from '../../../lib/json-schema.js';
import { BULK_ACTIONS } from '../../../documents/bulk/parse-items.js';
import type { ContentType } from '../../../model/model.js';
import { BOOLEAN, INTEGER, NULL, TEXT, anyOf, listOf, objectOf, recordOf } from '../schemas/json.js';
import type { SchemaBook } from '../schemas/schema-book.js';
import { answer, jsonBody, parameter } from './endpoint.js';
import type { Endpoint } from './endpoint.js';
import { shapeParameters, versionParameters } from './query-parameters.js';

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
export function bulkEndpoint(book: SchemaBook, type: ContentType): Endpoint {
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
