import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../src/lib/is-record.js';
import type { Step, StepUpload, Suite } from './conversation.js';
import { essence, normalise } from './normalise.js';

export interface ReplayTarget {
  /** `http://127.0.0.1:40001` */
  readonly base: string;
  /** Access keys by the token's name. */
  readonly tokens: Readonly<Record<string, string>>;
}

export interface Disagreement {
  readonly step: string;
  readonly why: string;
}

type Saved = Record<string, unknown>;

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
    else if (isRecord(value)) for (const [name, child] of Object.entries(value)) walk(key === '' ? name : `${key}[${name}]`, child);
    else pairs.push(`${key}=${encodeURIComponent(printScalar(value))}`);
  };
  walk('', query);
  return pairs.join('&');
};

const read = (saved: Saved, alias: string): unknown => {
  if (!(alias in saved)) throw new Error(`nothing was saved as ${alias}`);
  return saved[alias];
};

/** Replaces {{alias}} by what was saved under that name. */
const fill = (value: unknown, saved: Saved): unknown => {
  if (typeof value === 'string') {
    const whole = /^\{\{([^}]+)\}\}$/.exec(value)?.[1];
    return whole === undefined ? value.replace(/\{\{([^}]+)\}\}/g, (_match, alias: string) => String(read(saved, alias))) : read(saved, whole);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, saved));
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, fill(child, saved)]));
  return value;
};

const authorizationOf = (who: string, { tokens }: ReplayTarget, saved: Saved): Readonly<Record<string, string>> => {
  if (who === 'none') return {};
  if (who.startsWith('raw:')) return { authorization: who.slice('raw:'.length) };
  const credential = who.startsWith('jwt:') ? read(saved, who) : tokens[who];
  if (typeof credential !== 'string') throw new Error(`there is no credential for ${who}`);
  return { authorization: `Bearer ${credential}` };
};

const formOf = ({ fields = {}, files = [] }: StepUpload, saved: Saved): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, typeof value === 'string' ? value : JSON.stringify(fill(value, saved)));
  for (const { name, type, base64, field } of files) form.append(field ?? 'files', new Blob([Buffer.from(base64, 'base64')], { type }), name);
  return form;
};

const bodyOf = (step: Step, saved: Saved): { readonly type?: string; readonly content?: string | FormData } => {
  if (step.upload !== undefined) return { content: formOf(step.upload, saved) };
  if (step.rawBody !== undefined) return { type: step.contentType ?? 'application/json', content: step.rawBody };
  return step.body === undefined ? {} : { type: 'application/json', content: JSON.stringify(fill(step.body, saved)) };
};

const queryText = (step: Step, saved: Saved): string => {
  if (step.query === undefined) return '';
  return `?${typeof step.query === 'string' ? String(fill(step.query, saved)) : bracketQuery(fill(step.query, saved))}`;
};

const parseAnswer = (text: string): unknown => {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const send = async (step: Step, target: ReplayTarget, saved: Saved): Promise<{ readonly status: number; readonly body: unknown }> => {
  const url = `${target.base}${String(fill(step.path, saved))}${queryText(step, saved)}`;
  const { type, content } = bodyOf(step, saved);
  const headers: Record<string, string> = { accept: 'application/json', ...step.headers, ...authorizationOf(step.as ?? 'full', target, saved) };
  if (type !== undefined) headers['content-type'] = type;
  const response = await fetch(url, { method: step.method ?? 'GET', headers, ...(content === undefined ? {} : { body: content }) });
  return { status: response.status, body: parseAnswer(await response.text()) };
};

const dig = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((current, key) => (typeof current === 'object' && current !== null ? Reflect.get(current, key) : undefined), value);

const removePath = (value: unknown, [key, ...rest]: readonly string[]): void => {
  if (typeof value !== 'object' || value === null || key === undefined) return;
  const keys = key === '*' ? Object.keys(value) : [key];
  for (const name of keys) {
    if (rest.length === 0) Reflect.deleteProperty(value, name);
    else removePath(Reflect.get(value, name), rest);
  }
};

const without = (value: unknown, paths: readonly string[] = []): unknown => {
  const copy: unknown = structuredClone(value);
  for (const path of paths) removePath(copy, path.split('.'));
  return copy;
};

const show = (value: unknown): string => String(JSON.stringify(value)).slice(0, 160);

/** Where two values first differ; null where they do not. */
const difference = (expected: unknown, actual: unknown, path = ''): string | null => {
  if (isDeepStrictEqual(expected, actual)) return null;
  const bothLists = Array.isArray(expected) && Array.isArray(actual);
  if (!bothLists && !(isRecord(expected) && isRecord(actual))) return `${path === '' ? 'body' : path}: expected ${show(expected)}, got ${show(actual)}`;
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  for (const key of keys) {
    const found = difference(Reflect.get(expected, key), Reflect.get(actual, key), path === '' ? key : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
};

const holdStep = async (step: Step, target: ReplayTarget, saved: Saved): Promise<string | null> => {
  const answer = await send(step, target, saved);
  for (const [alias, path] of Object.entries(step.save ?? {})) {
    const value = dig(answer.body, path);
    if (value !== undefined) saved[alias] = value;
  }
  const body = normalise(essence(answer.body), saved);
  if (step.expect.status !== answer.status) return `status: expected ${step.expect.status}, got ${answer.status} (${show(answer.body)})`;
  return step.compare === 'status' ? null : difference(without(step.expect.body, step.ignore), without(body, step.ignore));
};

/** Holds a recorded conversation with a server on an empty database; every step that is answered differently, with the first difference. */
export async function replay(suite: Suite, target: ReplayTarget): Promise<readonly Disagreement[]> {
  const saved: Saved = {};
  const disagreements: Disagreement[] = [];
  for (const step of suite.steps) {
    const why = await holdStep(step, target, saved).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (why !== null) disagreements.push({ step: step.id, why });
  }
  return disagreements;
}
