import { isRecord, recordAt } from '../../lib/records.js';
import type { Uid } from '../../lib/ids.js';
import type {
  ComponentDefinition,
  ContentTypeDefinition,
  PluginCode,
  SchemaChange,
  SchemaProblem,
} from './definition.js';
import type { FileProblems, JsonObject } from './schema-file.js';
import { TYPE_KEYS } from './parse-schema.js';

const asRecord = (value: unknown): JsonObject => (isRecord(value) ? value : {});

const FIXED_OPTIONS = ['private', 'required', 'unique'];

/**
 * Extends an attribute of a built-in type with the options of a project. Its type, its links, and private,
 * required and unique cannot be changed.
 */
const extendAttribute = (
  name: string,
  builtinAttribute: JsonObject,
  extension: unknown,
  problems: FileProblems,
): JsonObject => {
  if (!isRecord(extension)) return builtinAttribute;
  const path = ['attributes', name, 'type'];
  if (extension['type'] !== builtinAttribute['type']) {
    problems.add({
      code: 'fixed-attribute',
      path,
      attribute: name,
      message: `"${name}" must keep the type ${String(builtinAttribute['type'])}, which the server relies on`,
      allowed: [String(builtinAttribute['type'])],
    });
    return builtinAttribute;
  }
  if (builtinAttribute['type'] === 'relation') return builtinAttribute;
  const fixedOptions = Object.entries(builtinAttribute).filter(
    ([option, value]) => FIXED_OPTIONS.includes(option) && value === true,
  );
  return { ...builtinAttribute, ...extension, ...Object.fromEntries(fixedOptions) };
};

/**
 * Merges the extension of a project into the schema of a built-in type. Options of the extension win, its
 * attributes are added.
 */
export function extendBuiltin(
  builtin: JsonObject,
  extension: JsonObject,
  problems: FileProblems,
): JsonObject {
  const builtinAttributes = asRecord(builtin['attributes']);
  const extensionAttributes = asRecord(extension['attributes']);
  const extendedAttributes = Object.entries(builtinAttributes).map(
    ([name, attribute]) =>
      [name, extendAttribute(name, asRecord(attribute), extensionAttributes[name], problems)] as const,
  );
  const addedAttributes = Object.entries(extensionAttributes).filter(
    ([name]) => !Object.hasOwn(builtinAttributes, name),
  );
  return {
    ...builtin,
    info: {
      ...asRecord(builtin['info']),
      displayName: asRecord(extension['info'])['displayName'] ?? asRecord(builtin['info'])['displayName'],
    },
    options: { ...asRecord(extension['options']), ...asRecord(builtin['options']) },
    pluginOptions: extension['pluginOptions'] ?? {},
    attributes: Object.fromEntries([...extendedAttributes, ...addedAttributes]),
  };
}

/** True if a plugin of the project defines a type. */
export function isOfPlugin(uid: Uid, { schemas }: PluginCode): boolean {
  return schemas.some((schema) => schema.uid === uid);
}

/** Problems about superfluous parts of a schema, which have no effect. */
const NOISE: ReadonlySet<string> = new Set(['unknown-key', 'unknown-option', 'duplicate-key']);

/** True if a problem concerns the project. Superfluous parts in schemas of packages do not. */
export function isForProject({ file, severity, code }: SchemaProblem): boolean {
  return file.startsWith('src/') || severity === 'error' || !NOISE.has(code);
}

/**
 * Returns the schema of a plugin's type, with keys replaced by those of the project's schema file, as in
 * Strapi. Keys that Strapi adds to schemas are left out.
 */
export function schemaOfPlugin(
  uid: Uid,
  settings: JsonObject,
  { schemas }: PluginCode,
  problems: FileProblems,
): JsonObject {
  const found = schemas.find((each) => each.uid === uid);
  const [plugin = '', key = ''] = uid.replace('plugin::', '').split('.');
  const schema = { ...found?.schema, ...settings };
  const { singularName } = recordAt(schema, 'info');
  if (singularName !== key)
    problems.add({
      code: 'name-mismatch',
      path: ['info', 'singularName'],
      message:
        `the plugin calls the content-type "${key}", so its singularName must be "${key}", ` +
        `not "${String(singularName)}"`,
    });
  const known = Object.entries(schema).filter(([name]) => TYPE_KEYS.includes(name));
  const collectionName = `${plugin}_${key}`.toLowerCase();
  return { collectionName, ...Object.fromEntries(known) };
}

const applyChange = (schema: JsonObject, change: SchemaChange): JsonObject => {
  const attributes = { ...recordAt(schema, 'attributes'), ...change.attributes };
  const kept = Object.entries(attributes).filter(([, attribute]) => attribute !== null);
  return { ...schema, ...change.settings, attributes: Object.fromEntries(kept) };
};

/** Returns a schema as code of the project changes it, with the base types of registered custom fields. */
export function changeSchema(
  uid: Uid,
  schema: JsonObject,
  { changes, customFields }: PluginCode,
): JsonObject {
  const changed = changes.filter((change) => change.uid === uid).reduce(applyChange, schema);
  if (Object.keys(customFields).length === 0) return changed;
  const attributes = Object.entries(recordAt(changed, 'attributes')).map(([name, attribute]) => {
    const field =
      isRecord(attribute) && attribute['type'] === 'customField' ? attribute['customField'] : null;
    const type = typeof field === 'string' && Object.hasOwn(customFields, field) ? customFields[field] : null;
    return [name, isRecord(attribute) && type !== null ? { ...attribute, type } : attribute] as const;
  });
  return { ...changed, attributes: Object.fromEntries(attributes) };
}

interface Located {
  readonly uid: Uid;
  readonly type?: ContentTypeDefinition;
  readonly component?: ComponentDefinition;
  readonly problems: readonly SchemaProblem[];
}

const locateChange = <T extends Located>(result: T, { attributes, file, lines }: SchemaChange): T => {
  const isChanged = (attribute: string | null): attribute is string =>
    attribute !== null && Object.hasOwn(attributes, attribute);
  const locate = <S extends ContentTypeDefinition | ComponentDefinition>(schema: S): S => ({
    ...schema,
    attributes: schema.attributes.map((attribute) =>
      isChanged(attribute.name)
        ? { ...attribute, file, line: lines[attribute.name] ?? 1, optionLines: {} }
        : attribute,
    ),
  });
  return {
    ...result,
    problems: result.problems.map((problem) =>
      isChanged(problem.attribute) ? { ...problem, file, line: lines[problem.attribute] ?? 1 } : problem,
    ),
    ...(result.type === undefined ? {} : { type: locate(result.type) }),
    ...(result.component === undefined ? {} : { component: locate(result.component) }),
  };
};

/** Sets the file and line of attributes that code adds, and of their problems. */
export function locateChanges<T extends Located>(result: T, { changes }: PluginCode): T {
  return changes.filter(({ uid }) => uid === result.uid).reduce(locateChange, result);
}
