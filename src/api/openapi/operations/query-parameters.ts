import type { ContentType } from '../../../model/model.js';
import { PUBLICATION_FILTERS } from '../../../query/publication-filter.js';
import { populatableNames } from '../../../query/schema-fields.js';
import { BOOLEAN, TEXT, anyOf, listOf } from '../schemas/json.js';
import { fieldsParameter, populateParameter } from '../schemas/populate-schemas.js';
import type { SchemaBook } from '../schemas/schema-book.js';
import { nestedParameter, parameter } from './endpoint.js';
import type { OpenapiObject } from './endpoint.js';

type Parameters = readonly OpenapiObject[];

/** Returns the parameters that shape the documents of a response. */
export function shapeParameters(book: SchemaBook, type: ContentType): Parameters {
  const names = populatableNames(type);
  return [
    parameter('fields', fieldsParameter(type), 'The attributes that are wanted. Ids always come along.'),
    ...(names.length === 0
      ? []
      : [
          nestedParameter(
            'populate',
            populateParameter(book, type, names),
            'What comes along: `*`, names with commas between them, or for each name what is wanted of it: ' +
              '`populate[author][fields]=name`.',
          ),
        ]),
  ];
}

/** Returns the parameters that select a version. */
export function versionParameters({ draftAndPublish, localized }: ContentType): Parameters {
  const status = { type: 'string', enum: ['published', 'draft'], default: 'published' };
  return [
    ...(draftAndPublish ? [parameter('status', status, 'Published versions, or drafts.')] : []),
    ...(localized ? [parameter('locale', TEXT, 'A locale code. Default: the default locale.')] : []),
  ];
}

const listVersionParameters = (type: ContentType): Parameters => {
  const [status, ...rest] = versionParameters(type);
  const locale = parameter(
    'locale',
    anyOf(TEXT, listOf(TEXT)),
    'A locale code, several, or `*` for all locales. Default: the default locale.',
  );
  if (!type.draftAndPublish) return type.localized ? [locale] : [];
  return [
    ...(status === undefined ? [] : [status]),
    ...(rest.length === 0 ? [] : [locale]),
    parameter('hasPublishedVersion', BOOLEAN, 'Only documents that have, or lack, a published version.'),
    parameter(
      'publicationFilter',
      { type: 'string', enum: PUBLICATION_FILTERS },
      'Only versions whose draft and published version relate in this way.',
    ),
  ];
};

/** Returns the parameters that select documents. */
export function selectionParameters(book: SchemaBook, type: ContentType): Parameters {
  return [
    nestedParameter(
      'filters',
      book.of(type.uid, 'Filters'),
      'Conditions, in bracket notation: `filters[title][$containsi]=lamp`, `filters[$or][0][…]`.',
    ),
    parameter('_q', TEXT, 'Text to search for.'),
    ...listVersionParameters(type),
  ];
}

/** The range of a list, in one of three forms. */
function rangeParameter(book: SchemaBook): OpenapiObject {
  return nestedParameter(
    'pagination',
    anyOf(book.shared('PageRequest'), book.shared('OffsetRequest'), book.shared('CursorRequest')),
    'By page and pageSize, by start and limit, or by cursor: `pagination[page]=2`.',
  );
}

function sortParameter(book: SchemaBook): OpenapiObject {
  return parameter('sort', book.shared('Sort'), 'Attributes with `:asc` or `:desc`: `title:desc`.');
}

/** Everything that the list of a type takes. */
export function listParameters(book: SchemaBook, type: ContentType): Parameters {
  return [
    ...selectionParameters(book, type),
    sortParameter(book),
    rangeParameter(book),
    ...shapeParameters(book, type),
  ];
}
