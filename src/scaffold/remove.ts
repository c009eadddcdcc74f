import { dirname } from 'node:path';
import { fail } from '../errors/catalogue.js';
import type { ComponentDefinition, ContentTypeDefinition } from '../content-types/definition.js';
import { assertOwn, attributeNow, fileOf, readSchema } from './schema-project.js';
import type { Holder, SchemaProject } from './schema-project.js';
import { removeAttribute } from './schema-text.js';

/** An attribute of some holder, as `api::article.article author` names it on the command line. */
export interface AttributePlace {
  readonly holder: Holder;
  readonly attribute: string;
}

const holdersOf = ({ definitions }: SchemaProject): readonly Holder[] => [...definitions.types, ...definitions.components];

const placesWhere = (project: SchemaProject, test: (options: Readonly<Record<string, unknown>>, holder: Holder) => boolean): readonly AttributePlace[] =>
  holdersOf(project).flatMap((holder) =>
    holder.attributes.filter(({ options }) => test(options, holder)).map(({ name }) => ({ holder, attribute: name })));

const dropAttribute = async (project: SchemaProject, holder: Holder, name: string): Promise<void> => {
  if ((await attributeNow(project, holder, name)) === null) return;
  await project.workspace.write(fileOf(holder), removeAttribute(await readSchema(project, holder), name));
};

/** The attributes that stand for the other side of this one. */
const otherSides = (project: SchemaProject, holder: Holder, name: string): readonly AttributePlace[] =>
  placesWhere(project, (options) => options['target'] === holder.uid && [options['inversedBy'], options['mappedBy'], options['morphBy']].includes(name));

/** Removes an attribute, and its other side where it is a two-sided relation; answers the other sides that went with it. */
export async function removeAttributeFrom(project: SchemaProject, holder: Holder, name: string): Promise<readonly AttributePlace[]> {
  if ((await attributeNow(project, holder, name)) === null) throw fail('scaffold/builtin', { name: `${holder.uid} ${name}` });
  const others = otherSides(project, holder, name);
  await dropAttribute(project, holder, name);
  for (const { holder: other, attribute } of others) await dropAttribute(project, other, attribute);
  return others;
}

/** Removes a content-type's file and every relation to it elsewhere; answers those relations. @throws `scaffold/builtin` */
export async function removeType(project: SchemaProject, type: ContentTypeDefinition): Promise<readonly AttributePlace[]> {
  assertOwn(type);
  const relations = placesWhere(project, (options, holder) => options['target'] === type.uid && holder.uid !== type.uid);
  for (const { holder, attribute } of relations) await dropAttribute(project, holder, attribute);
  await project.workspace.write(fileOf(type), null);
  return relations;
}

/** Where a component is used: as an attribute, or allowed in a dynamic zone. */
export function usesOf(project: SchemaProject, component: ComponentDefinition): readonly AttributePlace[] {
  return placesWhere(project, (options) => options['component'] === component.uid || [options['components']].flat().includes(component.uid));
}

/** Removes a component nobody uses. @throws `scaffold/in-use`, which names where it is used */
export async function removeComponent(project: SchemaProject, component: ComponentDefinition): Promise<void> {
  const places = usesOf(project, component).map(({ holder, attribute }) => `${holder.uid} ${attribute}`);
  if (places.length > 0) throw fail('scaffold/in-use', { component: component.uid, places: places.join(', '), first: places[0] });
  await project.workspace.write(component.file, null);
}

/** The folder of an api that keeps other files (controllers, routes) after its content-type is gone, relative to the project. */
export function apiFolderOf(type: ContentTypeDefinition): string {
  return dirname(dirname(dirname(fileOf(type))));
}
