import { FILE_UID } from '../model/content-types/builtin/registry.js';
import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { isStorableText } from '../model/fields/text-value.js';
import { isRecord } from '../lib/is-record.js';
import { typeOf } from '../model/lookup.js';
import type { ContentModel } from '../model/model.js';
import { sanitiseFileName } from './file-name.js';
import type { FileInfo } from './media.js';

const MAX_TEXT_LENGTH = 10_000;
const MAX_PERCENTAGE = 100;

/** Keys of a file's record that clients may write. */
const INFO_KEYS: readonly string[] = ['name', 'alternativeText', 'caption', 'focalPoint'];

/** Creates `upload/invalid-file-info`. */
export function invalidFileInfo(reason: string, cause?: unknown): GalleyError {
  return createError('upload/invalid-file-info', { reason }, { cause });
}

const textOf = (info: Readonly<Record<string, unknown>>, key: string): string | null | undefined => {
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
  const name = textOf(value, 'name');
  if (name === '') throw invalidFileInfo('name must not be empty');
  const alternativeText = textOf(value, 'alternativeText');
  const caption = textOf(value, 'caption');
  const focalPoint = focalPointOf(value['focalPoint']);
  return {
    ...(name === undefined || name === null ? {} : { name: sanitiseFileName(name) }),
    ...(alternativeText === undefined ? {} : { alternativeText }),
    ...(caption === undefined ? {} : { caption }),
    ...(focalPoint === undefined ? {} : { focalPoint }),
  };
}

/**
 * Parses what a client sends of a file, of which it writes only what is writable.
 *
 * @throws `upload/invalid-file-info`
 */
export function parseSentFileInfo(model: ContentModel, value: unknown): FileInfo {
  const { attributes } = typeOf(model, FILE_UID);
  const info = isRecord(value) ? value : {};
  const unknown = Object.keys(info).find((key) => !INFO_KEYS.includes(key) && info[key] !== null);
  if (unknown !== undefined)
    throw invalidFileInfo(`it has no key ${unknown.slice(0, 60)}, only ${INFO_KEYS.join(', ')}`);
  const closed = Object.keys(info).find(
    (key) => Object.hasOwn(attributes, key) && attributes[key]?.writable === false,
  );
  if (closed !== undefined) throw invalidFileInfo(`${closed} is not writable`);
  return parseFileInfo(value);
}
