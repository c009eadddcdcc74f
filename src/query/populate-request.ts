import { isRecord } from '../lib/is-record.js';
import { asList, keysOf, parseBoolean, shorten, splitList } from './raw-values.js';
import { refuse } from './read-context.js';

/** Attributes to populate by name, whatever form they were asked in; null: named, but not wanted. */
export type PopulateRequest = ReadonlyMap<string, PopulateOptions | null>;

/** How one attribute is to be populated. */
export interface PopulateOptions {
  /** The client's options; empty: the attribute's plain record. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What dotted paths ask for below the attribute. */
  readonly below: PathTree;
}

/** `author.profile`, `author.avatar` → author: {profile: {}, avatar: {}} */
export interface PathTree extends ReadonlyMap<string, PathTree> {}

interface GrowingTree extends Map<string, GrowingTree> {}

/** Far beyond any populate depth; keeps absurd paths from being built. */
const MAX_PATH_LENGTH = 100;

const NO_PATHS: PathTree = new Map();

/** The options that add nothing. */
export const PLAIN: PopulateOptions = { given: {}, below: NO_PATHS };

const growTree = (paths: readonly string[], parameter: string): PathTree => {
  const root: GrowingTree = new Map();
  for (const path of paths) {
    const names = path.split('.', MAX_PATH_LENGTH + 1);
    if (names.length > MAX_PATH_LENGTH) throw refuse(parameter, `the path ${shorten(path)} is too long.`);
    let at = root;
    for (const name of names) {
      const next: GrowingTree = at.get(name.trim()) ?? new Map();
      at.set(name.trim(), next);
      at = next;
    }
  }
  return root;
};

/** What a tree of paths asks for on its first level. */
export function requestOf(tree: PathTree): PopulateRequest {
  return new Map([...tree].map(([name, below]) => [name, { given: {}, below }]));
}

/**
 * What is wanted of one attribute: true, false, or an object of options. Null: not wanted.
 * Throws `request/invalid-parameter` for anything else.
 */
export function parseOptions(value: unknown, path: string): PopulateOptions | null {
  if (value === undefined || value === null || value === '') return null;
  if (value === '*') return PLAIN;
  const wanted = parseBoolean(value);
  if (wanted !== null) return wanted ? PLAIN : null;
  if (!isRecord(value) || asList(value) !== null) throw refuse(path, 'it must be true, false or an object of options like fields and populate.');
  return { given: value, below: NO_PATHS };
}

/** Reads a `populate` value other than `*`: a name, a dotted path, a comma list, a list of these, or an object by name. */
export function parsePopulateRequest(raw: unknown, path: string): PopulateRequest {
  if (raw === undefined || raw === null) return new Map();
  const list = typeof raw === 'string' ? [raw] : asList(raw);
  if (list !== null) return requestOf(growTree(list.flatMap((item) => namesIn(item, path)), path));
  if (!isRecord(raw)) throw refuse(path, 'it must be *, a name, a list of names, or an object by name.');
  return new Map(keysOf(raw).map((name) => [name, parseOptions(raw[name], `${path}.${shorten(name)}`)]));
}

const namesIn = (item: unknown, path: string): readonly string[] => {
  if (typeof item !== 'string') throw refuse(path, 'its list may hold names only.');
  return splitList(item);
};
