import { randomBytes } from 'node:crypto';
import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { isRecord } from '../lib/records.js';
import { FILE_UID } from '../model/content-types/builtin-types.js';
import { isStorableText } from '../model/fields/text-value.js';
import { typeOf } from '../model/lookup.js';
import type { ContentModel } from '../model/model.js';
import type { FileInfo } from './media.js';

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
 * unstorable characters, normalized, with at most 255 characters including its extension.
 *
 * @example
 *   sanitiseFileName('../../etc/über\u0000.PNG'); // 'über.PNG'
 */
export function sanitizeFileName(rawName = ''): string {
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

const MAX_TEXT_LENGTH = 10_000;
const MAX_PERCENTAGE = 100;

/** Keys of a file's record that clients may write. */
export const FILE_INFO_KEYS = ['name', 'alternativeText', 'caption', 'focalPoint'] as const;

/** Creates `upload/invalid-file-info`. */
export function invalidFileInfo(reason: string, cause?: unknown): GalleyError {
  return createError('upload/invalid-file-info', { reason }, { cause });
}

const parseTextKey = (info: Readonly<Record<string, unknown>>, key: string): string | null | undefined => {
  const value = info[key];
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH || !isStorableText(value))
    throw invalidFileInfo(`${key} must be text of at most ${MAX_TEXT_LENGTH} characters`);
  return value;
};

const isPercentage = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_PERCENTAGE;

const focalPointOf = (value: unknown): FileInfo['focalPoint'] => {
  if (value === undefined || value === null) return value;
  const { x, y } = isRecord(value) ? value : {};
  if (!isPercentage(x) || !isPercentage(y))
    throw invalidFileInfo('focalPoint must hold x and y from 0 to 100');
  return { x, y };
};

/**
 * Parses a file's name, texts and focal point as a client sends them. Null is no information; other keys are
 * ignored.
 *
 * @throws `upload/invalid-file-info`
 */
export function parseFileInfo(value: unknown): FileInfo {
  if (value === null) return {};
  if (!isRecord(value)) throw invalidFileInfo('it must be an object');
  const name = parseTextKey(value, 'name');
  if (name === '') throw invalidFileInfo('name must not be empty');
  const alternativeText = parseTextKey(value, 'alternativeText');
  const caption = parseTextKey(value, 'caption');
  const focalPoint = focalPointOf(value['focalPoint']);
  return {
    ...(name === undefined || name === null ? {} : { name: sanitizeFileName(name) }),
    ...(alternativeText === undefined ? {} : { alternativeText }),
    ...(caption === undefined ? {} : { caption }),
    ...(focalPoint === undefined ? {} : { focalPoint }),
  };
}

/**
 * Parses the file info that a client sends. Rejects unknown keys and keys that are not writable.
 *
 * @throws `upload/invalid-file-info`
 */
export function parseSentFileInfo(model: ContentModel, value: unknown): FileInfo {
  const { attributes } = typeOf(model, FILE_UID);
  const info = isRecord(value) ? value : {};
  const unknown = Object.keys(info).find(
    (key) => !FILE_INFO_KEYS.some((known) => known === key) && info[key] !== null,
  );
  if (unknown !== undefined)
    throw invalidFileInfo(`it has no key ${unknown.slice(0, 60)}, only ${FILE_INFO_KEYS.join(', ')}`);
  const closed = Object.keys(info).find(
    (key) => Object.hasOwn(attributes, key) && attributes[key]?.writable === false,
  );
  if (closed !== undefined) throw invalidFileInfo(`${closed} is not writable`);
  return parseFileInfo(value);
}
