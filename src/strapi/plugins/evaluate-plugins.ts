import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createModuleLoader } from '../../config/module-loader.js';
import { providePackages } from '../../config/provide-packages.js';
import { processEnv } from '../../config/strapi/load-strapi-config.js';
import { byCodePoint, relativePath } from '../../lib/text.js';
import { isRecord, propertyOf } from '../../lib/records.js';
import { parseLocatedJson } from '../../lib/json.js';
import { lastSegment, withoutLastSegment } from '../../lib/ids.js';
import { BUILTIN_SCHEMAS } from '../../model/content-types/builtin-types.js';
import type {
  ControllerActions,
  PluginCode,
  PluginSchema,
  SchemaChange,
} from '../../model/content-types/definition.js';
import { loadDefinitions } from '../../model/content-types/load-definitions.js';
import { loadProjectModule } from '../code/project-code.js';
import type { CodeFile } from '../code/project-code.js';
import { findRegisters, runRegisters } from '../code/run-registers.js';
import type { Register } from '../code/run-registers.js';
import { mayChangeSchemas } from '../code/source-files.js';
import type { RegisterSource } from '../code/source-files.js';
import { strapiPackages } from '../package/packages.js';
import { createBuiltinPlugins } from './builtin-plugins.js';
import type { FoundPlugin } from './find-plugins.js';
import { applyExtension, loadPlugin } from './load-plugins.js';
import { copyTypes, findSchemaChange } from './plugin-definition.js';
import type { PluginDefinition } from './plugin-definition.js';
import { createHostStub, createStrapiStub, knownProperties, withGlobalStrapi } from './stubs.js';

const routerOf = (value: unknown): unknown =>
  typeof value === 'function' && !('routes' in value)
    ? (Reflect.apply(value, undefined, [{}]) as unknown)
    : value;

const handlersOf = (value: unknown): readonly string[] => {
  const router = routerOf(value);
  if ((typeof router !== 'object' && typeof router !== 'function') || router === null) return [];
  if (Reflect.get(router, 'type') !== 'content-api') return [];
  const routes: unknown = Reflect.get(router, 'routes');
  return (Array.isArray(routes) ? (routes as readonly unknown[]) : []).flatMap((route) =>
    isRecord(route) && typeof route['handler'] === 'string' ? [route['handler'].trim()] : [],
  );
};

/**
 * Returns the named handlers of the routes that a plugin has for clients. Routers that need the open
 * application to create their routes count as empty.
 */
function contentHandlers(routes: unknown): readonly string[] {
  if (!isRecord(routes)) return [];
  return Object.values(routes).flatMap((router) => {
    try {
      return handlersOf(router);
    } catch {
      return [];
    }
  });
}

/** Groups the handlers of a plugin by controller. Roles and tokens can be granted them as permissions. */
function toControllerActions(plugin: string, handlers: readonly string[]): readonly ControllerActions[] {
  const names = new Set(
    handlers.map((handler) => (handler.includes('::') ? handler : `plugin::${plugin}.${handler}`)),
  );
  const uids = new Set([...names].map(withoutLastSegment));
  return [...uids].toSorted(byCodePoint).map((uid) => ({
    uid,
    actions: [...names]
      .filter((name) => withoutLastSegment(name) === uid)
      .map(lastSegment)
      .toSorted(byCodePoint),
  }));
}

const SCHEMA_FOLDERS = [
  'server/src/content-types',
  'server/content-types',
  'content-types',
  'src/model/content-types',
];

/** A schema file of a plugin. */
interface SchemaFile {
  /** The absolute path. */
  readonly file: string;
  readonly text: string;
}

/** Finds the schema file of a plugin, so that errors in it are reported with their lines. */
function findSchemaFile(
  folder: string,
  key: string,
  { attributes }: Readonly<Record<string, unknown>>,
): SchemaFile | null {
  for (const subfolder of SCHEMA_FOLDERS) {
    const file = join(folder, subfolder, key, 'schema.json');
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    const { value } = parseLocatedJson(text);
    if (isRecord(value) && JSON.stringify(value['attributes']) === JSON.stringify(attributes))
      return { file, text };
  }
  return null;
}

export interface EvaluationOptions {
  readonly root: string;
  /** The values of the files in config/. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly plugins: readonly FoundPlugin[];
  readonly extensions: readonly CodeFile[];
  /** Modules of the project that define schemas. */
  readonly schemas: readonly CodeFile[];
  /** Modules of the project whose `register` may change schemas. */
  readonly registers: readonly RegisterSource[];
}

type Loader = ReturnType<typeof createModuleLoader>;

type Schema = Readonly<Record<string, unknown>>;

const schemasOf = ({ contentTypes }: PluginDefinition): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(contentTypes).flatMap(([key, type]) => {
      const schema = propertyOf(type, 'schema');
      return isRecord(schema) ? [[key, schema] as const] : [];
    }),
  );

const locate = (
  root: string,
  { name, folder, file }: FoundPlugin,
  schemas: Readonly<Record<string, Schema>>,
) =>
  Object.entries(schemas).map(([key, schema]): PluginSchema => {
    const found = findSchemaFile(folder, key, schema);
    return {
      uid: `plugin::${name}.${key}`,
      schema,
      file: relativePath(root, found?.file ?? file),
      text: found?.text ?? null,
    };
  });

/** Applies the project's schema files to the schemas before extensions get them, as in Strapi. */
const applySchemaFiles = (root: string, name: string, definition: PluginDefinition): void => {
  for (const [key, schema] of Object.entries(schemasOf(definition))) {
    const file = join(root, 'src', 'extensions', name, 'content-types', key, 'schema.json');
    if (!existsSync(file)) continue;
    const { value } = parseLocatedJson(readFileSync(file, 'utf8'));
    if (!isRecord(value)) continue;
    const isBuiltin = Object.hasOwn(BUILTIN_SCHEMAS, `plugin::${name}.${key}`);
    const existing: unknown = schema['attributes'];
    const added: unknown = value['attributes'];
    const attributes =
      isBuiltin && isRecord(existing) && isRecord(added) ? { ...existing, ...added } : (added ?? existing);
    Object.assign(schema, value, { attributes });
  }
};

/** The changes of one extension to its plugin. */
interface Extended {
  readonly schemas: readonly PluginSchema[];
  readonly changes: readonly SchemaChange[];
  readonly handlers: readonly string[];
}

const evaluateExtension = async (
  { root }: EvaluationOptions,
  { name, file }: CodeFile,
  definition: PluginDefinition,
  exported: unknown,
): Promise<Extended> => {
  applySchemaFiles(root, name, definition);
  const before = schemasOf({ ...definition, contentTypes: copyTypes(definition.contentTypes) });
  const handlersBefore = new Set(contentHandlers(definition.routes));
  const changed = await applyExtension({ name, root, file }, definition, exported);
  const after = schemasOf({ ...changed, contentTypes: copyTypes(changed.contentTypes) });
  const module = { file: relativePath(root, file), text: readFileSync(file, 'utf8') };
  const isNew = (key: string): boolean => before[key] === undefined;
  return {
    schemas: Object.entries(after).flatMap(([key, schema]) =>
      isNew(key) ? [{ uid: `plugin::${name}.${key}`, schema, file: module.file, text: null }] : [],
    ),
    changes: Object.entries(after).flatMap(([key, schema]) => {
      const uid = `plugin::${name}.${key}`;
      const states = { before: before[key] ?? {}, after: schema };
      return isNew(key) ? [] : (findSchemaChange(uid, states, module) ?? []);
    }),
    handlers: contentHandlers(changed.routes).filter((handler) => !handlersBefore.has(handler)),
  };
};

const evaluateSchemas = ({ root, schemas }: EvaluationOptions, loader: Loader) =>
  Promise.all(
    schemas.map(async ({ name, file }): Promise<PluginSchema> => {
      const exported = await loadProjectModule({ root, loader }, file);
      const schema = isRecord(exported) ? copyTypes(exported) : {};
      return { uid: name, schema, file: relativePath(root, file), text: null };
    }),
  );

/** Adds the changes that code makes in `register`. */
const withRegistered = async (
  code: PluginCode,
  registers: readonly Register[],
  { root, values }: EvaluationOptions,
): Promise<PluginCode> => {
  if (registers.length === 0) return code;
  const registered = await runRegisters(registers, {
    root,
    definitions: await loadDefinitions(root, code),
    known: knownProperties(root, values),
    prefix: '',
  });
  return {
    ...code,
    schemas: [...code.schemas, ...registered.schemas],
    changes: [...code.changes, ...registered.changes],
    customFields: registered.customFields,
  };
};

/**
 * Evaluates the server code that affects content-types and routes: plugins, their extensions, modules with
 * schemas, and functions `register` that change schemas. Opens nothing.
 *
 * @throws `strapi/plugin-not-loaded`, `strapi/invalid-extension`, `project/module-load-failed`
 */
export async function evaluatePlugins(options: EvaluationOptions): Promise<PluginCode> {
  const { root, values, plugins, extensions } = options;
  providePackages(root, strapiPackages(root));
  const loader = createModuleLoader({ root, packages: strapiPackages(root) });
  const strapi = createStrapiStub(root, values);
  return withGlobalStrapi(strapi, async () => {
    const schemas: PluginSchema[] = [...(await evaluateSchemas(options, loader))];
    const changes: SchemaChange[] = [];
    const handlers = new Map<string, readonly string[]>();
    const definitions = new Map(
      createBuiltinPlugins(createHostStub(), {
        graphql: undefined,
        disabled: [],
        providers: { email: null, upload: null },
      }).definitions,
    );
    for (const plugin of plugins) {
      const tools = { strapi, env: processEnv };
      const definition = await loadPlugin(plugin, { root, tools, load: loader.load });
      definition.contentTypes = copyTypes(definition.contentTypes);
      schemas.push(
        ...locate(
          root,
          plugin,
          schemasOf({ ...definition, contentTypes: copyTypes(definition.contentTypes) }),
        ),
      );
      definitions.set(plugin.name, definition);
      handlers.set(plugin.name, contentHandlers(definition.routes));
    }
    for (const extension of extensions) {
      const definition = definitions.get(extension.name);
      if (definition === undefined) continue;
      const exported = await loadProjectModule({ root, loader }, extension.file);
      const extended = await evaluateExtension(options, extension, definition, exported);
      schemas.push(...extended.schemas);
      changes.push(...extended.changes);
      handlers.set(extension.name, [...(handlers.get(extension.name) ?? []), ...extended.handlers]);
    }
    const actions = [...handlers].flatMap(([name, found]) => toControllerActions(name, found));
    const registers = await findRegisters(options.registers, {
      plugins,
      definitions,
      load: (file) => loadProjectModule({ root, loader }, file),
      isIncluded: mayChangeSchemas,
    });
    return withRegistered({ schemas, changes, actions, customFields: {} }, registers, options);
  });
}
