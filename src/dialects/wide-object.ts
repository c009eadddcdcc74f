import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';

export type JsonPairs = readonly (readonly [key: string, value: Expression<unknown>])[];

/** The pairs as arguments: `'id', "t"."id", 'name', "t"."name"`. */
export function pairArguments(pairs: JsonPairs): RawBuilder<unknown> {
  return sql.join(pairs.map(([key, value]) => sql`${sql.lit(key)}, ${value}`));
}

/** Cuts pairs into runs that one function call can take. */
export function cutPairs(pairs: JsonPairs, limit: number): readonly JsonPairs[] {
  const runs = Math.max(1, Math.ceil(pairs.length / limit));
  return Array.from({ length: runs }, (_, run) => pairs.slice(run * limit, (run + 1) * limit));
}
