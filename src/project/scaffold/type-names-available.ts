import type { ContentTypeDefinition } from '../../model/content-types/definition.js';
import { createError } from '../../errors/catalogue.js';
import type { SchemaProject } from './schema-project.js';
import type { TypeNames } from './type-names.js';

/**
 * Asserts that no other content-type of the project has one of the names.
 *
 * @param owner a type that may have them already
 * @throws `scaffold/name-taken`
 */
export function assertTypeNamesAvailable(
  { definitions }: SchemaProject,
  names: Pick<TypeNames, 'singularName' | 'pluralName'>,
  owner?: ContentTypeDefinition,
): void {
  for (const type of definitions.types) {
    if (type === owner || !type.uid.startsWith('api::')) continue;
    const existingNames = [type.singularName, type.pluralName];
    const takenName = [names.singularName, names.pluralName].find((name) => existingNames.includes(name));
    if (takenName !== undefined)
      throw createError('scaffold/name-taken', {
        kind: 'content-type',
        name: takenName,
        file: type.file ?? type.uid,
        remedy:
          `Choose another name, change it: cms type edit ${type.singularName}, ` +
          `or add to it: cms field add ${type.singularName} NAME:TYPE`,
      });
  }
}
