import { fail } from '../errors/catalogue.js';
import type { ContentTypeDefinition } from '../content-types/definition.js';
import type { AttributeJson, NamedAttribute } from './attribute-shorthand.js';
import { isSameSide, normalizeSides, otherSide } from './relation-sides.js';
import { resolveComponent, resolveType } from './resolve-name.js';
import { attributeNow, fileOf, readSchema } from './schema-project.js';
import type { Holder, SchemaProject } from './schema-project.js';
import { setAttribute } from './schema-text.js';

const isType = (holder: Holder): holder is ContentTypeDefinition => 'kind' in holder;

/** Names as files have them: whole uids. */
const resolveNames = (project: SchemaProject, types: readonly ContentTypeDefinition[], json: AttributeJson): AttributeJson => {
  const { components } = project.definitions;
  const resolved: Record<string, unknown> = { ...json };
  if (typeof json['target'] === 'string') resolved['target'] = resolveType(types, json['target']).uid;
  if (typeof json['component'] === 'string') resolved['component'] = resolveComponent(components, json['component']).uid;
  if (Array.isArray(json['components'])) resolved['components'] = json['components'].map((name) => resolveComponent(components, String(name)).uid);
  return resolved;
};

/** Links and unique ids belong to one locale whatever their settings say, so only the rest is marked. */
const markLocalized = (holder: Holder, json: AttributeJson): AttributeJson => {
  if (!isType(holder) || !holder.localized || json['pluginOptions'] !== undefined) return json;
  return json['type'] === 'relation' ? json : { ...json, pluginOptions: { i18n: { localized: true } } };
};

const assertFree = async (project: SchemaProject, holder: Holder, name: string): Promise<void> => {
  const stands = holder.attributes.find((attribute) => attribute.name === name);
  if (stands === undefined && (await attributeNow(project, holder, name)) === null) return;
  const remedy = `Choose another name, or remove it first: cms field remove ${holder.uid} ${name}`;
  throw fail('scaffold/attribute-taken', { holder: holder.uid, attribute: name, file: fileOf(holder), line: stands?.line ?? 1, remedy });
};

const addOtherSide = async (project: SchemaProject, types: readonly ContentTypeDefinition[], holder: Holder, attribute: NamedAttribute): Promise<void> => {
  const other = otherSide(holder.uid, attribute);
  if (other === null) return;
  if (!isType(holder)) throw fail('scaffold/inverse-in-component', { attribute: attribute.name, component: holder.uid });
  const target = resolveType(types, String(attribute.json['target']));
  const existing = await attributeNow(project, target, other.name);
  if (existing !== null && isSameSide(existing, other.json)) return;
  await assertFree(project, target, other.name);
  await project.workspace.write(fileOf(target), setAttribute(await readSchema(project, target), other));
};

/**
 * Writes attributes into a content-type's or component's file, and the other side of each two-sided relation into its target's.
 * `holder` may be a type that is not among the project's definitions yet.
 *
 * @throws `scaffold/attribute-taken`, `scaffold/inverse-in-component`, `cli/unknown-name` for targets and components that do not exist
 */
export async function addAttributes(project: SchemaProject, holder: Holder, attributes: readonly NamedAttribute[]): Promise<void> {
  const known = project.definitions.types;
  const types = isType(holder) && !known.some(({ uid }) => uid === holder.uid) ? [...known, holder] : known;
  for (const { name, json } of attributes) {
    await assertFree(project, holder, name);
    const attribute = { name, json: markLocalized(holder, normalizeSides(resolveNames(project, types, json))) };
    await project.workspace.write(fileOf(holder), setAttribute(await readSchema(project, holder), attribute));
    await addOtherSide(project, types, holder, attribute);
  }
}
