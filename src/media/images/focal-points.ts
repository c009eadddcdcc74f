import { sql } from 'kysely';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { Database } from '../../database/database.js';
import { defined } from '../../lib/assert.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import { parseFileInfo } from '../file-info.js';
import { MIDDLE } from '../media.js';
import type { FocalPoint } from '../media.js';

/** Maximum time for which other processes use an outdated focal point. */
const LIFETIME_MS = 10_000;

/** The focal points of images. */
export interface FocalPoints {
  /** Returns the focal point of an image by its hash, or the middle if it has none. */
  readonly of: (hash: string) => Promise<FocalPoint>;
  /** Clears the cache. */
  readonly clear: () => void;
}

/** Parses a stored focal point. Invalid values, which imports may contain, are the middle. */
const parsePoint = (json: string): FocalPoint => {
  try {
    return parseFileInfo({ focalPoint: JSON.parse(json) as unknown }).focalPoint ?? MIDDLE;
  } catch {
    return MIDDLE;
  }
};

/**
 * Creates a cached lookup of focal points. Hashes have no index, and few images have a focal point. So one
 * statement reads all of them.
 */
export function createFocalPoints(database: Database, model: ContentModel): FocalPoints {
  const type = typeOf(model, FILE_UID);
  const columnOf = (name: string) => {
    const attribute = defined(type.attributes[name], `the attribute ${name} of files`);
    return sql.ref('column' in attribute ? attribute.column.name : name);
  };
  const { expressions } = database.dialect;
  const point = columnOf('focalPoint');
  const statement = sql`select ${expressions.asText('json', point)} || ${sql.lit('\n')} || ${columnOf('hash')}
    from ${sql.table(type.storage.version.table)} where ${point} is not null`.compile(expressions.kysely);
  const readAll = async (): Promise<ReadonlyMap<string, string>> => {
    const texts = await database.readTexts(statement.sql, []);
    return new Map(
      texts.flatMap((text) => {
        const end = text?.lastIndexOf('\n') ?? -1;
        return text === null || end < 0 ? [] : [[text.slice(end + 1), text.slice(0, end)] as const];
      }),
    );
  };
  let cached: { readonly points: Promise<ReadonlyMap<string, string>>; readonly until: number } | null = null;
  const clear = (): void => {
    cached = null;
  };
  return {
    of: async (hash) => {
      if (cached === null || cached.until < Date.now()) {
        const points = readAll();
        points.catch(clear);
        cached = { points, until: Date.now() + LIFETIME_MS };
      }
      const json = (await cached.points).get(hash);
      return json === undefined ? MIDDLE : parsePoint(json);
    },
    clear,
  };
}
