import { createError } from '../../errors/catalogue.js';
import { shellWord } from '../../lib/text.js';
import type { ComponentDefinition, ContentTypeDefinition } from '../../model/content-types/definition.js';
import {
  assertNotBuiltin,
  assertNotOfCode,
  readAttribute,
  readSchema,
  removeAttribute,
  schemaFileOf,
} from './schema-project.js';
import type { SchemaDefinition, SchemaProject } from './schema-project.js';

/** An attribute of a schema. */
export interface AttributeLocation {
  readonly schema: SchemaDefinition;
  readonly attribute: string;
}

const schemasOf = ({ definitions }: SchemaProject): readonly SchemaDefinition[] => [
  ...definitions.types,
  ...definitions.components,
];

const findAttributes = (
  project: SchemaProject,
  test: (options: Readonly<Record<string, unknown>>, schema: SchemaDefinition) => boolean,
): readonly AttributeLocation[] =>
  schemasOf(project).flatMap((schema) =>
    schema.attributes
      .filter(({ options }) => test(options, schema))
      .map(({ name }) => ({ schema, attribute: name })),
  );

/** Removes an attribute from its file, if the file has it. */
export async function dropAttribute(
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
): Promise<void> {
  if ((await readAttribute(project, schema, name)) === null) return;
  await project.workspace.write(
    schemaFileOf(schema),
    removeAttribute(await readSchema(project, schema), name),
  );
}

/** Returns the inverses of an attribute. */
export function findInverseSides(
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
): readonly AttributeLocation[] {
  return findAttributes(
    project,
    (options) =>
      options['target'] === schema.uid &&
      [options['inversedBy'], options['mappedBy'], options['morphBy']].includes(name),
  );
}

/**
 * Removes an attribute and, for a bidirectional relation, its inverse. Returns the removed inverses.
 *
 * @throws `scaffold/builtin-not-editable`
 */
export async function removeAttributeFrom(
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
): Promise<readonly AttributeLocation[]> {
  if ((await readAttribute(project, schema, name)) === null)
    throw createError('scaffold/builtin-not-editable', { name: `${schema.uid} ${name}` });
  const inverseSides = findInverseSides(project, schema, name);
  await dropAttribute(project, schema, name);
  for (const { schema: other, attribute } of inverseSides) await dropAttribute(project, other, attribute);
  return inverseSides;
}

/**
 * Removes a content-type's file and all relations that target it. Returns those relations.
 *
 * @throws `scaffold/builtin-not-editable`
 */
export async function removeType(
  project: SchemaProject,
  type: ContentTypeDefinition,
): Promise<readonly AttributeLocation[]> {
  assertNotBuiltin(type);
  const relations = findAttributes(
    project,
    (options, schema) => options['target'] === type.uid && schema.uid !== type.uid,
  );
  for (const { schema, attribute } of relations) await dropAttribute(project, schema, attribute);
  await project.workspace.write(schemaFileOf(type), null);
  return relations;
}

/** Returns the component attributes and dynamic zones that use a component. */
function findComponentUsages(
  project: SchemaProject,
  component: ComponentDefinition,
): readonly AttributeLocation[] {
  return findAttributes(
    project,
    (options) =>
      options['component'] === component.uid || [options['components']].flat().includes(component.uid),
  );
}

/** Returns the command that removes one use of a component and nothing else. */
const detachCommand = (
  { definitions }: SchemaProject,
  component: ComponentDefinition,
  { schema, attribute }: AttributeLocation,
): string => {
  const isUnique = (name: string): boolean =>
    definitions.types.filter(({ singularName }) => singularName === name).length === 1;
  const name = 'kind' in schema && isUnique(schema.singularName) ? schema.singularName : schema.uid;
  const options = schema.attributes.find((candidate) => candidate.name === attribute)?.options;
  const others = [options?.['components'] ?? []]
    .flat()
    .map(String)
    .filter((uid) => uid !== component.uid);
  return others.length === 0
    ? `cms field remove ${name} ${attribute}`
    : `cms field edit ${name} ${attribute} --components ${shellWord(others.join('|'))}`;
};

/**
 * Removes a component that is not used.
 *
 * @throws `scaffold/component-in-use` with its usages
 */
export async function removeComponent(project: SchemaProject, component: ComponentDefinition): Promise<void> {
  const usages = findComponentUsages(project, component);
  if (usages.length > 0)
    throw createError('scaffold/component-in-use', {
      component: component.uid,
      locations: usages.map(({ schema, attribute }) => `${schema.uid} ${attribute}`).join(', '),
      commands: usages.map((usage) => detachCommand(project, component, usage)).join(' && '),
    });
  assertNotOfCode(component);
  await project.workspace.write(component.file, null);
}
