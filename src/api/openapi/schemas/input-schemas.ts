import { assertNever } from '../../../lib/assert-never.js';
import type { JsonSchema } from '../../../lib/json-schema.js';
import { targetsOf } from '../../../model/lookup.js';
import type { Attribute, ContentSchema, LinkAttribute, Uid } from '../../../model/model.js';
import { isContentType } from '../../../query/schema-fields.js';
import { INTEGER, TEXT, anyOf, discriminated, listOf, nullable, objectOf, recordOf } from './json.js';
import type { SchemaBook } from './schema-book.js';

/** `whole`: what creating and publishing takes. `part`: what updates and drafts take. */
type Extent = 'whole' | 'part';

const strictnessOf = (book: SchemaBook, owner: ContentSchema, extent: Extent): 'draft' | 'full' =>
  extent === 'part' && book.hasDrafts(owner) ? 'draft' : 'full';

const linkSchema = (book: SchemaBook, attribute: LinkAttribute): JsonSchema => {
  const { many, target } = attribute;
  if (target !== null) return book.shared(many ? 'ToManyInput' : 'ToOneInput');
  const reference = (uid: Uid): JsonSchema =>
    anyOf(
      recordOf({ __type: { const: uid }, documentId: TEXT }),
      recordOf({ __type: { const: uid }, id: INTEGER }),
    );
  const targets = targetsOf(attribute).map(reference);
  const typed = targets.length === 0 ? { not: {} } : anyOf(...targets);
  return many ? listOf(typed) : anyOf(typed, { type: 'null' });
};

/** Lists of drafts may be shorter than the attribute says. */
const limitsOf = (
  { min, max }: { readonly min: number | null; readonly max: number | null },
  extent: Extent,
): JsonSchema => ({
  ...(min === null || extent === 'part' ? {} : { minItems: min }),
  ...(max === null ? {} : { maxItems: max }),
});

const attributeSchema = (
  book: SchemaBook,
  owner: ContentSchema,
  attribute: Attribute,
  extent: Extent,
): JsonSchema => {
  const strictness = strictnessOf(book, owner, extent);
  const withNull = (schema: JsonSchema): JsonSchema =>
    attribute.required && strictness === 'full' ? schema : nullable(schema);
  switch (attribute.family) {
    case 'scalar':
      return withNull(book.ofField(attribute, strictness).input);
    case 'relation':
    case 'media':
      return linkSchema(book, attribute);
    case 'component': {
      const component = book.of(attribute.component, extent === 'whole' ? 'Input' : 'PartialInput');
      return withNull(
        attribute.repeatable ? { ...listOf(component), ...limitsOf(attribute, extent) } : component,
      );
    }
    case 'dynamiczone': {
      const role = extent === 'whole' ? 'ZoneItemInput' : 'ZoneItemPartialInput';
      const members = attribute.components.map((uid) => ({ value: uid, schema: book.of(uid, role) }));
      return withNull({
        ...listOf(discriminated('__component', members)),
        ...limitsOf(attribute, extent),
      });
    }
    default:
      return assertNever(attribute, 'attribute family');
  }
};

/** A value that the server supplies need not be sent. */
const mustBeSent = (attribute: Attribute): boolean =>
  attribute.required &&
  !(
    attribute.family === 'scalar' &&
    (attribute.default !== undefined || attribute.constraints.generate === true)
  );

const schemaOf = (
  book: SchemaBook,
  schema: ContentSchema,
  extent: Extent,
  marker: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema => {
  const attributes = Object.values(schema.attributes).filter(
    (attribute) => !attribute.private && attribute.writable,
  );
  const properties = Object.fromEntries(
    attributes.map((attribute) => [attribute.name, attributeSchema(book, schema, attribute, extent)]),
  );
  const id = isContentType(schema) ? {} : { id: INTEGER };
  return objectOf({ ...marker, ...id, ...properties }, [
    ...Object.keys(marker),
    ...(extent === 'whole' ? attributes.filter(mustBeSent).map(({ name }) => name) : []),
  ]);
};

/** Returns the schema of data for creating and publishing a document or component. */
export function inputSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema, 'whole');
}

/**
 * Returns the schema of data for updates and drafts, without required attributes. A component with an `id` is
 * partially updated.
 */
export function partialSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema, 'part');
}

/** The same for components in a dynamic zone. */
export function zoneInputSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema, 'whole', { __component: { const: schema.uid } });
}

export function zonePartialSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema, 'part', { __component: { const: schema.uid } });
}
