import { isRecord, propertyOf } from '../../lib/records.js';
import { relativePath } from '../../lib/text.js';
import type { Definitions, PluginSchema, SchemaChange } from '../../model/content-types/definition.js';
import { describeAttributes } from '../database/content-types.js';
import { readRegisterSource } from './source-files.js';
import type { RegisterSource } from './source-files.js';
import type { ProjectRoute } from '../http/routes.js';
import { createStrapiServer } from '../http/strapi-server.js';
import { copyTypes, findSchemaChange } from '../plugins/plugin-definition.js';
import type { FoundPlugin } from '../plugins/find-plugins.js';
import { createPlaceholder } from '../plugins/stubs.js';
import { createCustomFields } from '../runtime/create-runtime.js';

type SchemaValues = Readonly<Record<string, unknown>>;

/** A `strapi` object that records the calls of code before the application is open. */
interface Recorder {
  readonly strapi: object;
  /** The argument of `register`: an object with `strapi` and placeholders for its other properties. */
  readonly context: object;
  /** Returns the current schemas by uid. */
  readonly schemas: () => Readonly<Record<string, SchemaValues>>;
  /** Returns the base types of the registered custom fields by uid. */
  readonly customFields: () => Readonly<Record<string, string>>;
  /** Returns the added routes. */
  readonly routes: () => readonly ProjectRoute[];
}

/** The keys of a schema that code may change. The model ignores others that Strapi adds. */
const SCHEMA_KEYS: readonly string[] = [
  'kind',
  'collectionName',
  'info',
  'options',
  'pluginOptions',
  'indexes',
  'attributes',
];

const describeTypes = ({ types }: RecorderOptions['definitions']): Record<string, SchemaValues> =>
  Object.fromEntries(
    types.map((type) => [
      type.uid,
      {
        uid: type.uid,
        modelType: 'contentType',
        modelName: type.singularName,
        kind: type.kind,
        collectionName: type.collectionName,
        info: {
          singularName: type.singularName,
          pluralName: type.pluralName,
          displayName: type.displayName,
          description: type.description,
        },
        options: { ...type.options, draftAndPublish: type.draftAndPublish },
        pluginOptions: { ...type.pluginOptions },
        attributes: describeAttributes(type.attributes),
      },
    ]),
  );

const describeComponents = ({ components }: RecorderOptions['definitions']): Record<string, SchemaValues> =>
  Object.fromEntries(
    components.map((component) => [
      component.uid,
      {
        uid: component.uid,
        modelType: 'component',
        modelName: component.name,
        category: component.category,
        collectionName: component.collectionName,
        info: { displayName: component.displayName },
        options: {},
        attributes: describeAttributes(component.attributes),
      },
    ]),
  );

const changeableSchema = (type: unknown): SchemaValues => {
  if (!isRecord(type)) return {};
  const schema = isRecord(type['schema']) ? type['schema'] : type;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => SCHEMA_KEYS.includes(key)));
};

/** The registry that `strapi.get('content-types')` returns. */
const createRegistry = (types: Record<string, unknown>) => ({
  get: (uid: string) => types[uid],
  getAll: () => types,
  keys: () => Object.keys(types),
  set: (uid: string, type: unknown) => {
    types[uid] = type;
  },
  add: (namespace: string, added: SchemaValues) => {
    for (const [name, type] of Object.entries(added))
      types[`${namespace}${namespace.endsWith('.') ? '' : '.'}${name}`] = type;
  },
  extend: (uid: string, change: (type: unknown) => unknown) => {
    types[uid] = change(types[uid]) ?? types[uid];
  },
});

/** Returns a plugin with its content-types, and placeholders for everything else. */
const recordedPlugin = (types: Readonly<Record<string, unknown>>, name: string): object => {
  const typesOfPlugin = Object.entries(types).filter(([uid]) => uid.startsWith(`plugin::${name}.`));
  const contentTypes = Object.fromEntries(
    typesOfPlugin.map(([uid, type]) => [uid.split('.')[1] ?? uid, type]),
  );
  return withPlaceholders({ contentTypes, contentType: (key: string) => contentTypes[key] });
};

const withPlaceholders = (known: object): object =>
  new Proxy(known, {
    get: (object, key): unknown =>
      key in object || typeof key === 'symbol' || key === 'then'
        ? Reflect.get(object, key)
        : createPlaceholder(),
  });

export interface RecorderOptions {
  readonly definitions: Pick<Definitions, 'types' | 'components'>;
  /** The properties of `strapi` that exist before the application is open. */
  readonly known: object;
  /** The prefix of the API. */
  readonly prefix: string;
}

/** Creates a recorder over copies of the schemas. */
function createRecorder({ definitions, known, prefix }: RecorderOptions): Recorder {
  const contentTypes: Record<string, unknown> = copyTypes(describeTypes(definitions));
  const components: Record<string, unknown> = copyTypes(describeComponents(definitions));
  const customFields = createCustomFields();
  const routes: ProjectRoute[] = [];
  const server = createStrapiServer(
    {
      addRoutes: (added) => void routes.push(...added),
      routes: () => routes,
      use: () => undefined,
      app: createPlaceholder as () => never,
    },
    prefix,
    createPlaceholder as () => never,
  );
  const registries: Readonly<Record<string, unknown>> = {
    'content-types': createRegistry(contentTypes),
    components: createRegistry(components),
    'custom-fields': customFields,
  };
  const plugin = (name: string): object => recordedPlugin(contentTypes, name);
  const strapi = withPlaceholders({
    ...known,
    contentTypes,
    components,
    contentType: (uid: string) => contentTypes[uid],
    getModel: (uid: string) => contentTypes[uid] ?? components[uid],
    customFields,
    server,
    plugin,
    plugins: new Proxy({}, { get: (_target, name) => plugin(String(name)) }),
    get: (name: string) => registries[name] ?? createPlaceholder(),
  });
  return {
    strapi,
    context: withPlaceholders({ strapi }),
    schemas: () =>
      copyTypes(
        Object.fromEntries(
          Object.entries({ ...contentTypes, ...components }).map(([uid, type]) => [
            uid,
            changeableSchema(type),
          ]),
        ),
      ) as Readonly<Record<string, SchemaValues>>,
    customFields: () =>
      Object.fromEntries(Object.entries(customFields.getAll()).map(([uid, { type }]) => [uid, type])),
    routes: () => [...routes],
  };
}

/** A function `register` of a plugin, an API or the project. */
export interface Register {
  readonly source: RegisterSource;
  readonly run: (context: object) => unknown;
}

export interface RegisterOptions extends RecorderOptions {
  readonly root: string;
}

/** The changes that code makes in `register`. */
export interface RegisterResult {
  /** The added content-types. */
  readonly schemas: readonly PluginSchema[];
  readonly changes: readonly SchemaChange[];
  readonly customFields: Readonly<Record<string, string>>;
  /** The added routes, with the modules that add them. */
  readonly routes: readonly ProjectRoute[];
}

/** Runs a function while the recorder is the global `strapi`, even if an application is open. */
const runWithGlobal = async ({ run }: Register, { strapi, context }: Recorder): Promise<void> => {
  const open: unknown = Reflect.get(globalThis, 'strapi');
  Object.assign(globalThis, { strapi });
  try {
    await run(context);
  } catch {
    // The function may need open services. It runs again at the start, where its errors are reported.
  } finally {
    if (open === undefined) Reflect.deleteProperty(globalThis, 'strapi');
    else Object.assign(globalThis, { strapi: open });
  }
};

/** Returns the module that most likely changes schemas: the first that mentions attributes. */
const changingModule = (root: string, { source }: Register) => {
  const found = source.files.find(({ text }) => /\battributes\b/.test(text)) ?? source.files[0];
  return { file: relativePath(root, found?.file ?? source.file), text: found?.text ?? '' };
};

/** Runs functions `register` in turn, with a `strapi` that only records calls. */
export async function runRegisters(
  registers: readonly Register[],
  options: RegisterOptions,
): Promise<RegisterResult> {
  const { root } = options;
  const recorder = createRecorder(options);
  const routes: ProjectRoute[] = [];
  const schemas: PluginSchema[] = [];
  const changes: SchemaChange[] = [];
  for (const register of registers) {
    const before = recorder.schemas();
    await runWithGlobal(register, recorder);
    const file = relativePath(root, register.source.file);
    routes.push(
      ...recorder
        .routes()
        .slice(routes.length)
        .map((route) => ({ ...route, origin: { ...route.origin, file } })),
    );
    const module = changingModule(root, register);
    for (const [uid, after] of Object.entries(recorder.schemas())) {
      const old = before[uid];
      if (old === undefined) schemas.push({ uid, schema: after, file: module.file, text: null });
      else changes.push(...[findSchemaChange(uid, { before: old, after }, module) ?? []].flat());
    }
  }
  return { schemas, changes, customFields: recorder.customFields(), routes };
}

/** Returns the function `register` of a module or a plugin. */
function registerOf(exported: unknown): Register['run'] | undefined {
  const register = propertyOf(exported, 'register');
  return typeof register === 'function'
    ? (context) => Reflect.apply(register, exported, [context]) as unknown
    : undefined;
}

interface FindOptions {
  readonly plugins: readonly Pick<FoundPlugin, 'name' | 'folder' | 'file'>[];
  readonly definitions: ReadonlyMap<string, unknown>;
  /** Evaluates a module of the project. */
  readonly load: (file: string) => Promise<unknown>;
  readonly isIncluded: (source: RegisterSource) => boolean;
}

/** Finds the functions `register` that `isIncluded` accepts, those of plugins first, as at the start. */
export async function findRegisters(
  sources: readonly RegisterSource[],
  { plugins, definitions, load, isIncluded }: FindOptions,
): Promise<readonly Register[]> {
  const ofPlugins = plugins.flatMap(({ name, folder, file }): readonly Register[] => {
    const run = registerOf(definitions.get(name));
    if (run === undefined) return [];
    const source = readRegisterSource(folder, file);
    return isIncluded(source) ? [{ source, run }] : [];
  });
  const ofProject: Register[] = [];
  for (const source of sources.filter(isIncluded)) {
    const run = registerOf(await load(source.file));
    if (run !== undefined) ofProject.push({ source, run });
  }
  return [...ofPlugins, ...ofProject];
}
