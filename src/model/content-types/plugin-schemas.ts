import { isRecord } from '../../lib/is-record.js';
import type { Uid } from '../../lib/uid.js';
import type {
  ComponentDefinition,
  ContentTypeDefinition,
  PluginCode,
  SchemaChange,
  SchemaProblem,
} from './definition.js';
import type { FileProblems } from './file-problems.js';
import { TYPE_KEYS } from './parse-type.js';
import type { JsonObject } from './top-level-keys.js';

/** True if a plugin of the project defines a type. */
export function isOfPlugin(uid: Uid, { schemas }: PluginCode): boolean {
  return schemas.some((schema) => schema.uid === uid);
}

const objectAt = (schema: JsonObject, key: string): JsonObject => {
  const value = schema[key];
  return isRecord(value) ? value : {};
};

/** Problems about superfluous parts of a schema, which have no effect. */
const NOISE: ReadonlySet<string> = new Set(['unknown-key', 'unknown-option', 'duplicate-key']);

/** True if a problem concerns the project. Superfluous parts in schemas of packages do not. */
export function isForProject({ file, severity, code }: SchemaProblem): boolean {
  return file.startsWith('src/') || severity === 'error' || !NOISE.has(code);
}

/**
 * Returns the schema of a plugin's type with the keys of the project's own schema file in place of its own,
 * as Strapi has it. Keys that Strapi adds to schemas are left out.
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
  const { singularName } = objectAt(schema, 'info');
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
  const attributes = { ...objectAt(schema, 'attributes'), ...change.attributes };
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
  const attributes = Object.entries(objectAt(changed, 'attributes')).map(([name, attribute]) => {
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

/** Says of attributes that code adds, and of their problems, in which file and line they are. */
export function locateChanges<T extends Located>(result: T, { changes }: PluginCode): T {
  return changes.filter(({ uid }) => uid === result.uid).reduce(locateChange, result);
}
