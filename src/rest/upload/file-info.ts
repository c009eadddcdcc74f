import { fail } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { isStorableText } from '../../fields/text-value.js';
import { isRecord } from '../../lib/is-record.js';
import { cleanName } from '../../media/file-name.js';
import type { FileInfo } from '../../media/media.js';
import type { FormFields } from './read-form.js';

const TEXT_LENGTH = 10_000;
const WHOLE = 100;

const refused = (reason: string): GalleyError => fail('upload/invalid-info', { reason });

const textOf = (info: Readonly<Record<string, unknown>>, key: string): string | null | undefined => {
  const value = info[key];
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string' || value.length > TEXT_LENGTH || !isStorableText(value)) throw refused(`${key} must be text of at most ${TEXT_LENGTH} characters`);
  return value;
};

const isPercentage = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= WHOLE;

const focalPointOf = (value: unknown): FileInfo['focalPoint'] => {
  if (value === undefined || value === null) return value;
  const { x, y } = isRecord(value) ? value : {};
  if (!isPercentage(x) || !isPercentage(y)) throw refused('focalPoint must hold x and y from 0 to 100');
  return { x, y };
};

const infoOf = (value: unknown): FileInfo => {
  if (value === null) return {};
  if (!isRecord(value)) throw refused('it must be an object');
  const name = textOf(value, 'name');
  if (name === '') throw refused('name must not be empty');
  const alternativeText = textOf(value, 'alternativeText');
  const caption = textOf(value, 'caption');
  const focalPoint = focalPointOf(value['focalPoint']);
  return {
    ...(name === undefined || name === null ? {} : { name: cleanName(name) }),
    ...(alternativeText === undefined ? {} : { alternativeText }),
    ...(caption === undefined ? {} : { caption }),
    ...(focalPoint === undefined ? {} : { focalPoint }),
  };
};

const parse = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch (cause) {
    throw fail('upload/invalid-info', { reason: 'it is not valid JSON' }, { cause });
  }
};

/**
 * What the form says of its files, one for each: a single `fileInfo` is said of all, a list or several of them by position.
 *
 * @throws `upload/invalid-info`
 */
export function fileInfosOf(fields: FormFields, count: number): readonly FileInfo[] {
  const values = (fields.get('fileInfo') ?? []).map(parse);
  const [first] = values;
  if (values.length === 0) return Array.from({ length: count }, () => ({}));
  if (values.length === 1 && !Array.isArray(first)) return Array.from({ length: count }, () => infoOf(first));
  const infos = (values.length === 1 && Array.isArray(first) ? (first as readonly unknown[]) : values).map(infoOf);
  if (infos.length > count) throw refused(`there are ${infos.length} of them for ${count} files`);
  return infos;
}

/** Whether the form says anything of its files. */
export function hasFileInfo(fields: FormFields): boolean {
  return fields.has('fileInfo');
}
