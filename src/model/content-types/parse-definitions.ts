import { isRecord } from '../../lib/records.js';
import { parseLocatedJson } from '../../lib/json.js';
import type { LocatedJson } from '../../lib/json.js';
import { registeredName } from '../../lib/names.js';
import type { Uid } from '../../lib/ids.js';
import {
  changeSchema,
  extendBuiltin,
  isForProject,
  isOfPlugin,
  locateChanges,
  schemaOfPlugin,
} from './extensions.js';
import { BUILTIN_SCHEMAS } from './builtin-types.js';
import { NO_PLUGIN_CODE } from './definition.js';
import type {
  ComponentDefinition,
  ContentTypeDefinition,
  Definitions,
  PluginCode,
  PluginSchema,
  SchemaProblem,
} from './definition.js';
import { createFileProblems } from './schema-file.js';
import type { FileProblems, JsonObject } from './schema-file.js';
import { componentUidOf, parseComponent, parseType } from './parse-schema.js';

/** A schema file. The path is relative to the project and has forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface FileResult {
  readonly uid: Uid;
  readonly type?: ContentTypeDefinition;
  readonly component?: ComponentDefinition;
  readonly isReadable: boolean;
  readonly problems: readonly SchemaProblem[];
}

const TYPE_PATH = /^src\/api\/([^/]+)\/content-types\/([^/]+)\/schema\.json$/;
const COMPONENT_PATH = /^src\/components\/([^/]+)\/([^/]+)\.json$/;
const COMPONENT_MODULE = /^src\/components\/([^/]+)\/([^/]+)\.[cm]?[jt]s$/;
const EXTENSION_PATH = /^src\/extensions\/([^/]+)\/content-types\/([^/]+)\/schema\.json$/;

type LineOf = LocatedJson['lineOf'];

const lineOne = (): number => 1;

/** Returns the object in the file, or null after reporting a problem. */
const readSettings = (json: LocatedJson, problems: FileProblems): JsonObject | null => {
  if (json.error !== null) {
    const { line, column, message } = json.error;
    problems.add({
      code: 'broken-json',
      message: `not valid JSON at line ${line}, column ${column}: ${message}`,
      path: [],
    });
    return null;
  }
  for (const { path, key } of json.duplicates) {
    const isAttribute = path.length === 1 && path[0] === 'attributes';
    const attribute = isAttribute
      ? key
      : path[0] === 'attributes' && typeof path[1] === 'string'
        ? path[1]
        : undefined;
    const location = path.length === 0 ? 'the file' : `"${path.join('.')}"`;
    problems.add({
      severity: 'warning',
      code: 'duplicate-key',
      message: `${location} has the key "${key}" twice; only the last one takes effect`,
      path: [...path, key],
      ...(attribute === undefined ? {} : { attribute }),
    });
  }
  if (isRecord(json.value)) return json.value;
  problems.add({ code: 'invalid-value', message: 'a schema file must contain an object' });
  return null;
};

const parseFile = (
  source: SourceFile,
  uid: Uid,
  parseSettings: (settings: JsonObject, json: LocatedJson, problems: FileProblems) => Partial<FileResult>,
): FileResult => {
  const json = parseLocatedJson(source.text);
  const lineOf = json.error === null ? json.lineOf : (): number => json.error?.line ?? 1;
  const problems = createFileProblems(source.path, lineOf);
  const settings = readSettings(json, problems);
  const result = settings === null ? {} : parseSettings(settings, json, problems);
  return {
    uid,
    ...result,
    isReadable: result.type !== undefined || result.component !== undefined,
    problems: problems.all(),
  };
};

/** Folders become kebab case, as in Strapi. */
const uidOf = (api: string, folder: string): Uid => `api::${registeredName(api)}.${registeredName(folder)}`;

const parseTypeFile = (source: SourceFile, api: string, folder: string, plugins: PluginCode): FileResult => {
  const uid = uidOf(api, folder);
  const result = parseFile(source, uid, (settings, { lineOf }, problems) => {
    const location = { uid, origin: 'project', file: source.path, lineOf } as const;
    const type = parseType(changeSchema(uid, settings, plugins), location, problems);
    return type === null ? {} : { type };
  });
  return locateChanges(result, plugins);
};

const parseComponentFile = (
  source: SourceFile,
  category: string,
  name: string,
  plugins: PluginCode,
): FileResult => {
  const uid = componentUidOf(category, name);
  const result = parseFile(source, uid, (settings, { lineOf }, problems) => {
    const location = { category, name, file: source.path, lineOf };
    return { component: parseComponent(changeSchema(uid, settings, plugins), location, problems) };
  });
  return locateChanges(result, plugins);
};

const ignoredFile = (source: SourceFile, message: string): FileResult => {
  const problems = createFileProblems(source.path, lineOne);
  problems.add({ severity: 'warning', code: 'ignored-file', message, allowed: Object.keys(BUILTIN_SCHEMAS) });
  return { uid: '', isReadable: true, problems: problems.all() };
};

/** Parses the type of a plugin as a project extends it. `settings` is the project's schema file, or empty. */
const parsePluginType = (
  uid: Uid,
  {
    settings,
    file,
    lineOf,
  }: { readonly settings: JsonObject; readonly file: string | null; readonly lineOf: LineOf },
  plugins: PluginCode,
  problems: FileProblems,
): Partial<FileResult> => {
  const builtin = Object.hasOwn(BUILTIN_SCHEMAS, uid) ? BUILTIN_SCHEMAS[uid] : undefined;
  const schema =
    builtin === undefined
      ? changeSchema(uid, schemaOfPlugin(uid, settings, plugins, problems), plugins)
      : extendBuiltin(builtin, changeSchema(uid, settings, plugins), problems);
  const origin = builtin === undefined ? 'plugin' : 'builtin';
  const type = parseType(schema, { uid, origin, file, lineOf }, problems);
  return type === null ? {} : { type };
};

const parseExtensionFile = (source: SourceFile, uid: Uid, plugins: PluginCode): FileResult => {
  if (!Object.hasOwn(BUILTIN_SCHEMAS, uid) && !isOfPlugin(uid, plugins))
    return ignoredFile(source, `there is no type ${uid} of a plugin to extend; the file is ignored`);
  const result = parseFile(source, uid, (settings, { lineOf }, problems) =>
    parsePluginType(uid, { settings, file: source.path, lineOf }, plugins, problems),
  );
  return locateChanges(result, plugins);
};

const parseSource = (source: SourceFile, plugins: PluginCode): FileResult => {
  const [, api, folder] = TYPE_PATH.exec(source.path) ?? [];
  if (api !== undefined && folder !== undefined) return parseTypeFile(source, api, folder, plugins);
  const [, category, name] = COMPONENT_PATH.exec(source.path) ?? [];
  if (category !== undefined && name !== undefined)
    return parseComponentFile(source, category, name, plugins);
  const [, plugin, extended] = EXTENSION_PATH.exec(source.path) ?? [];
  if (plugin !== undefined && extended !== undefined)
    return parseExtensionFile(source, `plugin::${plugin}.${extended}`, plugins);
  return ignoredFile(source, 'schema files in this folder are ignored');
};

/** Parses a schema that a module of the project defines: `schema.js`, or a component in code. */
const parseModule = (
  { uid, schema, file }: PluginSchema,
  plugins: PluginCode,
  problems: FileProblems,
): Partial<FileResult> => {
  const changed = changeSchema(uid, schema, plugins);
  const [, category, name] = COMPONENT_MODULE.exec(file) ?? [];
  if (category !== undefined && name !== undefined)
    return { component: parseComponent(changed, { category, name, file, lineOf: lineOne }, problems) };
  const type = parseType(changed, { uid, origin: 'project', file, lineOf: lineOne }, problems);
  return type === null ? {} : { type };
};

/** Parses a schema that code defines, and that no schema file of the project extends. */
const parseUnextended = (uid: Uid, plugins: PluginCode): FileResult => {
  const found = plugins.schemas.find((each) => each.uid === uid);
  const text = found?.text ?? null;
  const json = text === null ? null : parseLocatedJson(text);
  const lineOf = json === null || json.error !== null ? lineOne : json.lineOf;
  const file = found?.file ?? null;
  const problems = createFileProblems(file ?? '', lineOf);
  const result =
    found === undefined || uid.startsWith('plugin::')
      ? parsePluginType(uid, { settings: {}, file, lineOf }, plugins, problems)
      : parseModule(found, plugins, problems);
  const isReadable = result.type !== undefined || result.component !== undefined;
  return locateChanges(
    { uid, ...result, isReadable, problems: problems.all().filter(isForProject) },
    plugins,
  );
};

/**
 * Parses all schema files of a project, and adds the built-in types and those of plugins. Never throws: see
 * `problems`.
 */
export function parseDefinitions(
  sources: readonly SourceFile[],
  plugins: PluginCode = NO_PLUGIN_CODE,
): Definitions {
  const ofFiles = sources.map((source) => parseSource(source, plugins));
  const uids: readonly Uid[] = [...Object.keys(BUILTIN_SCHEMAS), ...plugins.schemas.map(({ uid }) => uid)];
  const others = uids
    .filter((uid) => !ofFiles.some((result) => result.uid === uid))
    .map((uid) => parseUnextended(uid, plugins));
  const results = [...ofFiles, ...others];
  return {
    types: results.flatMap(({ type }) => type ?? []),
    components: results.flatMap(({ component }) => component ?? []),
    problems: results.flatMap(({ problems }) => problems),
    unreadable: results.filter(({ isReadable }) => !isReadable).map(({ uid }) => uid),
    plugins,
  };
}
