import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../src/lib/records.js';
import type { Exchange } from '../../support/openapi-checks.js';
import type { Step, StepUpload, Suite } from './recorded-suite.js';
import { comparableBody, normalise } from './normalise.js';

export interface ReplayTarget {
  /** `http://127.0.0.1:40001` */
  readonly base: string;
  /** Access keys by the token's name. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Sees each request and its answer. */
  readonly observe?: (step: string, exchange: Exchange) => void;
}

export interface Mismatch {
  readonly step: string;
  readonly reason: string;
}

type SavedValues = Record<string, unknown>;

const printScalar = (value: unknown): string => {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Nested values in bracket notation: {a: {$in: [1]}} → a[$in][0]=1. */
const bracketQuery = (query: unknown): string => {
  const pairs: string[] = [];
  const walk = (key: string, value: unknown): void => {
    if (value === undefined) return;
    if (Array.isArray(value)) value.forEach((item, index) => walk(`${key}[${index}]`, item));
    else if (isRecord(value))
      for (const [name, child] of Object.entries(value)) walk(key === '' ? name : `${key}[${name}]`, child);
    else pairs.push(`${key}=${encodeURIComponent(printScalar(value))}`);
  };
  walk('', query);
  return pairs.join('&');
};

const savedValue = (saved: SavedValues, alias: string): unknown => {
  if (!(alias in saved)) throw new Error(`nothing was saved as ${alias}`);
  return saved[alias];
};

/** Replaces {{alias}} by what was saved under that name. */
const fill = (value: unknown, saved: SavedValues): unknown => {
  if (typeof value === 'string') {
    const whole = /^\{\{([^}]+)\}\}$/.exec(value)?.[1];
    return whole === undefined
      ? value.replace(/\{\{([^}]+)\}\}/g, (_match, alias: string) => String(savedValue(saved, alias)))
      : savedValue(saved, whole);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, saved));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, fill(child, saved)]));
  return value;
};

const authorizationOf = (
  caller: string,
  { tokens }: ReplayTarget,
  saved: SavedValues,
): Readonly<Record<string, string>> => {
  if (caller === 'none') return {};
  if (caller.startsWith('raw:')) return { authorization: caller.slice('raw:'.length) };
  const credential = caller.startsWith('jwt:') ? savedValue(saved, caller) : tokens[caller];
  if (typeof credential !== 'string') throw new Error(`there is no credential for ${caller}`);
  return { authorization: `Bearer ${credential}` };
};

const formOf = ({ fields = {}, files = [] }: StepUpload, saved: SavedValues): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(fill(value, saved)));
  for (const { name, type, base64, field } of files)
    form.append(field ?? 'files', new Blob([Buffer.from(base64, 'base64')], { type }), name);
  return form;
};

const bodyOf = (
  step: Step,
  saved: SavedValues,
): { readonly type?: string; readonly content?: string | FormData } => {
  if (step.upload !== undefined) return { content: formOf(step.upload, saved) };
  if (step.rawBody !== undefined)
    return { type: step.contentType ?? 'application/json', content: step.rawBody };
  return step.body === undefined
    ? {}
    : { type: 'application/json', content: JSON.stringify(fill(step.body, saved)) };
};

const queryText = (step: Step, saved: SavedValues): string => {
  if (step.query === undefined) return '';
  const query = fill(step.query, saved);
  return `?${typeof step.query === 'string' ? String(query) : bracketQuery(query)}`;
};

const parseResponse = (text: string): unknown => {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const send = async (
  step: Step,
  target: ReplayTarget,
  saved: SavedValues,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const url = `${target.base}${String(fill(step.path, saved))}${queryText(step, saved)}`;
  const { type, content } = bodyOf(step, saved);
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...step.headers,
    ...authorizationOf(step.as ?? 'full', target, saved),
  };
  if (type !== undefined) headers['content-type'] = type;
  const response = await fetch(url, {
    method: step.method ?? 'GET',
    headers,
    ...(content === undefined ? {} : { body: content }),
  });
  const body = parseResponse(await response.text());
  target.observe?.(step.id, {
    method: step.method ?? 'GET',
    path: new URL(url).pathname,
    ...(type === 'application/json' && step.body !== undefined
      ? { requestBody: fill(step.body, saved) }
      : {}),
    status: response.status,
    body,
  });
  return { status: response.status, body };
};

const valueAtPath = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (current, key) =>
        typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined,
      value,
    );

const removePath = (value: unknown, [key, ...rest]: readonly string[]): void => {
  if (typeof value !== 'object' || value === null || key === undefined) return;
  const keys = key === '*' ? Object.keys(value) : [key];
  for (const name of keys) {
    if (rest.length === 0) Reflect.deleteProperty(value, name);
    else removePath(Reflect.get(value, name), rest);
  }
};

const withoutPaths = (value: unknown, paths: readonly string[] = []): unknown => {
  const copy: unknown = structuredClone(value);
  for (const path of paths) removePath(copy, path.split('.'));
  return copy;
};

const printBriefly = (value: unknown): string => String(JSON.stringify(value)).slice(0, 160);

/** Where two values first differ; null where they do not. */
const findDifference = (expected: unknown, actual: unknown, path = ''): string | null => {
  if (isDeepStrictEqual(expected, actual)) return null;
  const bothLists = Array.isArray(expected) && Array.isArray(actual);
  if (!bothLists && !(isRecord(expected) && isRecord(actual)))
    return `${path === '' ? 'body' : path}: expected ${printBriefly(expected)}, got ${printBriefly(actual)}`;
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  for (const key of keys) {
    const found = findDifference(
      Reflect.get(expected, key),
      Reflect.get(actual, key),
      path === '' ? key : `${path}.${key}`,
    );
    if (found !== null) return found;
  }
  return null;
};

const replayStep = async (step: Step, target: ReplayTarget, saved: SavedValues): Promise<string | null> => {
  const response = await send(step, target, saved);
  for (const [alias, path] of Object.entries(step.save ?? {})) {
    const value = valueAtPath(response.body, path);
    if (value !== undefined) saved[alias] = value;
  }
  const body = normalise(comparableBody(response.body), saved);
  if (step.expect.status !== response.status)
    return `status: expected ${step.expect.status}, got ${response.status} (${printBriefly(response.body)})`;
  return step.compare === 'status'
    ? null
    : findDifference(withoutPaths(step.expect.body, step.ignore), withoutPaths(body, step.ignore));
};

/**
 * Holds a recorded conversation with a server on an empty database; every step that is answered differently,
 * with the first difference.
 */
export async function replay(suite: Suite, target: ReplayTarget): Promise<readonly Mismatch[]> {
  const saved: SavedValues = {};
  const mismatches: Mismatch[] = [];
  for (const step of suite.steps) {
    const reason = await replayStep(step, target, saved).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (reason !== null) mismatches.push({ step: step.id, reason });
  }
  return mismatches;
}
