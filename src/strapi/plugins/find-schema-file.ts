import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../lib/is-record.js';
import { parseLocatedJson } from '../../lib/located-json.js';

const PLACES = [
  'server/src/content-types',
  'server/content-types',
  'content-types',
  'src/model/content-types',
];

/** A schema file of a plugin. */
interface SchemaFile {
  /** The absolute path. */
  readonly file: string;
  readonly text: string;
}

/** Finds the file that a plugin has a schema from, so that mistakes in it are told with their lines. */
export function findSchemaFile(
  folder: string,
  key: string,
  { attributes }: Readonly<Record<string, unknown>>,
): SchemaFile | null {
  for (const place of PLACES) {
    const file = join(folder, place, key, 'schema.json');
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    const { value } = parseLocatedJson(text);
    if (isRecord(value) && JSON.stringify(value['attributes']) === JSON.stringify(attributes))
      return { file, text };
  }
  return null;
}
