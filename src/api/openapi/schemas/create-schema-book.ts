import { defined } from '../../../lib/defined.js';
import type { JsonSchema } from '../../../lib/json-schema.js';
import { createNamePool } from '../../../lib/name-pool.js';
import type { ContentModel, ContentSchema } from '../../../model/model.js';
import { documentSchema, typedDocumentSchema, zoneItemSchema } from './document-schemas.js';
import { filterSchema } from './filter-schemas.js';
import { inputSchema, partialSchema, zoneInputSchema, zonePartialSchema } from './input-schemas.js';
import { populateSchema, populatedSchema } from './populate-schemas.js';
import type { SchemaBook, SchemaRole } from './schema-book.js';
import { SHARED_SCHEMAS } from './shared-schemas.js';

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
