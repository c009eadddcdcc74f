import { randomBytes } from 'node:crypto';

const MAX_NAME_LENGTH = 255;
const MAX_SLUG_LENGTH = 80;
const HASH_BYTES = 8;

/** Returns the extension of a name as it is written, with its dot; empty if it has none. */
export function extensionOf(name: string): string {
  return /[^.](\.[A-Za-z0-9]{1,10})$/.exec(name)?.[1] ?? '';
}

const withoutExtension = (name: string): string => {
  const extension = extensionOf(name);
  return extension === '' ? name : name.slice(0, -extension.length);
};

/** Cuts text without splitting a character. */
const truncate = (text: string, length: number): string =>
  text.slice(0, length).replace(/\p{Surrogate}$/u, '');

/**
 * Returns a file's name in a form that can be stored and shown: its last path segment without invisible and
 * unstorable characters, normalised, with at most 255 characters including its extension.
 *
 * @example
 *   sanitiseFileName('../../etc/über\u0000.PNG'); // 'über.PNG'
 */
export function sanitiseFileName(rawName = ''): string {
  const baseName = rawName.replace(/^.*[\\/]/s, '');
  const printable = baseName
    .replace(/\p{Surrogate}/gu, '')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029\uFFFD]/gu, '')
    .trim();
  const name = /^\.*$/.test(printable) ? 'file' : printable;
  if (name.length <= MAX_NAME_LENGTH) return name;
  const extension = name.slice(withoutExtension(name).length);
  return `${truncate(withoutExtension(name), MAX_NAME_LENGTH - extension.length)}${extension}`;
}

/**
 * Returns the name under which a file is stored, without its extension: readable, of harmless characters, and
 * never used before.
 *
 * @example
 *   createFileHash('Über uns.png'); // 'Uber_uns_1f0c9a7be2d34c55'
 */
export function createFileHash(name: string): string {
  const plain = withoutExtension(name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '');
  const slug = plain.slice(0, MAX_SLUG_LENGTH).replace(/[_-]+$/, '');
  return `${slug === '' ? 'file' : slug}_${randomBytes(HASH_BYTES).toString('hex')}`;
}

/** Converts bytes to the unit of records: thousands of bytes with two decimals. */
export function kilobytes(bytes: number): number {
  return Math.round(bytes / 10) / 100;
}
