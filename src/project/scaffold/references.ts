import type { Uid } from '../../lib/uid.js';
import { readReferrer, schemaFileOf } from './schema-project.js';
import type { SchemaProject } from './schema-project.js';
import { attributesOf, setAttributeOption } from './schema-text.js';

const renamedValue = (value: unknown, from: Uid, to: Uid): unknown => {
  if (value === from) return to;
  return Array.isArray(value) && value.includes(from)
    ? value.map((item: unknown) => (item === from ? to : item))
    : undefined;
};

/** Makes all attributes that refer to a type or component refer to another one. */
export async function replaceReferences(
  project: SchemaProject,
  options: readonly ('target' | 'component' | 'components')[],
  from: Uid,
  to: Uid,
): Promise<void> {
  for (const schema of [...project.definitions.types, ...project.definitions.components]) {
    let text = await readReferrer(project, schema, (json) =>
      options.some((option) => renamedValue(json[option], from, to) !== undefined),
    );
    if (text === null) continue;
    for (const [name, json] of Object.entries(attributesOf(text)))
      for (const option of options) {
        const value = renamedValue(json[option], from, to);
        if (value !== undefined) text = setAttributeOption(text, name, option, value);
      }
    await project.workspace.write(schemaFileOf(schema), text);
  }
}
