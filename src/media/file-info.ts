import { fail } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { isStorableText } from '../fields/text-value.js';
import { isRecord } from '../lib/is-record.js';
import { cleanName } from './file-name.js';
import type { FileInfo } from './media.js';

const TEXT_LENGTH = 10_000;
const WHOLE = 100;

export function invalidInfo(reason: string, cause?: unknown): GalleyError {
  return fail('upload/invalid-info', { reason }, { cause });
}

const textOf = (info: Readonly<Record<string, unknown>>, key: string): string | null | undefined => {
  const value = info[key];
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string' || value.length > TEXT_LENGTH || !isStorableText(value)) throw invalidInfo(`${key} must be text of at most ${TEXT_LENGTH} characters`);
  return value;
};

const isPercentage = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= WHOLE;

const focalPointOf = (value: unknown): FileInfo['focalPoint'] => {
  if (value === undefined || value === null) return value;
  const { x, y } = isRecord(value) ? value : {};
  if (!isPercentage(x) || !isPercentage(y)) throw invalidInfo('focalPoint must hold x and y from 0 to 100');
  return { x, y };
};

/**
 * What somebody says of a file, whichever way it came; what else the object holds does not matter.
 *
 * @throws `upload/invalid-info`
 */
export function parseFileInfo(value: unknown): FileInfo {
  if (value === null) return {};
  if (!isRecord(value)) throw invalidInfo('it must be an object');
  const name = textOf(value, 'name');
  if (name === '') throw invalidInfo('name must not be empty');
  const alternativeText = textOf(value, 'alternativeText');
  const caption = textOf(value, 'caption');
  const focalPoint = focalPointOf(value['focalPoint']);
  return {
    ...(name === undefined || name === null ? {} : { name: cleanName(name) }),
    ...(alternativeText === undefined ? {} : { alternativeText }),
    ...(caption === undefined ? {} : { caption }),
    ...(focalPoint === undefined ? {} : { focalPoint }),
  };
}
