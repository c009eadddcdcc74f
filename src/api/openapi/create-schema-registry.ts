import { assertNever, defined } from '../../lib/assert.js';
import type { JsonSchema } from '../../lib/json.js';
import { createNamePool } from '../../lib/names.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { hasServerValue, targetsOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, LinkAttribute, Uid } from '../../model/model.js';
import { LOCALIZATIONS, isContentType, readableAttribute, shownFields } from '../../query/schema-fields.js';
import { filterSchema, populateSchema, populatedSchema } from './query-parameters.js';
import {
  INTEGER,
  DATE_TIME,
  SHARED_SCHEMAS,
  TEXT,
  anyOf,
  discriminated,
  listOf,
  nullable,
  objectOf,
  recordOf,
} from './schema-registry.js';
import type { SchemaRegistry, SchemaRole } from './schema-registry.js';

type Properties = Readonly<Record<string, JsonSchema>>;

const linkedSchema = (registry: SchemaRegistry, attribute: LinkAttribute): JsonSchema =>
  attribute.target === null
    ? discriminated(
        '__type',
        targetsOf(attribute).map((uid) => ({ value: uid, schema: registry.of(uid, 'Typed') })),
      )
    : registry.of(attribute.target, '');

const linkSchema = (registry: SchemaRegistry, attribute: LinkAttribute): JsonSchema => {
  const linked = linkedSchema(registry, attribute);
  if (!attribute.many) return anyOf(linked, { type: 'null' });
  return attribute.family === 'media' ? nullable(listOf(linked)) : listOf(linked);
};

const attributeSchema = (
  registry: SchemaRegistry,
  owner: ContentSchema,
  attribute: Attribute,
): JsonSchema => {
  switch (attribute.family) {
    case 'scalar': {
      const { output } =
        owner.uid === FILE_UID && attribute.name === 'formats'
          ? { output: registry.shared('FileFormats') }
          : registry.ofField(attribute, 'full');
      return attribute.required && !registry.hasDrafts(owner) ? output : nullable(output);
    }
    case 'relation':
    case 'media':
      return linkSchema(registry, attribute);
    case 'component': {
      const component = registry.of(attribute.component, '');
      return attribute.repeatable ? listOf(component) : nullable(component);
    }
    case 'dynamiczone':
      return listOf(
        discriminated(
          '__component',
          attribute.components.map((uid) => ({ value: uid, schema: registry.of(uid, 'ZoneItem') })),
        ),
      );
    default:
      return assertNever(attribute, 'attribute family');
  }
};

const attributeProperties = (registry: SchemaRegistry, schema: ContentSchema): Properties =>
  Object.fromEntries(
    Object.values(schema.attributes)
      .filter(({ name }) => readableAttribute(schema, name) !== null)
      .map((attribute) => [attribute.name, attributeSchema(registry, schema, attribute)]),
  );

const propertiesOf = (registry: SchemaRegistry, schema: ContentSchema): Properties => {
  const attributes = attributeProperties(registry, schema);
  if (!isContentType(schema)) return { id: INTEGER, ...attributes };
  return {
    id: INTEGER,
    documentId: TEXT,
    ...attributes,
    ...shownFields(schema, {
      createdAt: DATE_TIME,
      updatedAt: DATE_TIME,
      publishedAt: schema.draftAndPublish ? nullable(DATE_TIME) : DATE_TIME,
      locale: TEXT,
      [LOCALIZATIONS]: listOf(registry.of(schema.uid, '')),
    }),
    ...(schema.uid === FILE_UID ? { isUrlSigned: { type: 'boolean' } } : {}),
  };
};

const describe = ({ displayName, description }: ContentSchema): JsonSchema => ({
  title: displayName,
  ...(description.trim() === '' ? {} : { description: description.trim() }),
});

const schemaOf = (registry: SchemaRegistry, schema: ContentSchema, marker: Properties = {}): JsonSchema => ({
  ...describe(schema),
  ...objectOf({ ...marker, ...propertiesOf(registry, schema) }, [
    ...Object.keys(marker),
    'id',
    ...(isContentType(schema) ? ['documentId'] : []),
  ]),
});

/**
 * Returns the schema of a document or component in responses. Only the ids are required: `fields` may omit
 * the other attributes, and relations are missing unless they are populated.
 */
function documentSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  return schemaOf(registry, schema);
}

/** Returns the schema of a document that a polymorphic relation links. */
function typedDocumentSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  return schemaOf(registry, schema, { __type: { const: schema.uid } });
}

/** Returns the schema of a component in a dynamic zone. */
function zoneItemSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  return schemaOf(registry, schema, { __component: { const: schema.uid } });
}

/** `whole`: the data for creating and publishing. `part`: the data for updates and drafts. */
type Extent = 'whole' | 'part';

const strictnessOf = (registry: SchemaRegistry, owner: ContentSchema, extent: Extent): 'draft' | 'full' =>
  extent === 'part' && registry.hasDrafts(owner) ? 'draft' : 'full';

const linkInput = (registry: SchemaRegistry, attribute: LinkAttribute): JsonSchema => {
  const { many, target } = attribute;
  if (target !== null) return registry.shared(many ? 'ToManyInput' : 'ToOneInput');
  const reference = (uid: Uid): JsonSchema =>
    anyOf(
      recordOf({ __type: { const: uid }, documentId: TEXT }),
      recordOf({ __type: { const: uid }, id: INTEGER }),
    );
  const targets = targetsOf(attribute).map(reference);
  const typed = targets.length === 0 ? { not: {} } : anyOf(...targets);
  return many ? listOf(typed) : anyOf(typed, { type: 'null' });
};

/** Returns the length limits of a list. A draft may have fewer items than the attribute requires. */
const limitsOf = (
  { min, max }: { readonly min: number | null; readonly max: number | null },
  extent: Extent,
): JsonSchema => ({
  ...(min === null || extent === 'part' ? {} : { minItems: min }),
  ...(max === null ? {} : { maxItems: max }),
});

const attributeInput = (
  registry: SchemaRegistry,
  owner: ContentSchema,
  attribute: Attribute,
  extent: Extent,
): JsonSchema => {
  const strictness = strictnessOf(registry, owner, extent);
  const withNull = (schema: JsonSchema): JsonSchema =>
    attribute.required && strictness === 'full' ? schema : nullable(schema);
  switch (attribute.family) {
    case 'scalar':
      return withNull(registry.ofField(attribute, strictness).input);
    case 'relation':
    case 'media':
      return linkInput(registry, attribute);
    case 'component': {
      const component = registry.of(attribute.component, extent === 'whole' ? 'Input' : 'PartialInput');
      return withNull(
        attribute.repeatable ? { ...listOf(component), ...limitsOf(attribute, extent) } : component,
      );
    }
    case 'dynamiczone': {
      const role = extent === 'whole' ? 'ZoneItemInput' : 'ZoneItemPartialInput';
      const members = attribute.components.map((uid) => ({ value: uid, schema: registry.of(uid, role) }));
      return withNull({
        ...listOf(discriminated('__component', members)),
        ...limitsOf(attribute, extent),
      });
    }
    default:
      return assertNever(attribute, 'attribute family');
  }
};

/** True if a request must contain the attribute: it is required, and the server supplies no value. */
const mustBeSent = (attribute: Attribute): boolean => attribute.required && !hasServerValue(attribute);

const inputSchemaOf = (
  registry: SchemaRegistry,
  schema: ContentSchema,
  extent: Extent,
  marker: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema => {
  const attributes = Object.values(schema.attributes).filter(
    (attribute) => !attribute.private && attribute.writable,
  );
  const properties = Object.fromEntries(
    attributes.map((attribute) => [attribute.name, attributeInput(registry, schema, attribute, extent)]),
  );
  const id = isContentType(schema) ? {} : { id: INTEGER };
  return objectOf({ ...marker, ...id, ...properties }, [
    ...Object.keys(marker),
    ...(extent === 'whole' ? attributes.filter(mustBeSent).map(({ name }) => name) : []),
  ]);
};

/** Returns the schema of data for creating and publishing a document or component. */
function inputSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  return inputSchemaOf(registry, schema, 'whole');
}

/**
 * Returns the schema of data for updates and drafts, without required attributes. A component with an `id` is
 * partially updated.
 */
function partialSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  return inputSchemaOf(registry, schema, 'part');
}

/** Returns the schema of data for a component in a dynamic zone. */
function zoneInputSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  return inputSchemaOf(registry, schema, 'whole', { __component: { const: schema.uid } });
}

function zonePartialSchema(registry: SchemaRegistry, schema: ContentSchema): JsonSchema {
  return inputSchemaOf(registry, schema, 'part', { __component: { const: schema.uid } });
}

const BUILDERS: Readonly<
  Record<SchemaRole, (registry: SchemaRegistry, schema: ContentSchema) => JsonSchema>
> = {
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

/** Creates an empty registry for the schemas of a model. */
export function createSchemaRegistry(model: ContentModel): SchemaRegistry {
  const added = new Map<string, JsonSchema>();
  const named: Readonly<Record<string, JsonSchema>> = { ...fieldSchemas(model), ...SHARED_SCHEMAS };
  const pool = createNamePool();
  pool.reserve(Object.keys(named));
  const schemas: readonly ContentSchema[] = [...model.types, ...model.components];
  const names = new Map(schemas.map(({ uid, typeName }) => [`${uid} `, pool.allocate(typeName)]));
  const hasDraftTypes = model.types.some(({ draftAndPublish }) => draftAndPublish);

  const schemaNameOf = ({ uid, typeName }: ContentSchema, role: SchemaRole): string => {
    const key = `${uid} ${role}`;
    const name = names.get(key) ?? pool.allocate(`${typeName}${role}`);
    names.set(key, name);
    return name;
  };
  /** Adds a schema with a fixed name, and the schemas that it refers to. */
  const addNamed = (name: string): void => {
    const schema = named[name];
    if (schema === undefined || added.has(name)) return;
    added.set(name, schema);
    for (const [, inner = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      addNamed(inner);
  };
  const registry: SchemaRegistry = {
    model,
    of: (uid, role) => {
      const schema = defined(model.typesByUid[uid] ?? model.componentsByUid[uid], uid);
      const name = schemaNameOf(schema, role);
      if (!added.has(name)) {
        // Reserves the name while the schema is built, since schemas may refer to each other.
        added.set(name, {});
        added.set(name, BUILDERS[role](registry, schema));
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
  return registry;
}
