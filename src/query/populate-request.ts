import { isRecord } from '../lib/is-record.js';
import { asList, keysOf, parseBoolean, shorten, splitList } from './raw-values.js';
import { invalidParameter } from './read-context.js';

/** Attributes to populate, by name. Null: named, but switched off. */
export type PopulateRequest = ReadonlyMap<string, PopulateOptions | null>;

/** How to populate one attribute. */
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

/**
 * Parses a `populate` value other than `*`: a name, a dotted path, a comma-separated list, a list of these,
 * or an object by name.
 */
export function parsePopulateRequest(raw: unknown, path: string): PopulateRequest {
  if (raw === undefined || raw === null) return new Map();
  const list = typeof raw === 'string' ? [raw] : asList(raw);
  if (list !== null)
    return toPopulateRequest(
      buildPathTree(
        list.flatMap((item) => namesIn(item, path)),
        path,
      ),
    );
  if (!isRecord(raw))
    throw invalidParameter(path, 'it must be *, a name, a list of names, or an object by name.');
  return new Map(keysOf(raw).map((name) => [name, parseOptions(raw[name], `${path}.${shorten(name)}`)]));
}

const namesIn = (item: unknown, path: string): readonly string[] => {
  if (typeof item !== 'string') throw invalidParameter(path, 'its list may contain only names.');
  return splitList(item);
};
