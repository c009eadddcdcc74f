import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';

export type JsonPairs = readonly (readonly [key: string, value: Expression<unknown>])[];

/** Prints pairs as arguments: `'id', "t"."id", 'name', "t"."name"`. */
export function pairArguments(pairs: JsonPairs): RawBuilder<unknown> {
  return sql.join(pairs.map(([key, value]) => sql`${sql.lit(key)}, ${value}`));
}

/** Splits pairs into chunks that fit one function call. */
export function chunkPairs(pairs: JsonPairs, limit: number): readonly JsonPairs[] {
  const chunkCount = Math.max(1, Math.ceil(pairs.length / limit));
  return Array.from({ length: chunkCount }, (_, index) => pairs.slice(index * limit, (index + 1) * limit));
}
