import { createError } from '../../errors/catalogue.js';
import type { Uid } from '../../lib/ids.js';
import type { ContentTypeDefinition } from '../../model/content-types/definition.js';
import { orderAttribute } from './attribute-shorthand.js';
import type { AttributeJson, NamedAttribute } from './attribute-shorthand.js';
import { resolveComponent, resolveType } from './resolve-name.js';
import { readAttribute, readSchema, schemaFileOf, setAttribute } from './schema-project.js';
import type { SchemaDefinition, SchemaProject } from './schema-project.js';

const INVERSE_KIND: Readonly<Record<string, string>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
  morphOne: 'morphToOne',
  morphMany: 'morphToMany',
};

/**
 * Returns the attribute with the key that schema files require for the inverse: `mappedBy` in oneToMany,
 * `inversedBy` in manyToOne. Other kinds keep the given key.
 */
export function normalizeInverseKeys({ inversedBy, mappedBy, ...json }: AttributeJson): AttributeJson {
  const inverseName = inversedBy ?? mappedBy;
  if (inverseName === undefined) return json;
  if (json['relation'] === 'oneToMany') return orderAttribute({ ...json, mappedBy: inverseName });
  if (json['relation'] === 'manyToOne') return orderAttribute({ ...json, inversedBy: inverseName });
  return orderAttribute({ ...json, ...(mappedBy === undefined ? { inversedBy } : { mappedBy }) });
}

/** Returns the inverse attribute that the target needs. Null for a unidirectional relation. */
export function inverseSideOf(owner: Uid, { name, json }: NamedAttribute): NamedAttribute | null {
  const relation = INVERSE_KIND[String(json['relation'])];
  const inverseName = json['inversedBy'] ?? json['mappedBy'] ?? json['morphBy'];
  if (json['type'] !== 'relation' || relation === undefined || typeof inverseName !== 'string') return null;
  if (json['morphBy'] !== undefined) return { name: inverseName, json: { type: 'relation', relation } };
  const backReference = json['inversedBy'] === undefined ? { inversedBy: name } : { mappedBy: name };
  return {
    name: inverseName,
    json: orderAttribute({ type: 'relation', relation, target: owner, ...backReference }),
  };
}

/** True if the existing attribute is the expected inverse already. */
function isSameRelationSide(existing: AttributeJson, expected: AttributeJson): boolean {
  return ['type', 'relation', 'target', 'inversedBy', 'mappedBy'].every(
    (key) => (existing[key] ?? null) === (expected[key] ?? null),
  );
}

const isType = (schema: SchemaDefinition): schema is ContentTypeDefinition => 'kind' in schema;

/** Replaces short names by uids, which schema files require. */
export function resolveReferences(
  project: SchemaProject,
  types: readonly ContentTypeDefinition[],
  json: AttributeJson,
): AttributeJson {
  const { components } = project.definitions;
  const resolved: Record<string, unknown> = { ...json };
  if (typeof json['target'] === 'string') resolved['target'] = resolveType(types, json['target']).uid;
  if (typeof json['component'] === 'string')
    resolved['component'] = resolveComponent(components, json['component']).uid;
  if (Array.isArray(json['components']))
    resolved['components'] = json['components'].map((name) => resolveComponent(components, String(name)).uid);
  return resolved;
}

/** Marks an attribute of a localized type as localized. Relations always belong to one locale. */
const markLocalized = (schema: SchemaDefinition, json: AttributeJson): AttributeJson => {
  if (!isType(schema) || !schema.localized || json['pluginOptions'] !== undefined) return json;
  return json['type'] === 'relation' ? json : { ...json, pluginOptions: { i18n: { localized: true } } };
};

const assertNameAvailable = async (
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
): Promise<void> => {
  const existing = schema.attributes.find((attribute) => attribute.name === name);
  if (existing === undefined && (await readAttribute(project, schema, name)) === null) return;
  const target = `${schema.uid} ${name}`;
  const remedy =
    existing === undefined
      ? 'Choose a different name for each attribute.'
      : `Choose another name, change it with: cms field edit ${target}, ` +
        `or rename it, which keeps its values: cms field rename ${target} NEW`;
  throw createError('scaffold/attribute-taken', {
    schema: schema.uid,
    attribute: name,
    file: schemaFileOf(schema),
    line: existing?.line ?? 1,
    remedy,
  });
};

const addInverseSide = async (
  project: SchemaProject,
  types: readonly ContentTypeDefinition[],
  schema: SchemaDefinition,
  attribute: NamedAttribute,
): Promise<void> => {
  const inverse = inverseSideOf(schema.uid, attribute);
  if (inverse === null) return;
  if (!isType(schema))
    throw createError('scaffold/inverse-in-component', { attribute: attribute.name, component: schema.uid });
  const target = resolveType(types, String(attribute.json['target']));
  const existing = await readAttribute(project, target, inverse.name);
  if (existing !== null && isSameRelationSide(existing, inverse.json)) return;
  await assertNameAvailable(project, target, inverse.name);
  await project.workspace.write(
    schemaFileOf(target),
    setAttribute(await readSchema(project, target), inverse),
  );
};

/**
 * Writes attributes to the file of a content-type or component, and the inverse of each bidirectional
 * relation to the file of its target. `schema` may be a new type that the project's definitions do not
 * contain yet.
 *
 * @throws `scaffold/attribute-taken`, `scaffold/inverse-in-component`, `cli/unknown-name` for unknown targets
 *   and components
 */
export async function addAttributes(
  project: SchemaProject,
  schema: SchemaDefinition,
  attributes: readonly NamedAttribute[],
): Promise<void> {
  const definedTypes = project.definitions.types;
  const types =
    isType(schema) && !definedTypes.some(({ uid }) => uid === schema.uid)
      ? [...definedTypes, schema]
      : definedTypes;
  for (const { name, json } of attributes) {
    await assertNameAvailable(project, schema, name);
    const attribute = {
      name,
      json: markLocalized(schema, normalizeInverseKeys(resolveReferences(project, types, json))),
    };
    await project.workspace.write(
      schemaFileOf(schema),
      setAttribute(await readSchema(project, schema), attribute),
    );
    await addInverseSide(project, types, schema, attribute);
  }
}
