import { parseReadQuery } from '../../../src/query/parse-read-query.js';
import type { RawReadParams, ReadQuery } from '../../../src/query/query.js';
import type { World } from '../../support/world.js';

const LIMITS = { defaultLimit: 25, maxLimit: 100, populateDepth: 20, maxNodes: 1000 };

export function queryOf(world: World, type: string, params: RawReadParams = {}): ReadQuery {
  return parseReadQuery(world.model, type, params, { limits: LIMITS, access: { canFind: () => true }, defaultLocale: 'en' });
}

type Answer = Readonly<Record<string, unknown>>;

/** Parses, compiles and runs a read, as a request would. */
export async function ask(world: World, type: string, params: RawReadParams = {}): Promise<readonly Answer[]> {
  const { sql, parameters } = world.compiler.read(queryOf(world, type, params));
  const texts = await world.database.readTexts(sql, parameters);
  return texts.map((text) => JSON.parse(text ?? 'null') as Answer);
}

export async function count(world: World, type: string, params: RawReadParams = {}): Promise<number> {
  const { sql, parameters } = world.compiler.count(queryOf(world, type, params));
  return world.database.readNumber(sql, parameters);
}
