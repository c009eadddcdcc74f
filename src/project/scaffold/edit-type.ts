import type { ContentTypeDefinition } from '../../model/content-types/definition.js';
import { assertNotBuiltin, readSchema, schemaFileOf } from './schema-project.js';
import type { SchemaProject } from './schema-project.js';
import { setSchemaOption } from './schema-text.js';
import { assertTypeNamesAvailable } from './type-names-available.js';
import { deriveTypeNames } from './type-names.js';

/** The changes to a content-type. Undefined: the value stays. */
export interface TypeEdit {
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly pluralName?: string | undefined;
  readonly kind?: ContentTypeDefinition['kind'] | undefined;
  readonly draftAndPublish?: boolean | undefined;
  readonly localized?: boolean | undefined;
}

const PATHS: Readonly<Record<Exclude<keyof TypeEdit, 'localized'>, readonly string[]>> = {
  displayName: ['info', 'displayName'],
  description: ['info', 'description'],
  pluralName: ['info', 'pluralName'],
  kind: ['kind'],
  draftAndPublish: ['options', 'draftAndPublish'],
};

/**
 * Changes options of a content-type in its file. The tables keep their names.
 *
 * @throws `scaffold/builtin-not-editable`, `scaffold/name-taken`, `scaffold/invalid-name`
 */
export async function editType(
  project: SchemaProject,
  type: ContentTypeDefinition,
  { localized, ...edit }: TypeEdit,
): Promise<void> {
  assertNotBuiltin(type);
  if (edit.pluralName !== undefined) {
    deriveTypeNames({ name: type.singularName, plural: edit.pluralName });
    assertTypeNamesAvailable(project, { singularName: type.singularName, pluralName: edit.pluralName }, type);
  }
  let text = await readSchema(project, type);
  for (const key of Object.keys(PATHS) as (keyof typeof PATHS)[])
    if (edit[key] !== undefined) text = setSchemaOption(text, PATHS[key], edit[key]);
  if (localized !== undefined && localized !== type.localized)
    text = setSchemaOption(text, ['pluginOptions', 'i18n'], localized ? { localized } : undefined);
  await project.workspace.write(schemaFileOf(type), text);
}
