import { isRecord } from '../../lib/is-record.js';
import type { JsonPath } from '../../lib/located-json.js';
import type { IndexDefinition } from './definition.js';
import type { FileProblems } from './file-problems.js';
import type { JsonObject } from './top-level-keys.js';

const isColumnList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '');

/** Reads `indexes`: `[{"name": "articles_views", "columns": ["views"]}]`. Reports entries of another form. */
export function readIndexes(
  file: JsonObject,
  problems: FileProblems,
  lineOf: (path: JsonPath) => number,
): readonly IndexDefinition[] {
  const listed = file['indexes'] ?? [];
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
  return entries.flatMap((entry, position) => {
    const columns = isRecord(entry) ? entry['columns'] : undefined;
    if (isColumnList(columns)) return [{ columns, line: lineOf(['indexes', position]) }];
    problems.add({
      code: 'invalid-value',
      path: ['indexes'],
      message: '"indexes" must be a list of objects with "columns", the names of the columns',
    });
    return [];
  });
}
