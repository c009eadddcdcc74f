import { isRecord } from '../lib/is-record.js';
import type { Uid } from '../lib/uid.js';
import type { ContentTypeDefinition, PluginCode, SchemaChange, SchemaProblem } from './definition.js';
import type { FileProblems } from './file-problems.js';
import { TYPE_KEYS } from './parse-type.js';
import type { JsonObject } from './top-level-keys.js';

/** Whether a plugin of the project defines a type. */
export function isOfPlugin(uid: Uid, { schemas }: PluginCode): boolean {
  return schemas.some((schema) => schema.uid === uid);
}

const objectAt = (schema: JsonObject, key: string): JsonObject => {
  const value = schema[key];
  return isRecord(value) ? value : {};
};

/** What is too much in a schema, which means nothing. */
const NOISE: ReadonlySet<string> = new Set(['unknown-key', 'unknown-option', 'duplicate-key']);

/** Whether a problem is for the project to know: what packages write too much into their schemas is not. */
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

/** Returns a schema as code of the project changes it. */
export function changeSchema(schema: JsonObject, change: SchemaChange | undefined): JsonObject {
  if (change === undefined) return schema;
  const attributes = { ...objectAt(schema, 'attributes'), ...change.attributes };
  const kept = Object.entries(attributes).filter(([, attribute]) => attribute !== null);
  return { ...schema, ...change.settings, attributes: Object.fromEntries(kept) };
}

interface Located {
  readonly uid: Uid;
  readonly type?: ContentTypeDefinition;
  readonly problems: readonly SchemaProblem[];
}

/** Says of attributes that code adds, and of their problems, in which file and line they are. */
export function locateChanges<T extends Located>(result: T, { changes }: PluginCode): T {
  const change = changes.find(({ uid }) => uid === result.uid);
  if (change === undefined) return result;
  const { file, lines } = change;
  const isChanged = (attribute: string | null): attribute is string =>
    attribute !== null && Object.hasOwn(change.attributes, attribute);
  const problems = result.problems.map((problem) =>
    isChanged(problem.attribute) ? { ...problem, file, line: lines[problem.attribute] ?? 1 } : problem,
  );
  const { type } = result;
  if (type === undefined) return { ...result, problems };
  const attributes = type.attributes.map((attribute) =>
    isChanged(attribute.name)
      ? { ...attribute, file, line: lines[attribute.name] ?? 1, optionLines: {} }
      : attribute,
  );
  return { ...result, problems, type: { ...type, attributes } };
}
