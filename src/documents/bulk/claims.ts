import type { ParsedInput } from '../../validation/input.js';
import type { FieldValues } from '../rows/table-statements.js';
import { uniqueAttributesOf } from '../unique-values.js';
import type { WriteContext } from '../write-context.js';

/** Two documents of a wave have the same unique value, which none of their checks finds. */
class WaveConflict extends Error {
  override readonly name = 'WaveConflict';
}

/** The unique values of a wave's documents. */
export interface Claims {
  readonly has: (key: string) => boolean;
  /** @throws WaveConflict if another document has it */
  readonly add: (key: string) => void;
}

export function createClaims(): Claims {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add: (key) => {
      if (keys.has(key)) throw new WaveConflict(key);
      keys.add(key);
    },
  };
}

export function claimKey({ locale }: WriteContext, place: unknown, value: unknown): string {
  return [locale, JSON.stringify(place), value instanceof Date ? value.getTime() : String(value)].join('\n');
}

/**
 * Claims the unique values that a document is written with, those that stay as they are stored included.
 * Drafts may repeat values, but a generated one differs from those of drafts, too.
 */
export function claimValues(
  context: WriteContext,
  parsed: ParsedInput,
  claims: Claims,
  stored: FieldValues = {},
): void {
  for (const { name, column, constraints } of uniqueAttributesOf(context.type)) {
    const value = (parsed.scalars.has(name) ? parsed.scalars.get(name) : stored[column.field]) ?? null;
    if (value !== null && (context.publish || constraints.generate === true))
      claims.add(claimKey(context, name, value));
  }
  if (!context.publish) return;
  for (const { steps, attribute, value } of parsed.componentUniques)
    claims.add(claimKey(context, [steps, attribute.name], JSON.stringify(value)));
}
