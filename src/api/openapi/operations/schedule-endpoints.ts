import type { ContentType } from '../../../model/model.js';
import { MOMENT, TEXT, listOf, nullable, objectOf, recordOf } from '../schemas/json.js';
import type { SchemaBook } from '../schemas/schema-book.js';
import { answer, jsonBody, parameter } from './endpoint.js';
import type { Endpoint } from './endpoint.js';

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

const common = ({ displayName, localized }: ContentType): Omit<Endpoint, 'operationId'> => ({
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
export function findScheduleEndpoint(_book: SchemaBook, type: ContentType): Endpoint {
  return { ...common(type), operationId: `findScheduleOf${type.typeName}` };
}

/** Says when a document is to be published or unpublished. */
export function scheduleEndpoint(_book: SchemaBook, type: ContentType): Endpoint {
  return {
    ...common(type),
    operationId: `schedule${type.typeName}`,
    requestBody: jsonBody(recordOf({ data: objectOf(TIMES) })),
  };
}
