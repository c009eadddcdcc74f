import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Slice } from '../query.js';
import type { CompileContext } from './compile-context.js';

/** `LIMIT … OFFSET …`, both as parameters. Empty for the whole list. */
export function compileSlice(
  { bind, expressions }: CompileContext,
  slice: Slice | null,
): RawBuilder<unknown> {
  return slice === null ? sql`` : expressions.slice(bind(slice, 'integer'), bind(slice, 'integer', 1));
}
