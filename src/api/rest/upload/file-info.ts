import { InexactNumberError, parseExactJson } from '../../../lib/exact-json.js';
import { invalidFileInfo, parseSentFileInfo } from '../../../media/file-info.js';
import type { FileInfo } from '../../../media/media.js';
import type { ContentModel } from '../../../model/model.js';
import type { FormFields } from './read-form.js';

export const FILE_INFO_FIELD = 'fileInfo';

const parseJson = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return parseExactJson(value);
  } catch (cause) {
    if (cause instanceof InexactNumberError) throw invalidFileInfo(cause.message, cause);
    throw invalidFileInfo('it is not valid JSON', cause);
  }
};

/**
 * Returns what the form says about its files, one object per file. A single `fileInfo` applies to all files;
 * a list or several fields apply by position.
 *
 * @throws `upload/invalid-file-info`
 */
export function fileInfosOf(model: ContentModel, fields: FormFields, count: number): readonly FileInfo[] {
  const parse = (value: unknown): FileInfo => parseSentFileInfo(model, value);
  const values = (fields.get(FILE_INFO_FIELD) ?? []).map(parseJson);
  const [first] = values;
  if (values.length === 0) return Array.from({ length: count }, () => ({}));
  if (values.length === 1 && !Array.isArray(first)) return Array.from({ length: count }, () => parse(first));
  const infos = (values.length === 1 && Array.isArray(first) ? (first as readonly unknown[]) : values).map(
    parse,
  );
  if (infos.length > count) throw invalidFileInfo(`there are ${infos.length} of them for ${count} files`);
  return infos;
}

/** True if the form says anything about its files. */
export function hasFileInfo(fields: FormFields): boolean {
  return fields.has(FILE_INFO_FIELD);
}
