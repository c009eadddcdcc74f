import type { JsonSchema } from '../../../lib/json-schema.js';
import { targetsOf as linkTargetsOf } from '../../../model/lookup.js';
import type { Attribute, ContentSchema, Uid } from '../../../model/model.js';
import {
  isLocalizations,
  LOCALIZATIONS,
  populatableNames,
  selectableFields,
} from '../../../query/schema-fields.js';
import { BOOLEAN, INTEGER, TEXT, anyOf, listOf, objectOf } from './json.js';
import type { SchemaBook } from './schema-book.js';

const EVERYTHING: JsonSchema = { const: '*' };

/** Returns the schema of options for the components of a zone, or for documents of several types. */
const onEach = (book: SchemaBook, uids: readonly Uid[]): JsonSchema =>
  objectOf({
    populate: EVERYTHING,
    on: objectOf(
      Object.fromEntries(uids.map((uid) => [uid, anyOf(BOOLEAN, EVERYTHING, book.of(uid, 'Populated'))])),
    ),
  });

const targetsOf = (attribute: Attribute): readonly Uid[] => {
  switch (attribute.family) {
    case 'component':
      return [attribute.component];
    case 'relation':
    case 'media':
      return linkTargetsOf(attribute);
    default:
      return attribute.family === 'dynamiczone' ? attribute.components : [];
  }
};

const populateOf = (book: SchemaBook, schema: ContentSchema, name: string): JsonSchema => {
  const attribute = schema.attributes[name];
  if (attribute === undefined) {
    const own = isLocalizations(schema, LOCALIZATIONS) ? [book.of(schema.uid, 'Populated')] : [];
    return anyOf(BOOLEAN, EVERYTHING, ...own);
  }
  const targets = targetsOf(attribute);
  const [target] = targets;
  const isOfSeveral =
    attribute.family === 'dynamiczone' || (attribute.family === 'relation' && attribute.target === null);
  if (isOfSeveral) return anyOf(BOOLEAN, EVERYTHING, onEach(book, targets));
  return anyOf(BOOLEAN, EVERYTHING, ...(target === undefined ? [] : [book.of(target, 'Populated')]));
};

/** Returns the schema of `populate` as an object: options by attribute name. */
export function populateSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return objectOf(
    Object.fromEntries(populatableNames(schema).map((name) => [name, populateOf(book, schema, name)])),
  );
}

/** Returns the schema of `populate`: `*`, names with commas or as a list, or an object. */
export function populateParameter(
  book: SchemaBook,
  { uid }: ContentSchema,
  names: readonly string[],
): JsonSchema {
  return anyOf(TEXT, listOf({ type: 'string', enum: [...names, '*'] }), book.of(uid, 'Populate'));
}

/** The names that `fields` takes. */
export function fieldsParameter(schema: ContentSchema): JsonSchema {
  return listOf({ type: 'string', enum: [...selectableFields(schema), 'id', 'documentId', '*'] });
}

/** Returns the schema of options for populated documents and components. */
export function populatedSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  const names = populatableNames(schema);
  return objectOf({
    fields: fieldsParameter(schema),
    ...(names.length === 0 ? {} : { populate: populateParameter(book, schema, names) }),
    filters: book.of(schema.uid, 'Filters'),
    sort: book.shared('Sort'),
    start: INTEGER,
    limit: INTEGER,
  });
}
