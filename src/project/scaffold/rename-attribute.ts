import { isDeepStrictEqual } from 'node:util';
import { createError } from '../../errors/catalogue.js';
import { renameLogicPath } from '../../lib/json-logic.js';
import type { AttributeJson } from './attribute-shorthand.js';
import { readAttribute, readReferrer, readSchema, schemaFileOf } from './schema-project.js';
import type { SchemaDefinition, SchemaProject } from './schema-project.js';
import { attributesOf, renameAttribute, setAttributeOption } from './schema-text.js';

const INVERSE_KEYS = ['inversedBy', 'mappedBy', 'morphBy'] as const;

/** Updates what stands beside the attribute and names it: `targetField` and `conditions`. */
const updateSiblings = async (
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
  newName: string,
): Promise<void> => {
  let text = await readSchema(project, schema);
  for (const [other, json] of Object.entries(attributesOf(text))) {
    if (json['targetField'] === name) text = setAttributeOption(text, other, 'targetField', newName);
    const conditions = renameLogicPath(json['conditions'], name, newName);
    if (!isDeepStrictEqual(conditions, json['conditions']))
      text = setAttributeOption(text, other, 'conditions', conditions);
  }
  await project.workspace.write(schemaFileOf(schema), text);
};

const updateInverseKeys = async (
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
  newName: string,
): Promise<void> => {
  const inverseKeyOf = (json: AttributeJson): string | undefined =>
    json['target'] === schema.uid ? INVERSE_KEYS.find((key) => json[key] === name) : undefined;
  for (const type of project.definitions.types) {
    let text = await readReferrer(project, type, (json) => inverseKeyOf(json) !== undefined);
    if (text === null) continue;
    for (const [other, json] of Object.entries(attributesOf(text))) {
      const inverseKey = inverseKeyOf(json);
      if (inverseKey !== undefined) text = setAttributeOption(text, other, inverseKey, newName);
    }
    await project.workspace.write(schemaFileOf(type), text);
  }
};

/**
 * Renames an attribute and keeps its position in the file. Updates what refers to it: `targetField` of uids,
 * conditions, and the inverse sides of relations. The data is moved by the migration.
 *
 * @throws `scaffold/builtin-not-editable` for an attribute that is not in the project's files,
 *   `scaffold/attribute-taken`
 */
export async function renameAttributeIn(
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
  newName: string,
): Promise<void> {
  if ((await readAttribute(project, schema, name)) === null)
    throw createError('scaffold/builtin-not-editable', { name: `${schema.uid} ${name}` });
  const existing = schema.attributes.find((attribute) => attribute.name === newName);
  if (existing !== undefined) {
    throw createError('scaffold/attribute-taken', {
      schema: schema.uid,
      attribute: newName,
      file: schemaFileOf(schema),
      line: existing.line,
      remedy: 'Choose another name.',
    });
  }
  await project.workspace.write(
    schemaFileOf(schema),
    renameAttribute(await readSchema(project, schema), name, newName),
  );
  await updateSiblings(project, schema, name, newName);
  await updateInverseKeys(project, schema, name, newName);
}
