import { randomBytes } from 'node:crypto';

const NAME_LENGTH = 255;
const SLUG_LENGTH = 80;
const HASH_BYTES = 8;

/** The extension of a name in lower case with its dot; empty where it has none that is one. */
export function extensionOf(name: string): string {
  return /[^.](\.[A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

const withoutExtension = (name: string): string => {
  const extension = extensionOf(name);
  return extension === '' ? name : name.slice(0, -extension.length);
};

/** Never cuts a character in two. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/\p{Surrogate}$/u, '');

/**
 * A file's name as it may be kept and shown: its last part, without what cannot be seen or stored, in one Unicode form, at most 255 long
 * with its extension kept.
 *
 * @example cleanName('../../etc/über\u0000.PNG') // 'über.PNG'
 */
export function cleanName(given: string | undefined): string {
  const last = (given ?? '').split(/[\\/]/).at(-1) ?? '';
  const clean = last.replace(/\p{Surrogate}/gu, '').normalize('NFC').replace(/[\p{Cc}\p{Cf}\u2028\u2029\uFFFD]/gu, '').trim();
  const name = /^\.*$/.test(clean) ? 'file' : clean;
  if (name.length <= NAME_LENGTH) return name;
  const extension = name.slice(withoutExtension(name).length);
  return `${cut(withoutExtension(name), NAME_LENGTH - extension.length)}${extension}`;
}

/**
 * What a file is stored as, but for its extension: readable, made of harmless characters, and never used before.
 *
 * @example createHash('Über uns.png') // 'Uber_uns_1f0c9a7be2d34c55'
 */
export function createHash(name: string): string {
  const plain = withoutExtension(name).normalize('NFKD').replace(/\p{M}/gu, '').replace(/[^A-Za-z0-9-]+/g, '_').replace(/^[_-]+|[_-]+$/g, '');
  const slug = plain.slice(0, SLUG_LENGTH).replace(/[_-]+$/, '');
  return `${slug === '' ? 'file' : slug}_${randomBytes(HASH_BYTES).toString('hex')}`;
}

/** Bytes in the unit of records: thousands, with two decimals. */
export function kilobytes(bytes: number): number {
  return Math.round(bytes / 10) / 100;
}
