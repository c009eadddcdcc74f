import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { assertNever } from '../../../lib/assert-never.js';
import type { JsonSchema } from '../../../lib/json-schema.js';
import { targetsOf } from '../../../model/lookup.js';
import type { Attribute, ContentSchema, LinkAttribute } from '../../../model/model.js';
import {
  isContentType,
  shownFields,
  LOCALIZATIONS,
  readableAttribute,
} from '../../../query/schema-fields.js';
import { INTEGER, MOMENT, TEXT, anyOf, discriminated, listOf, nullable, objectOf } from './json.js';
import type { SchemaBook } from './schema-book.js';

type Properties = Readonly<Record<string, JsonSchema>>;

const linkedSchema = (book: SchemaBook, attribute: LinkAttribute): JsonSchema =>
  attribute.target === null
    ? discriminated(
        '__type',
        targetsOf(attribute).map((uid) => ({ value: uid, schema: book.of(uid, 'Typed') })),
      )
    : book.of(attribute.target, '');

const linkSchema = (book: SchemaBook, attribute: LinkAttribute): JsonSchema => {
  const linked = linkedSchema(book, attribute);
  if (!attribute.many) return anyOf(linked, { type: 'null' });
  return attribute.family === 'media' ? nullable(listOf(linked)) : listOf(linked);
};

const attributeSchema = (book: SchemaBook, owner: ContentSchema, attribute: Attribute): JsonSchema => {
  switch (attribute.family) {
    case 'scalar': {
      const { output } =
        owner.uid === FILE_UID && attribute.name === 'formats'
          ? { output: book.shared('FileFormats') }
          : book.ofField(attribute, 'full');
      return attribute.required && !book.hasDrafts(owner) ? output : nullable(output);
    }
    case 'relation':
    case 'media':
      return linkSchema(book, attribute);
    case 'component': {
      const component = book.of(attribute.component, '');
      return attribute.repeatable ? listOf(component) : nullable(component);
    }
    case 'dynamiczone':
      return listOf(
        discriminated(
          '__component',
          attribute.components.map((uid) => ({ value: uid, schema: book.of(uid, 'ZoneItem') })),
        ),
      );
    default:
      return assertNever(attribute, 'attribute family');
  }
};

const attributeProperties = (book: SchemaBook, schema: ContentSchema): Properties =>
  Object.fromEntries(
    Object.values(schema.attributes)
      .filter(({ name }) => readableAttribute(schema, name) !== null)
      .map((attribute) => [attribute.name, attributeSchema(book, schema, attribute)]),
  );

const propertiesOf = (book: SchemaBook, schema: ContentSchema): Properties => {
  const attributes = attributeProperties(book, schema);
  if (!isContentType(schema)) return { id: INTEGER, ...attributes };
  return {
    id: INTEGER,
    documentId: TEXT,
    ...attributes,
    ...shownFields(schema, {
      createdAt: MOMENT,
      updatedAt: MOMENT,
      publishedAt: schema.draftAndPublish ? nullable(MOMENT) : MOMENT,
      locale: TEXT,
      [LOCALIZATIONS]: listOf(book.of(schema.uid, '')),
    }),
    ...(schema.uid === FILE_UID ? { isUrlSigned: { type: 'boolean' } } : {}),
  };
};

const describe = ({ displayName, description }: ContentSchema): JsonSchema => ({
  title: displayName,
  ...(description.trim() === '' ? {} : { description: description.trim() }),
});

const schemaOf = (book: SchemaBook, schema: ContentSchema, marker: Properties = {}): JsonSchema => ({
  ...describe(schema),
  ...objectOf({ ...marker, ...propertiesOf(book, schema) }, [
    ...Object.keys(marker),
    'id',
    ...(isContentType(schema) ? ['documentId'] : []),
  ]),
});

/**
 * A document or component in answers. All but its ids may be missing: `fields` leaves out the rest, and what
 * can be populated is there only if it was.
 */
export function documentSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema);
}

/** A document at the end of a polymorphic relation. */
export function typedDocumentSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema, { __type: { const: schema.uid } });
}

/** A component in a dynamic zone. */
export function zoneItemSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema, { __component: { const: schema.uid } });
}
