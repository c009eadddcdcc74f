import { createRequire } from 'node:module';
import { createError } from '../../../errors/catalogue.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { isRecord } from '../../../lib/records.js';
import { didYouMean } from '../../../lib/nearest.js';
import type { ContentModel } from '../../../model/model.js';
import type { SchemaSwitches } from '../schema/type-registry.js';
import type { ExtensionTools, GraphqlExtensionService, WithApplication } from './configuration.js';
import { createShadowCrud } from './shadow-crud.js';

/** A function of project code. Its parameters and result are not known. */
export type AnyFunction = (...args: readonly unknown[]) => unknown;

/** True if a value from project code is a function. */
export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** The parameter of one call of `use`, and the name of the call in error messages. */
interface RegisteredExtension {
  readonly source: string;
  readonly value: unknown;
}

export interface ExtensionRegistrations {
  readonly service: GraphqlExtensionService;
  readonly switches: SchemaSwitches;
  readonly extensions: readonly RegisteredExtension[];
}

/**
 * Creates the extension service of a project.
 *
 * @param locate returns the file whose code is running, such as `src/index.ts`
 */
export function createExtensionService(model: ContentModel, locate: () => string): ExtensionRegistrations {
  const shadowCrud = createShadowCrud(model);
  const extensions: RegisteredExtension[] = [];
  const service: GraphqlExtensionService = Object.freeze<GraphqlExtensionService>({
    shadowCRUD: shadowCrud.forType,
    use: (value) => {
      extensions.push({ source: `${extensions.length + 1} (${locate()})`, value });
      return service;
    },
  });
  return { service, switches: shadowCrud.switches, extensions };
}

/** The validated parts of one `use`. */
export interface EvaluatedExtension {
  readonly source: string;
  readonly types: readonly unknown[];
  readonly typeDefs: unknown;
  readonly plugins: readonly unknown[];
  readonly resolvers: Readonly<Record<string, unknown>>;
  readonly resolversConfig: Readonly<Record<string, unknown>>;
}

const KEYS = ['types', 'typeDefs', 'plugins', 'resolvers', 'resolversConfig'];

/** Creates `graphql/invalid-extension` for one key of one call of `use`. */
export function createExtensionError(source: string, key: string, reason: unknown): GalleyError {
  const text = reason instanceof Error ? reason.message : String(reason);
  return createError(
    'graphql/invalid-extension',
    { location: source, key, reason: text },
    reason instanceof Error ? { cause: reason } : {},
  );
}

const require = createRequire(import.meta.url);

/** Loads Nexus on demand, because it is slow to load and most projects do not use it. */
export function loadNexus(): ExtensionTools['nexus'] {
  return require('nexus') as ExtensionTools['nexus'];
}

const toolsOf = ({ app }: WithApplication): ExtensionTools => ({
  app,
  strapi: app,
  get nexus() {
    return loadNexus();
  },
});

const callFactory = ({ source, value }: RegisteredExtension, tools: ExtensionTools): unknown => {
  if (!isFunction(value)) return value;
  try {
    return value(tools);
  } catch (error) {
    throw createExtensionError(source, 'the function', error);
  }
};

const assertList = (source: string, key: string, value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw createExtensionError(source, key, 'it must be a list.');
  return value;
};

const assertRecord = (source: string, key: string, value: unknown): Readonly<Record<string, unknown>> => {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw createExtensionError(source, key, 'it must be an object.');
  return value;
};

const evaluateExtension = (extension: RegisteredExtension, tools: ExtensionTools): EvaluatedExtension => {
  const { source } = extension;
  const value = callFactory(extension, tools);
  if (!isRecord(value) || value instanceof Promise)
    throw createExtensionError(
      source,
      'use',
      'it must be an object, or a function that returns an object, not a promise.',
    );
  for (const key of Object.keys(value)) {
    if (KEYS.includes(key)) continue;
    const remedy = didYouMean(key, KEYS, `Allowed: ${KEYS.join(', ')}.`);
    throw createExtensionError(source, key, `there is no such key. ${remedy}`);
  }
  return {
    source,
    types: assertList(source, 'types', isRecord(value['types']) ? [value['types']] : value['types']),
    typeDefs: value['typeDefs'] ?? null,
    plugins: assertList(source, 'plugins', value['plugins']),
    resolvers: assertRecord(source, 'resolvers', value['resolvers']),
    resolversConfig: assertRecord(source, 'resolversConfig', value['resolversConfig']),
  };
};

/**
 * Evaluates the parameters of all calls of `use`, in order.
 *
 * @throws `graphql/invalid-extension`
 */
export function evaluateExtensions(
  extensions: readonly RegisteredExtension[],
  tools: WithApplication,
): readonly EvaluatedExtension[] {
  const extensionTools = toolsOf(tools);
  return extensions.map((extension) => evaluateExtension(extension, extensionTools));
}
