import { isRecord } from '../../lib/records.js';
import {
  asList,
  isIndex,
  keysOf,
  parseBoolean,
  shorten,
  splitList,
  invalidParameter,
} from '../read-context.js';

/** Attributes to populate, by name. Null: named, but disabled. */
export type PopulateRequest = ReadonlyMap<string, PopulateOptions | null>;

/** Options for populating one attribute. */
export interface PopulateOptions {
  /** The client's options. Empty: the plain record. */
  readonly rawOptions: Readonly<Record<string, unknown>>;
  /** Nested attributes requested by dotted paths. */
  readonly nestedPaths: PathTree;
}

/** `author.profile`, `author.avatar` → author: {profile: {}, avatar: {}} */
export interface PathTree extends ReadonlyMap<string, PathTree> {}

interface MutablePathTree extends Map<string, MutablePathTree> {}

/** Far more than any populate depth; prevents building absurdly long paths. */
const MAX_PATH_LENGTH = 100;

const NO_PATHS: PathTree = new Map();

/** Options that request nothing more. */
export const NO_OPTIONS: PopulateOptions = { rawOptions: {}, nestedPaths: NO_PATHS };

/** All attributes of a level, also next to other names and at the end of a path. */
export const EVERYTHING = '*';

const buildPathTree = (paths: readonly string[], parameter: string): PathTree => {
  const root: MutablePathTree = new Map();
  for (const path of paths) {
    const names = path.split('.', MAX_PATH_LENGTH + 1);
    if (names.length > MAX_PATH_LENGTH)
      throw invalidParameter(parameter, `the path ${shorten(path)} is too long.`);
    let node = root;
    for (const name of names) {
      const next: MutablePathTree = node.get(name.trim()) ?? new Map();
      node.set(name.trim(), next);
      node = next;
    }
  }
  return root;
};

/** Returns the request for the first level of a path tree. */
export function toPopulateRequest(tree: PathTree): PopulateRequest {
  return new Map([...tree].map(([name, nestedPaths]) => [name, { rawOptions: {}, nestedPaths }]));
}

/**
 * Parses the options of one attribute: true, false, or an object. Null: not populated.
 *
 * @throws `request/invalid-parameter` for anything else
 */
export function parseOptions(value: unknown, path: string): PopulateOptions | null {
  if (value === undefined || value === null || value === '') return null;
  if (value === '*') return NO_OPTIONS;
  const requested = parseBoolean(value);
  if (requested !== null) return requested ? NO_OPTIONS : null;
  if (!isRecord(value) || asList(value) !== null)
    throw invalidParameter(path, 'it must be true, false or an object of options like fields and populate.');
  return { rawOptions: value, nestedPaths: NO_PATHS };
}

const mergePaths = (left: PathTree, right: PathTree): PathTree => {
  const merged = new Map(left);
  for (const [name, paths] of right) merged.set(name, mergePaths(merged.get(name) ?? NO_PATHS, paths));
  return merged;
};

const mergeOptions = (left: PopulateOptions, right: PopulateOptions): PopulateOptions => ({
  rawOptions: { ...left.rawOptions, ...right.rawOptions },
  nestedPaths: mergePaths(left.nestedPaths, right.nestedPaths),
});

/** Joins requests for one level. An attribute that one of them disables stays disabled. */
export function mergeRequests(requests: readonly PopulateRequest[]): PopulateRequest {
  const merged = new Map<string, PopulateOptions | null>();
  for (const [name, options] of requests.flatMap((request) => [...request])) {
    const known = merged.get(name);
    merged.set(
      name,
      known === undefined
        ? options
        : known === null || options === null
          ? null
          : mergeOptions(known, options),
    );
  }
  return merged;
}

/** The parts of a list: its items, and the entries by name that a query string mixes with them. */
const listParts = (raw: unknown): readonly unknown[] => {
  if (!isRecord(raw)) return asList(raw) ?? [raw];
  const keys = keysOf(raw);
  const named = keys.filter((key) => !isIndex(key)).map((key) => [key, raw[key]] as const);
  return [...keys.filter(isIndex).map((key) => raw[key]), Object.fromEntries(named)];
};

const parseNamed = (raw: Readonly<Record<string, unknown>>, path: string): PopulateRequest =>
  new Map(keysOf(raw).map((name) => [name, parseOptions(raw[name], `${path}.${shorten(name)}`)]));

/**
 * Parses a `populate` value: `*`, a name, a dotted path, a comma-separated list, an object by name, or a list
 * of all these.
 *
 * @example
 *   parsePopulateRequest(['*', 'author.profile', { tags: { sort: 'name' } }], 'populate');
 */
export function parsePopulateRequest(raw: unknown, path: string): PopulateRequest {
  if (raw === undefined || raw === null) return new Map();
  if (typeof raw !== 'string' && typeof raw !== 'object')
    throw invalidParameter(path, 'it must be *, a name, a list of names, or an object by name.');
  const parts = listParts(raw);
  const paths = parts.flatMap((part) => (typeof part === 'string' ? splitList(part) : []));
  const options = parts.flatMap((part) => {
    if (typeof part === 'string') return [];
    if (!isRecord(part)) throw invalidParameter(path, 'its list may contain only names and objects by name.');
    return [parseNamed(part, path)];
  });
  return mergeRequests([toPopulateRequest(buildPathTree(paths, path)), ...options]);
}
