import { isRecord } from '../lib/is-record.js';
import { nearest } from '../lib/nearest.js';
import type { FileProblems } from './file-problems.js';

export type Settings = Readonly<Record<string, unknown>>;

/** An object under a key; anything else than an object or nothing is reported. */
export function readObject(file: Settings, key: string, problems: FileProblems): Settings {
  const value = file[key] ?? {};
  if (isRecord(value)) return value;
  problems.add({ code: 'invalid-value', path: [key], message: `"${key}" must be an object` });
  return {};
}

/** A text under a key of `info` or of the file itself; undefined where there is none. */
export function readText(settings: Settings, path: readonly string[], problems: FileProblems): string | undefined {
  const value = settings[path.at(-1) ?? ''] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  problems.add({ code: 'invalid-value', path, message: `"${path.join('.')}" must be a text` });
  return undefined;
}

/** Warns of keys nobody reads, which often are known ones misspelt. */
export function checkKeys(settings: Settings, known: readonly string[], at: readonly string[], problems: FileProblems): void {
  for (const key of Object.keys(settings)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    const hint = meant === undefined ? '' : `. Did you mean "${meant}"?`;
    problems.add({ severity: 'warning', code: 'unknown-key', path: [...at, key], message: `"${[...at, key].join('.')}" means nothing here and is ignored${hint}`, allowed: known });
  }
}

/** A boolean at `path` below `settings`; false where it is not set. */
export function readFlag(settings: Settings, path: readonly string[], problems: FileProblems): boolean {
  const value = path.slice(1).reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), settings) ?? false;
  if (typeof value === 'boolean') return value;
  problems.add({ code: 'invalid-value', path, message: `"${path.join('.')}" must be true or false`, allowed: ['true', 'false'] });
  return false;
}

const COLLECTION_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** `collectionName`, the table's name, or what stands in where the file sets none. */
export function readCollectionName(file: Settings, standIn: string, problems: FileProblems): string {
  const name = readText(file, ['collectionName'], problems);
  if (name === undefined || name === '') return standIn;
  if (!COLLECTION_NAME.test(name)) {
    problems.add({ code: 'invalid-name', path: ['collectionName'], message: `"${name}" is no table name: letters, digits, _ and - only, a letter or _ first` });
  }
  return name;
}
