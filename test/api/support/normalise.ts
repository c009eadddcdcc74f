import { isRecord } from '../../../src/lib/is-record.js';

export type Saved = Readonly<Record<string, unknown>>;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIME_KEYS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'publishedAt']);
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const normaliseText = (text: string, saved: Saved, key: string): string => {
  if ((key === 'jwt' || key === 'refreshToken') && JWT.test(text)) return '«jwt»';
  const known = Object.entries(saved).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const alias = known.find(([, value]) => value.length > 5 && value === text)?.[0];
  if (alias !== undefined) return `«${alias}»`;
  if (TIME_KEYS.has(key)) return ISO_TIME.test(text) ? '«time»' : text;
  if (key === 'documentId') return '«documentId»';
  if (key === 'hash') return '«hash»';
  if (key === 'url' && text.startsWith('/uploads/')) return '«url»';
  return known.filter(([, value]) => value.length > 15).reduce((current, [name, value]) => current.split(value).join(`«${name}»`), text);
};

/** Puts placeholders where two runs always differ: ids, times, tokens and generated names; saved values become «alias». */
export function normalise(value: unknown, saved: Saved, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => normalise(item, saved, key));
  if (isRecord(value)) return Object.fromEntries(Object.keys(value).toSorted().map((name) => [name, normalise(value[name], saved, name)]));
  if (typeof value === 'string') return normaliseText(value, saved, key);
  return key === 'id' && Number.isInteger(value) ? '«id»' : value;
}

const pathsOf = (error: Readonly<Record<string, unknown>>): readonly string[] => {
  const details = isRecord(error['details']) ? error['details'] : {};
  const faults = Array.isArray(details['errors']) ? details['errors'] : [];
  const paths = faults.map((fault) => (isRecord(fault) && Array.isArray(fault['path']) ? fault['path'].join('.') : ''));
  return [...new Set(paths)].toSorted();
};

/** Keeps of an error what clients rely on: its status, its name and the paths at fault. Wording is our own. */
export function essence(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { error, errors } = body;
  if (isRecord(error)) return { ...body, error: { status: error['status'], name: error['name'], paths: pathsOf(error) } };
  if (!Array.isArray(errors)) return body;
  return { data: body['data'] ?? null, errors: errors.map((item) => ({ path: isRecord(item) ? item['path'] ?? null : null })) };
}
