import type { PluginSchema, SchemaChange } from '../../model/content-types/definition.js';
import type { ProjectRoute } from '../http/routes.js';
import { findSchemaChange } from '../plugins/schema-changes.js';
import { relativePath } from '../report/source-files.js';
import type { FoundPlugin } from '../plugins/find-plugins.js';
import { readRegisterSource } from './find-registers.js';
import type { RegisterSource } from './find-registers.js';
import { createRecorder } from './recorder.js';
import type { Recorder, RecorderOptions } from './recorder.js';

/** A function `register` of a plugin, an API or the project. */
export interface Register {
  readonly source: RegisterSource;
  readonly run: (context: object) => unknown;
}

export interface RegisterOptions extends RecorderOptions {
  readonly root: string;
}

/** The changes that code has made in `register`. */
export interface Registered {
  /** Content-types that were added. */
  readonly schemas: readonly PluginSchema[];
  readonly changes: readonly SchemaChange[];
  readonly customFields: Readonly<Record<string, string>>;
  /** Routes that were added, with the module that adds them. */
  readonly routes: readonly ProjectRoute[];
}

/** Runs a function while the recorder is `strapi` for all code, also where an application is open. */
const runWithGlobal = async ({ run }: Register, { strapi, context }: Recorder): Promise<void> => {
  const open: unknown = Reflect.get(globalThis, 'strapi');
  Object.assign(globalThis, { strapi });
  try {
    await run(context);
  } catch {
    // It may need what is not open yet. It runs again at the start, where its mistakes are told.
  } finally {
    if (open === undefined) Reflect.deleteProperty(globalThis, 'strapi');
    else Object.assign(globalThis, { strapi: open });
  }
};

/** The module that most likely changes schemas: the first that speaks of attributes. */
const changingModule = (root: string, { source }: Register) => {
  const found = source.files.find(({ text }) => /\battributes\b/.test(text)) ?? source.files[0];
  return { file: relativePath(root, found?.file ?? source.file), text: found?.text ?? '' };
};

/** Runs functions `register` over a `strapi` that only records calls, one after the other. */
export async function runRegisters(
  registers: readonly Register[],
  options: RegisterOptions,
): Promise<Registered> {
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
  const register: unknown =
    typeof exported === 'object' && exported !== null ? Reflect.get(exported, 'register') : undefined;
  return typeof register === 'function'
    ? (context) => Reflect.apply(register, exported, [context]) as unknown
    : undefined;
}

interface FindOptions {
  readonly plugins: readonly Pick<FoundPlugin, 'name' | 'folder' | 'file'>[];
  readonly definitions: ReadonlyMap<string, unknown>;
  /** Evaluates a module of the project. */
  readonly load: (file: string) => Promise<unknown>;
  readonly isWanted: (source: RegisterSource) => boolean;
}

/** Finds the functions `register` that are wanted: those of plugins first, as at the start. */
export async function findRegisters(
  sources: readonly RegisterSource[],
  { plugins, definitions, load, isWanted }: FindOptions,
): Promise<readonly Register[]> {
  const ofPlugins = plugins.flatMap(({ name, folder, file }): readonly Register[] => {
    const run = registerOf(definitions.get(name));
    if (run === undefined) return [];
    const source = readRegisterSource(folder, file);
    return isWanted(source) ? [{ source, run }] : [];
  });
  const ofProject: Register[] = [];
  for (const source of sources.filter(isWanted)) {
    const run = registerOf(await load(source.file));
    if (run !== undefined) ofProject.push({ source, run });
  }
  return [...ofPlugins, ...ofProject];
}
