import { isRecord } from '../../../src/lib/records.js';

export type SavedValues = Readonly<Record<string, unknown>>;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIME_KEYS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'publishedAt']);
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const normaliseText = (text: string, saved: SavedValues, key: string): string => {
  if ((key === 'jwt' || key === 'refreshToken') && JWT.test(text)) return '«jwt»';
  const known = Object.entries(saved).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const alias = known.find(([, value]) => value.length > 5 && value === text)?.[0];
  if (alias !== undefined) return `«${alias}»`;
  if (TIME_KEYS.has(key)) return ISO_TIME.test(text) ? '«time»' : text;
  if (key === 'documentId') return '«documentId»';
  if (key === 'hash') return '«hash»';
  if (key === 'url' && text.startsWith('/uploads/')) return '«url»';
  return known
    .filter(([, value]) => value.length > 15)
    .reduce((current, [name, value]) => current.split(value).join(`«${name}»`), text);
};

/**
 * Puts placeholders where two runs always differ: ids, times, tokens and generated names; saved values become
 * «alias».
 */
export function normalise(value: unknown, saved: SavedValues, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => normalise(item, saved, key));
  if (isRecord(value))
    return Object.fromEntries(
      Object.keys(value)
        .toSorted()
        .map((name) => [name, normalise(value[name], saved, name)]),
    );
  if (typeof value === 'string') return normaliseText(value, saved, key);
  return key === 'id' && Number.isInteger(value) ? '«id»' : value;
}

const issuePathsOf = (error: Readonly<Record<string, unknown>>): readonly string[] => {
  const details = isRecord(error['details']) ? error['details'] : {};
  const issues = Array.isArray(details['errors']) ? details['errors'] : [];
  const paths = issues.map((issue) =>
    isRecord(issue) && Array.isArray(issue['path']) ? issue['path'].join('.') : '',
  );
  return [...new Set(paths)].toSorted();
};

/** Keeps the parts of an error that clients rely on: status, name and paths, but not the wording. */
export function comparableBody(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { error, errors } = body;
  if (isRecord(error))
    return { ...body, error: { status: error['status'], name: error['name'], paths: issuePathsOf(error) } };
  if (!Array.isArray(errors)) return body;
  return {
    data: body['data'] ?? null,
    errors: errors.map((item) => ({ path: isRecord(item) ? (item['path'] ?? null) : null })),
  };
}
