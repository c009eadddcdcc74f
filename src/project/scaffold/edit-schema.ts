import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { ContentTypeDefinition } from '../../model/content-types/definition.js';
import { inverseSideOf, normalizeInverseKeys, resolveReferences } from './add-attributes.js';
import { attributeOptions } from './attribute-options.js';
import { completeAttribute, parseAttributeOption, parseAttributeType } from './attribute-shorthand.js';
import type { AttributeJson, AttributeOption, NamedAttribute } from './attribute-shorthand.js';
import { dropAttribute, findInverseSides } from './remove-schema.js';
import {
  assertNotBuiltin,
  readAttribute,
  readSchema,
  schemaFileOf,
  setAttribute,
  setSchemaOption,
} from './schema-project.js';
import type { SchemaDefinition, SchemaProject } from './schema-project.js';
import { assertTypeNamesAvailable, deriveTypeNames } from './type-names.js';

/** The changes to an attribute. */
export interface AttributeEdit {
  readonly type?: string | undefined;
  readonly options: readonly AttributeOption[];
  /** Options to remove. */
  readonly unset: readonly string[];
}

/** Options that are omitted if they are false, their default. */
const FLAGS: ReadonlySet<string> = new Set(['required', 'unique', 'index', 'search', 'private']);

/** Keys that are not options of the shorthand. They are kept when the type changes. */
const KEPT_KEYS: ReadonlySet<string> = new Set(['pluginOptions']);

/** Returns the options that the new type also has. Drops the default, a value of the old type. */
const applicableOptions = (json: AttributeJson, type: string): AttributeJson => {
  if (json['type'] === type) return json;
  const known = attributeOptions(type) ?? {};
  return Object.fromEntries(
    Object.entries(json).filter(
      ([key]) => KEPT_KEYS.has(key) || (Object.hasOwn(known, key) && key !== 'default'),
    ),
  );
};

const withLocalized = (json: Record<string, unknown>): AttributeJson => {
  const { localized, ...rest } = json;
  if (localized === undefined) return json;
  const pluginOptions = isRecord(rest['pluginOptions']) ? rest['pluginOptions'] : {};
  return { ...rest, pluginOptions: { ...pluginOptions, i18n: { localized } } };
};

/**
 * Returns the attribute after the edit. If the type changes, options that the new type lacks are dropped.
 *
 * @throws `scaffold/invalid-attribute` with the nearest type or option
 */
function editAttributeJson(name: string, json: AttributeJson, edit: AttributeEdit): AttributeJson {
  const type = edit.type ?? String(json['type']);
  const shorthand = `${name}:${type}`;
  parseAttributeType(shorthand, type);
  const edited: Record<string, unknown> = { ...applicableOptions(json, type), type };
  for (const key of edit.unset) {
    if (key !== 'type' && Object.hasOwn(edited, key)) delete edited[key];
    else
      throw createError('scaffold/invalid-attribute', {
        shorthand,
        reason: `it has no ${key}`,
        remedy: `It has ${Object.keys(edited).join(', ')}.`,
      });
  }
  for (const option of edit.options) edited[option.key] = parseAttributeOption(shorthand, type, option);
  for (const { key } of edit.options) if (edited[key] === false && FLAGS.has(key)) delete edited[key];
  return completeAttribute(shorthand, withLocalized(edited));
}

/** Keys that the other side determines. */
const RELATION_KEYS: ReadonlySet<string> = new Set([
  'type',
  'relation',
  'target',
  'inversedBy',
  'mappedBy',
  'morphBy',
]);

/** Updates the inverse side of an edited relation, or removes it if the relation has none any longer. */
const updateInverseSide = async (
  project: SchemaProject,
  schema: SchemaDefinition,
  attribute: NamedAttribute,
): Promise<void> => {
  const inverse = inverseSideOf(schema.uid, attribute);
  if (inverse !== null && !('kind' in schema))
    throw createError('scaffold/inverse-in-component', { attribute: attribute.name, component: schema.uid });
  const target = project.definitions.types.find(({ uid }) => uid === attribute.json['target']);
  for (const side of findInverseSides(project, schema, attribute.name))
    if (side.schema !== target || side.attribute !== inverse?.name)
      await dropAttribute(project, side.schema, side.attribute);
  if (inverse === null || target === undefined) return;
  const existing = await readAttribute(project, target, inverse.name);
  if (existing !== null && existing['target'] !== schema.uid)
    throw createError('scaffold/attribute-taken', {
      schema: target.uid,
      attribute: inverse.name,
      file: schemaFileOf(target),
      line: target.attributes.find(({ name }) => name === inverse.name)?.line ?? 1,
      remedy: 'Choose another name for the inverse side.',
    });
  const kept = Object.entries(existing ?? {}).filter(([key]) => !RELATION_KEYS.has(key));
  await project.workspace.write(
    schemaFileOf(target),
    setAttribute(await readSchema(project, target), {
      name: inverse.name,
      json: { ...inverse.json, ...Object.fromEntries(kept) },
    }),
  );
};

/** An attribute before and after it was changed. */
export interface ChangedAttribute {
  readonly before: AttributeJson;
  readonly after: AttributeJson;
}

/**
 * Changes an attribute in its file, and the inverse side of a relation. Returns the attribute before and
 * after.
 *
 * @throws `scaffold/builtin-not-editable` for an attribute that is not in the project's files,
 *   `cli/unknown-name` for targets and components that do not exist
 */
export async function replaceAttribute(
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
  change: (before: AttributeJson) => AttributeJson,
): Promise<ChangedAttribute> {
  const before = await readAttribute(project, schema, name);
  if (before === null) throw createError('scaffold/builtin-not-editable', { name: `${schema.uid} ${name}` });
  const after = normalizeInverseKeys(resolveReferences(project, project.definitions.types, change(before)));
  await project.workspace.write(
    schemaFileOf(schema),
    setAttribute(await readSchema(project, schema), { name, json: after }),
  );
  if (before['type'] === 'relation' || after['type'] === 'relation')
    await updateInverseSide(project, schema, { name, json: after });
  return { before, after };
}

/**
 * Changes the type or options of an attribute in its file, and the inverse side of a relation. Returns the
 * attribute before and after.
 *
 * @throws `scaffold/invalid-attribute`, and what {@link replaceAttribute} throws
 */
export function editAttribute(
  project: SchemaProject,
  schema: SchemaDefinition,
  name: string,
  edit: AttributeEdit,
): Promise<ChangedAttribute> {
  return replaceAttribute(project, schema, name, (before) => editAttributeJson(name, before, edit));
}

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
