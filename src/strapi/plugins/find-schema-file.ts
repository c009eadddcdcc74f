import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseLocatedJson } from '../../lib/located-json.js';

const PLACES = ['server/src/content-types', 'server/content-types', 'content-types', 'src/content-types'];

/** A schema file of a plugin. */
interface SchemaFile {
  /** The absolute path. */
  readonly file: string;
  readonly text: string;
}

/** Finds the file that a plugin has a schema from, so that mistakes in it are told with their lines. */
export function findSchemaFile(folder: string, key: string, schema: unknown): SchemaFile | null {
  for (const place of PLACES) {
    const file = join(folder, place, key, 'schema.json');
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    if (isDeepStrictEqual(parseLocatedJson(text).value, schema)) return { file, text };
  }
  return null;
}
