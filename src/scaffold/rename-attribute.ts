import { fail } from '../errors/catalogue.js';
import { attributeNow, fileOf, readSchema } from './schema-project.js';
import type { Holder, SchemaProject } from './schema-project.js';
import { attributesOf, renameAttribute, setAttributeOption } from './schema-text.js';

const SIDES = ['inversedBy', 'mappedBy', 'morphBy'] as const;

const followInOwnFile = async (project: SchemaProject, holder: Holder, name: string, wanted: string): Promise<void> => {
  let text = await readSchema(project, holder);
  for (const [other, json] of Object.entries(attributesOf(text))) {
    if (json['targetField'] === name) text = setAttributeOption(text, other, 'targetField', wanted);
  }
  await project.workspace.write(fileOf(holder), text);
};

const followInRelations = async (project: SchemaProject, holder: Holder, name: string, wanted: string): Promise<void> => {
  for (const type of project.definitions.types) {
    let text = await project.workspace.read(fileOf(type));
    if (text === null) continue;
    for (const [other, json] of Object.entries(attributesOf(text))) {
      const side = SIDES.find((key) => json[key] === name);
      if (side !== undefined && json['target'] === holder.uid) text = setAttributeOption(text, other, side, wanted);
    }
    await project.workspace.write(fileOf(type), text);
  }
};

/**
 * Gives an attribute another name, in its place in the file, and follows in everything that names it: unique ids made from it and the other
 * sides of relations. The data keep is the migration's business.
 *
 * @throws `scaffold/builtin` for an attribute that is not in the project's files, `scaffold/attribute-taken`
 */
export async function renameAttributeIn(project: SchemaProject, holder: Holder, name: string, wanted: string): Promise<void> {
  if ((await attributeNow(project, holder, name)) === null) throw fail('scaffold/builtin', { name: `${holder.uid} ${name}` });
  const taken = holder.attributes.find((attribute) => attribute.name === wanted);
  if (taken !== undefined) {
    throw fail('scaffold/attribute-taken', { holder: holder.uid, attribute: wanted, file: fileOf(holder), line: taken.line, remedy: 'Choose another name.' });
  }
  await project.workspace.write(fileOf(holder), renameAttribute(await readSchema(project, holder), name, wanted));
  await followInOwnFile(project, holder, name, wanted);
  await followInRelations(project, holder, name, wanted);
}
