import type { ComponentDefinition } from '../../model/content-types/definition.js';
import { createError } from '../../errors/catalogue.js';
import { upperFirst, words } from '../../lib/casing.js';
import { componentCollectionName } from './add-component.js';
import { replaceReferences } from './references.js';
import { readSchema } from './schema-project.js';
import type { SchemaProject } from './schema-project.js';
import { setSchemaOption } from './schema-text.js';
import { parseComponentName } from './type-names.js';

const displayNameOf = (name: string): string => words(name).map(upperFirst).join(' ');

/**
 * Renames a component or moves it to another category: its file, and what refers to it. The values are moved
 * by the migration.
 *
 * @throws `scaffold/invalid-name`, `scaffold/name-taken`
 */
export async function renameComponent(
  project: SchemaProject,
  component: ComponentDefinition,
  uid: string,
): Promise<void> {
  const { category, name } = parseComponentName(uid);
  const existing = project.definitions.components.find((other) => other.uid === uid);
  if (existing !== undefined)
    throw createError('scaffold/name-taken', {
      kind: 'component',
      name: uid,
      file: existing.file,
      remedy: 'Choose another name.',
    });
  const { collectionName } = JSON.parse(await readSchema(project, component)) as {
    readonly collectionName?: unknown;
  };
  let text = await readSchema(project, component);
  if (collectionName === componentCollectionName(component))
    text = setSchemaOption(text, ['collectionName'], componentCollectionName({ category, name }));
  if (component.displayName === displayNameOf(component.name))
    text = setSchemaOption(text, ['info', 'displayName'], displayNameOf(name));
  await project.workspace.write(component.file, text);
  await replaceReferences(project, ['component', 'components'], component.uid, uid);
  const moved = await project.workspace.read(component.file);
  await project.workspace.write(component.file, null);
  await project.workspace.write(`src/components/${category}/${name}.json`, moved);
}
