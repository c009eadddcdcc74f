import { relative, sep } from 'node:path';

/** Ranks UTF-16 units so that surrogates, which encode the highest code points, come last. */
const rank = (unit: number): number => {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
};

/**
 * Compares text by code point, independent of the locale (`Zeta` before `alpha`).
 *
 * @example
 *   names.toSorted(byCodePoint);
 */
export function byCodePoint(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/**
 * Converts text to lower case in all of Unicode. A letter folds alike at every position in a word (both `Σ`
 * and `ς` become `σ`), so a part of a text folds as in the whole text.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Returns a count with its noun: `1 row`, `2 rows`. Pass the plural if it is irregular. */
export function countNoun(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Returns the form of a word that agrees with a count, by default of a verb: `has`, `have`. */
export function agree(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

const PLACEHOLDER = /<%[=-]\s*([\w.]+)\s*%>/g;

const valueAt = (data: unknown, path: string): unknown => {
  let value = data;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
};

/** Fills `<%= USER.username %>` in a template, without running code. Keeps placeholders without a value. */
export function interpolate(template: string, data: unknown): string {
  return template.replace(PLACEHOLDER, (placeholder, path: string) => {
    const value = valueAt(data, path);
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : placeholder;
  });
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, also for quoted attributes. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const PLAIN = /^[\w@%+=:,./-]+$/;

/** Returns a text as one word of a shell, in quotes if it needs them. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Matches up to the last "@", so that a password that contains one is hidden completely. */
const CREDENTIALS = /^([a-z]+:\/\/)([^:@/]*)(?::.*)?@/i;
const SECRET_PARAMETERS = /([?&](?:password|sslpassword|sslkey)=)[^&]*/gi;

/** Returns a database URL without its password, for display. Text that is not a URL is returned unchanged. */
export function redactUrl(url: string): string {
  return url.replace(CREDENTIALS, '$1$2:***@').replace(SECRET_PARAMETERS, '$1***');
}

const quote = (cell: string): string =>
  /["\r\n,]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Prints rows as CSV (RFC 4180) with a line feed after each row. */
export function printCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quote).join(',')}\n`).join('');
}

/** Returns a text that is not empty. Null for all other values. */
export function nonEmptyText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns the path of a file relative to a folder, with forward slashes. */
export function relativePath(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}
