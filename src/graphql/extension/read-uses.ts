import { createRequire } from 'node:module';
import { fail } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/is-record.js';
import { nearest } from '../../lib/nearest.js';
import type { ExtensionTools, WithApplication } from './configuration.js';
import type { Use } from './extension-service.js';

/** What one `use` adds, its form checked. */
export interface ReadUse {
  readonly place: string;
  readonly types: readonly unknown[];
  readonly typeDefs: unknown;
  readonly plugins: readonly unknown[];
  readonly resolvers: Readonly<Record<string, unknown>>;
  readonly resolversConfig: Readonly<Record<string, unknown>>;
}

const KEYS = ['types', 'typeDefs', 'plugins', 'resolvers', 'resolversConfig'];

/** The error of one key of one `use`. */
export function broken(place: string, key: string, reason: unknown): GalleyError {
  const text = reason instanceof Error ? reason.message : String(reason);
  return fail('graphql/broken-extension', { place, key, reason: text }, reason instanceof Error ? { cause: reason } : {});
}

const require = createRequire(import.meta.url);

/** Nexus takes its time to load, which only those wait for who use it. */
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

const evaluate = ({ place, value }: Use, tools: ExtensionTools): unknown => {
  if (typeof value !== 'function') return value;
  try {
    return Reflect.apply(value, undefined, [tools]) as unknown;
  } catch (error) {
    throw broken(place, 'the function', error);
  }
};

const listOf = (place: string, key: string, value: unknown): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw broken(place, key, 'it must be a list.');
  return value;
};

const mapOf = (place: string, key: string, value: unknown): Readonly<Record<string, unknown>> => {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw broken(place, key, 'it must be an object.');
  return value;
};

const readUse = (use: Use, tools: ExtensionTools): ReadUse => {
  const { place } = use;
  const value = evaluate(use, tools);
  if (!isRecord(value) || value instanceof Promise) throw broken(place, 'use', 'it takes an object, or a function that answers one at once.');
  for (const key of Object.keys(value)) {
    if (KEYS.includes(key)) continue;
    const meant = nearest(key, KEYS);
    throw broken(place, key, `there is no such key. ${meant === undefined ? `Allowed: ${KEYS.join(', ')}.` : `Did you mean ${meant}?`}`);
  }
  return {
    place,
    types: listOf(place, 'types', isRecord(value['types']) ? [value['types']] : value['types']),
    typeDefs: value['typeDefs'] ?? null,
    plugins: listOf(place, 'plugins', value['plugins']),
    resolvers: mapOf(place, 'resolvers', value['resolvers']),
    resolversConfig: mapOf(place, 'resolversConfig', value['resolversConfig']),
  };
};

/** Evaluates what was given to `use`, in order. Throws `graphql/broken-extension`. */
export function readUses(uses: readonly Use[], tools: WithApplication): readonly ReadUse[] {
  const given = toolsOf(tools);
  return uses.map((use) => readUse(use, given));
}
