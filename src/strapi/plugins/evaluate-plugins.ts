import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createModuleLoader } from '../../config/module-loader.js';
import { providePackages } from '../../config/provide-packages.js';
import { processEnv } from '../../config/strapi/create-env.js';
import { BUILTIN_SCHEMAS } from '../../model/content-types/builtin/registry.js';
import type { PluginCode, PluginSchema, SchemaChange } from '../../model/content-types/definition.js';
import { loadDefinitions } from '../../model/content-types/load-definitions.js';
import { isRecord } from '../../lib/is-record.js';
import { parseLocatedJson } from '../../lib/located-json.js';
import type { CodeFile } from '../code/find-code.js';
import { loadProjectModule } from '../code/load-project-code.js';
import { strapiPackages } from '../package/packages.js';
import { applyExtension } from './apply-extensions.js';
import { createBuiltinPlugins } from './builtin-plugins.js';
import { copyTypes } from './copy-types.js';
import { findSchemaFile } from './find-schema-file.js';
import type { FoundPlugin } from './find-plugins.js';
import { loadPlugin } from './load-plugin.js';
import { contentHandlers, toControllerActions } from './plugin-actions.js';
import type { PluginDefinition } from './plugin-definition.js';
import { mayChangeSchemas } from '../register/find-registers.js';
import type { RegisterSource } from '../register/find-registers.js';
import { findRegisters, runRegisters } from '../register/run-registers.js';
import type { Register } from '../register/run-registers.js';
import { relativePath } from '../report/source-files.js';
import { findSchemaChange } from './schema-changes.js';
import { createUnopenedHost, createUnopenedStrapi, knownProperties, withGlobalStrapi } from './unopened.js';

export interface EvaluationOptions {
  readonly root: string;
  /** The values of the files in config/. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly plugins: readonly FoundPlugin[];
  readonly extensions: readonly CodeFile[];
  /** Modules that define schemas of the project. */
  readonly schemas: readonly CodeFile[];
  /** Modules of the project whose `register` may change schemas. */
  readonly registers: readonly RegisterSource[];
}

type Loader = ReturnType<typeof createModuleLoader>;

type Values = Readonly<Record<string, unknown>>;

const schemasOf = ({ contentTypes }: PluginDefinition): Readonly<Record<string, Values>> =>
  Object.fromEntries(
    Object.entries(contentTypes).flatMap(([key, type]) => {
      const schema: unknown = typeof type === 'object' && type !== null ? Reflect.get(type, 'schema') : null;
      return isRecord(schema) ? [[key, schema] as const] : [];
    }),
  );

const locate = (
  root: string,
  { name, folder, file }: FoundPlugin,
  schemas: Readonly<Record<string, Values>>,
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

/** Extensions get the schemas with what the project's own schema files say, as in Strapi. */
const applySchemaFiles = (root: string, name: string, definition: PluginDefinition): void => {
  for (const [key, schema] of Object.entries(schemasOf(definition))) {
    const file = join(root, 'src', 'extensions', name, 'content-types', key, 'schema.json');
    if (!existsSync(file)) continue;
    const { value } = parseLocatedJson(readFileSync(file, 'utf8'));
    if (!isRecord(value)) continue;
    const isBuiltin = Object.hasOwn(BUILTIN_SCHEMAS, `plugin::${name}.${key}`);
    const own: unknown = schema['attributes'];
    const added: unknown = value['attributes'];
    const attributes = isBuiltin && isRecord(own) && isRecord(added) ? { ...own, ...added } : (added ?? own);
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

/** Adds what code does to schemas in `register`. */
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
 * Evaluates server code as far as content-types and routes go: plugins, the extensions that change them,
 * modules with schemas, and what adds to schemas in `register`. Nothing is open meanwhile.
 *
 * @throws `strapi/plugin-not-loaded`, `strapi/invalid-extension`, `project/module-load-failed`
 */
export async function evaluatePlugins(options: EvaluationOptions): Promise<PluginCode> {
  const { root, values, plugins, extensions } = options;
  providePackages(root, strapiPackages(root));
  const loader = createModuleLoader({ root, packages: strapiPackages(root) });
  const strapi = createUnopenedStrapi(root, values);
  return withGlobalStrapi(strapi, async () => {
    const schemas: PluginSchema[] = [...(await evaluateSchemas(options, loader))];
    const changes: SchemaChange[] = [];
    const handlers = new Map<string, readonly string[]>();
    const definitions = new Map(
      createBuiltinPlugins(createUnopenedHost(), {
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
      isWanted: mayChangeSchemas,
    });
    return withRegistered({ schemas, changes, actions, customFields: {} }, registers, options);
  });
}
