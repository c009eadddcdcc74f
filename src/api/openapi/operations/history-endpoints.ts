import type { ContentType } from '../../../model/model.js';
import { INTEGER, MOMENT, TEXT, listOf, recordOf } from '../schemas/json.js';
import type { SchemaBook } from '../schemas/schema-book.js';
import { answer, parameter } from './endpoint.js';
import type { Endpoint } from './endpoint.js';

const VERSION = { version: INTEGER, publishedAt: MOMENT };
const OMISSION = recordOf({ attribute: TEXT, reason: TEXT });
const ANYTHING = { type: 'object', additionalProperties: true } as const;

const common = ({
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
export function versionsEndpoint(_book: SchemaBook, type: ContentType): Endpoint {
  return {
    ...common(type),
    operationId: `findVersionsOf${type.typeName}`,
    answers: {
      200: answer('The latest first.', recordOf({ data: listOf(recordOf(VERSION)), meta: ANYTHING })),
    },
  };
}

/** Returns a published version of a document. */
export function versionEndpoint(_book: SchemaBook, type: ContentType): Endpoint {
  const data = recordOf({ ...VERSION, content: ANYTHING });
  return {
    ...common(type),
    operationId: `findVersionOf${type.typeName}`,
    answers: {
      200: answer('Its values, with documentIds of what it links.', recordOf({ data, meta: ANYTHING })),
    },
  };
}

/** Writes a published version of a document into its draft. */
export function restoreEndpoint(book: SchemaBook, type: ContentType): Endpoint {
  const meta = recordOf({ omitted: listOf(OMISSION) });
  return {
    ...common(type),
    operationId: `restoreVersionOf${type.typeName}`,
    answers: {
      200: answer(
        'The draft, and what could not be restored.',
        recordOf({ data: book.of(type.uid, ''), meta }),
      ),
    },
  };
}
