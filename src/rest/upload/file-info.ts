import { invalidInfo, parseFileInfo } from '../../media/file-info.js';
import type { FileInfo } from '../../media/media.js';
import type { FormFields } from './read-form.js';

const parse = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch (cause) {
    throw invalidInfo('it is not valid JSON', cause);
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
  if (values.length === 1 && !Array.isArray(first)) return Array.from({ length: count }, () => parseFileInfo(first));
  const infos = (values.length === 1 && Array.isArray(first) ? (first as readonly unknown[]) : values).map(parseFileInfo);
  if (infos.length > count) throw invalidInfo(`there are ${infos.length} of them for ${count} files`);
  return infos;
}

/** Whether the form says anything of its files. */
export function hasFileInfo(fields: FormFields): boolean {
  return fields.has('fileInfo');
}
