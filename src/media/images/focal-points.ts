import { sql } from 'kysely';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { Database } from '../../database/database.js';
import { defined } from '../../lib/assert.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import { parseFileInfo } from '../file-info.js';
import { MIDDLE } from '../media.js';
import type { FocalPoint } from '../media.js';

/** Maximum time that other processes use a focal point after one of them has changed it. */
const LIFETIME_MS = 10_000;

/** The focal points of images. */
export interface FocalPoints {
  /** Returns the middle for images that have none. */
  readonly of: (hash: string) => Promise<FocalPoint>;
  /** Has them read anew. */
  readonly forget: () => void;
}

/** Imports may have brought anything. */
const parsePoint = (json: string): FocalPoint => {
  try {
    return parseFileInfo({ focalPoint: JSON.parse(json) as unknown }).focalPoint ?? MIDDLE;
  } catch {
    return MIDDLE;
  }
};

/**
 * Reads focal points. Hashes have no index, and few images have a focal point: all are read at once and
 * cached for a moment.
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
  let known: { readonly points: Promise<ReadonlyMap<string, string>>; readonly until: number } | null = null;
  const forget = (): void => {
    known = null;
  };
  return {
    of: async (hash) => {
      if (known === null || known.until < Date.now()) {
        const points = readAll();
        points.catch(forget);
        known = { points, until: Date.now() + LIFETIME_MS };
      }
      const json = (await known.points).get(hash);
      return json === undefined ? MIDDLE : parsePoint(json);
    },
    forget,
  };
}
