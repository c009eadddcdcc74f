import { checkSection } from '../../config/strapi/options/option.js';
import type { StrapiOptions } from '../../config/strapi/options/option.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import type { JsonPath } from '../../lib/json.js';
import { withSuggestion } from '../../lib/nearest.js';
import type { SchemaProblem } from './definition.js';

/** A problem without its file and line. */
interface Finding {
  readonly severity?: SchemaProblem['severity'];
  readonly code: string;
  readonly message: string;
  /** The path of keys to the problem, which determines its line. */
  readonly path?: JsonPath;
  readonly attribute?: string;
  readonly allowed?: readonly string[];
}

/** Collects the problems of one file. */
export interface FileProblems {
  readonly add: (finding: Finding) => void;
  readonly all: () => readonly SchemaProblem[];
}

export function createFileProblems(file: string, lineOf: (path: JsonPath) => number): FileProblems {
  const problems: SchemaProblem[] = [];
  return {
    add: ({ severity = 'error', code, message, path = [], attribute, allowed = [] }) => {
      problems.push({
        severity,
        code,
        file,
        line: lineOf(path),
        attribute: attribute ?? null,
        message,
        allowed,
      });
    },
    all: () => problems,
  };
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the object at a key, or an empty one. Reports other values. */
export function readObject(file: JsonObject, key: string, problems: FileProblems): JsonObject {
  const value = file[key] ?? {};
  if (isRecord(value)) return value;
  problems.add({ code: 'invalid-value', path: [key], message: `"${key}" must be an object` });
  return {};
}

/** Returns the string at a path, or undefined. */
export function readText(
  settings: JsonObject,
  path: readonly string[],
  problems: FileProblems,
): string | undefined {
  const value = settings[defined(path.at(-1), 'The key of a setting')] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  problems.add({ code: 'invalid-value', path, message: `"${path.join('.')}" must be a string` });
  return undefined;
}

/** Reports a value that cannot be sent as a header. */
export function checkHeaderText(settings: JsonObject, path: readonly string[], problems: FileProblems): void {
  const value = readText(settings, path, problems);
  if (value === undefined || /^[\x20-\x7e]+$/.test(value)) return;
  problems.add({ code: 'invalid-value', path, message: `"${path.join('.')}" must be the value of a header` });
}

/** The most versions that may be kept of a document. */
const MOST_VERSIONS = 10_000;

/** Reports a number of versions that cannot be kept. */
export function checkHistory(options: JsonObject, problems: FileProblems): void {
  const { history = 0 } = options;
  if (typeof history === 'number' && Number.isInteger(history) && history >= 0 && history <= MOST_VERSIONS)
    return;
  const message = `"options.history" must be a whole number from 0 to ${MOST_VERSIONS}`;
  problems.add({ code: 'invalid-value', path: ['options', 'history'], message });
}

/** Warns about unknown keys, which are often misspelt. */
export function checkKeys(
  settings: JsonObject,
  allowedKeys: readonly string[],
  parentPath: readonly string[],
  problems: FileProblems,
): void {
  for (const key of Object.keys(settings)) {
    if (allowedKeys.includes(key)) continue;
    const statement = `"${[...parentPath, key].join('.')}" is unknown and ignored`;
    problems.add({
      severity: 'warning',
      code: 'unknown-key',
      path: [...parentPath, key],
      message: withSuggestion(statement, key, allowedKeys),
      allowed: allowedKeys,
    });
  }
}

/** Reports options that have no effect: an error where they restrict access, otherwise a warning. */
export function checkApplied(
  options: StrapiOptions,
  settings: JsonObject,
  parentPath: readonly string[],
  problems: FileProblems,
): void {
  for (const { path, reason, isFatal } of checkSection(options, settings, parentPath))
    problems.add({
      severity: isFatal ? 'error' : 'warning',
      code: 'unapplied-option',
      path,
      message: `"${path.join('.')}" ${reason}`,
    });
}

/** Returns the boolean at a path, or false if it is not set. */
export function readFlag(settings: JsonObject, path: readonly string[], problems: FileProblems): boolean {
  const value =
    path.slice(1).reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), settings) ??
    false;
  if (typeof value === 'boolean') return value;
  problems.add({
    severity: 'warning',
    code: 'invalid-value',
    path,
    message: `"${path.join('.')}" must be true or false; it counts as false`,
    allowed: ['true', 'false'],
  });
  return false;
}

const COLLECTION_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * Returns `collectionName`, the name of the table, or the fallback. Other characters than those of names
 * become _.
 */
export function readCollectionName(file: JsonObject, fallback: string, problems: FileProblems): string {
  const name = readText(file, ['collectionName'], problems);
  if (name === undefined || name === '') return fallback;
  if (COLLECTION_NAME.test(name)) return name;
  const usable = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').replace(/^(?=[\d-])/, '_');
  problems.add({
    severity: 'warning',
    code: 'invalid-name',
    path: ['collectionName'],
    message:
      `"${name}" is not a valid table name: letters, digits, _ and - only, a letter or _ first; ` +
      `the table is called ${usable}`,
  });
  return usable;
}
