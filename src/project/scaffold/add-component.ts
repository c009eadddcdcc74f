import { createError } from '../../errors/catalogue.js';
import { snakeCase, upperFirst, words } from '../../lib/casing.js';
import type { ComponentDefinition } from '../../model/content-types/definition.js';
import { FILE_SCHEMAS } from '../../generate/typegen/print-file-schemas.js';
import { addAttributes } from './add-attributes.js';
import type { NamedAttribute } from './attribute-shorthand.js';
import type { SchemaProject } from './schema-project.js';
import { printSchema, withJsonSchema } from './schema-text.js';
import { parseComponentName, pluralOf } from './type-names.js';

export interface NewComponent {
  /** `shared.seo` */
  readonly uid: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly attributes: readonly NamedAttribute[];
}

/** The name that Strapi's tables of a component have. */
export function componentCollectionName({
  category,
  name,
}: Pick<ComponentDefinition, 'category' | 'name'>): string {
  return `components_${snakeCase(category)}_${snakeCase(pluralOf(name))}`;
}

/**
 * Asserts that a component can have a name.
 *
 * @throws `scaffold/invalid-name`, `scaffold/name-taken`
 */
export function assertComponentNameAvailable({ definitions }: SchemaProject, uid: string): void {
  parseComponentName(uid);
  const existing = definitions.components.find((component) => component.uid === uid);
  if (existing !== undefined)
    throw createError('scaffold/name-taken', {
      kind: 'component',
      name: uid,
      file: existing.file,
      remedy: `Choose another name, or add to it: cms field add ${uid} NAME:TYPE`,
    });
}

/**
 * Writes the file of a new component and returns its path.
 *
 * @throws `scaffold/invalid-name`, `scaffold/name-taken`
 */
export async function addComponent(
  project: SchemaProject,
  { uid, displayName, description = '', attributes }: NewComponent,
): Promise<string> {
  assertComponentNameAvailable(project, uid);
  const { category, name } = parseComponentName(uid);
  const file = `src/components/${category}/${name}.json`;
  const definition: ComponentDefinition = {
    uid,
    category,
    name,
    file,
    displayName: displayName ?? words(name).map(upperFirst).join(' '),
    description,
    options: {},
    attributes: [],
  };
  await project.workspace.write(
    file,
    printSchema(
      withJsonSchema(file, FILE_SCHEMAS.component, {
        collectionName: componentCollectionName({ category, name }),
        info: { displayName: definition.displayName, description },
        options: {},
        attributes: {},
      }),
    ),
  );
  await addAttributes(project, definition, attributes);
  return file;
}
