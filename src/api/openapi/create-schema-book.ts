import { assertNever, defined } from '../../lib/assert.js';
import type { JsonSchema } from '../../lib/json.js';
import { createNamePool } from '../../lib/names.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { targetsOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, LinkAttribute, Uid } from '../../model/model.js';
import { LOCALIZATIONS, isContentType, readableAttribute, shownFields } from '../../query/schema-fields.js';
import { filterSchema, populateSchema, populatedSchema } from './query-parameters.js';
import {
  INTEGER,
  MOMENT,
  SHARED_SCHEMAS,
  TEXT,
  anyOf,
  discriminated,
  listOf,
  nullable,
  objectOf,
  recordOf,
} from './schema-book.js';
import type { SchemaBook, SchemaRole } from './schema-book.js';

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
function documentSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema);
}

/** A document at the end of a polymorphic relation. */
function typedDocumentSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema, { __type: { const: schema.uid } });
}

/** A component in a dynamic zone. */
function zoneItemSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return schemaOf(book, schema, { __component: { const: schema.uid } });
}

/** `whole`: what creating and publishing takes. `part`: what updates and drafts take. */
type Extent = 'whole' | 'part';

const strictnessOf = (book: SchemaBook, owner: ContentSchema, extent: Extent): 'draft' | 'full' =>
  extent === 'part' && book.hasDrafts(owner) ? 'draft' : 'full';

const linkInput = (book: SchemaBook, attribute: LinkAttribute): JsonSchema => {
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

const attributeInput = (
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
      return linkInput(book, attribute);
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

const inputSchemaOf = (
  book: SchemaBook,
  schema: ContentSchema,
  extent: Extent,
  marker: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema => {
  const attributes = Object.values(schema.attributes).filter(
    (attribute) => !attribute.private && attribute.writable,
  );
  const properties = Object.fromEntries(
    attributes.map((attribute) => [attribute.name, attributeInput(book, schema, attribute, extent)]),
  );
  const id = isContentType(schema) ? {} : { id: INTEGER };
  return objectOf({ ...marker, ...id, ...properties }, [
    ...Object.keys(marker),
    ...(extent === 'whole' ? attributes.filter(mustBeSent).map(({ name }) => name) : []),
  ]);
};

/** Returns the schema of data for creating and publishing a document or component. */
function inputSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return inputSchemaOf(book, schema, 'whole');
}

/**
 * Returns the schema of data for updates and drafts, without required attributes. A component with an `id` is
 * partially updated.
 */
function partialSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return inputSchemaOf(book, schema, 'part');
}

/** The same for components in a dynamic zone. */
function zoneInputSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return inputSchemaOf(book, schema, 'whole', { __component: { const: schema.uid } });
}

function zonePartialSchema(book: SchemaBook, schema: ContentSchema): JsonSchema {
  return inputSchemaOf(book, schema, 'part', { __component: { const: schema.uid } });
}

const BUILDERS: Readonly<Record<SchemaRole, (book: SchemaBook, schema: ContentSchema) => JsonSchema>> = {
  '': documentSchema,
  Typed: typedDocumentSchema,
  ZoneItem: zoneItemSchema,
  Input: inputSchema,
  PartialInput: partialSchema,
  ZoneItemInput: zoneInputSchema,
  ZoneItemPartialInput: zonePartialSchema,
  Filters: filterSchema,
  Populate: populateSchema,
  Populated: populatedSchema,
};

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const fieldSchemas = (model: ContentModel): Readonly<Record<string, JsonSchema>> =>
  Object.assign(
    {},
    ...[...model.types, ...model.components]
      .flatMap(({ attributes }) => Object.values(attributes))
      .map((attribute) => (attribute.family === 'scalar' ? (attribute.field.namedSchemas ?? {}) : {})),
  ) as Readonly<Record<string, JsonSchema>>;

/** Starts with no schemas. */
export function createSchemaBook(model: ContentModel): SchemaBook {
  const added = new Map<string, JsonSchema>();
  const named: Readonly<Record<string, JsonSchema>> = { ...fieldSchemas(model), ...SHARED_SCHEMAS };
  const pool = createNamePool();
  pool.reserve(Object.keys(named));
  const schemas: readonly ContentSchema[] = [...model.types, ...model.components];
  const names = new Map(schemas.map(({ uid, typeName }) => [`${uid} `, pool.allocate(typeName)]));
  const hasDraftTypes = model.types.some(({ draftAndPublish }) => draftAndPublish);

  const nameOf = ({ uid, typeName }: ContentSchema, role: SchemaRole): string => {
    const key = `${uid} ${role}`;
    const name = names.get(key) ?? pool.allocate(`${typeName}${role}`);
    names.set(key, name);
    return name;
  };
  /** Adds a schema with a fixed name, and those that it refers to. */
  const addNamed = (name: string): void => {
    const schema = named[name];
    if (schema === undefined || added.has(name)) return;
    added.set(name, schema);
    for (const [, inner = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      addNamed(inner);
  };
  const book: SchemaBook = {
    model,
    of: (uid, role) => {
      const schema = defined(model.typesByUid[uid] ?? model.componentsByUid[uid], uid);
      const name = nameOf(schema, role);
      if (!added.has(name)) {
        // Keeps its place while it is built, since schemas refer to one another.
        added.set(name, {});
        added.set(name, BUILDERS[role](book, schema));
      }
      return refTo(name);
    },
    shared: (name) => {
      addNamed(name);
      return refTo(name);
    },
    ofField: ({ field, constraints }, strictness) => {
      Object.keys(field.namedSchemas ?? {}).forEach(addNamed);
      return field.jsonSchema(constraints, strictness);
    },
    hasDrafts: (schema) => ('draftAndPublish' in schema ? schema.draftAndPublish : hasDraftTypes),
    all: () => Object.fromEntries([...added].toSorted(([left], [right]) => (left < right ? -1 : 1))),
  };
  return book;
}
