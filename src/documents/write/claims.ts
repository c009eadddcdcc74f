import type { ParsedInput } from '../validation/input.js';
import type { FieldValues } from '../rows/table-statements.js';
import { uniqueAttributesOf } from './unique-values.js';
import { BatchConflict } from './document-write.js';
import type { WriteContext } from './write-context.js';

/** The unique values of a batch's documents, which no check against stored rows finds. */
export interface Claims {
  readonly has: (context: WriteContext, place: unknown, value: unknown) => boolean;
  /**
   * Claims the unique values that a document is written with, those that stay as they are stored included.
   * Drafts may repeat values, but a generated one differs from those of drafts, too.
   *
   * @throws BatchConflict if another document of the batch has one of them
   */
  readonly add: (context: WriteContext, parsed: ParsedInput, stored?: FieldValues) => void;
}

const claimKey = ({ locale }: WriteContext, place: unknown, value: unknown): string =>
  [locale, JSON.stringify(place), value instanceof Date ? value.getTime() : String(value)].join('\n');

/** Starts the claims of one batch. */
export function createClaims(): Claims {
  const owners = new Map<string, string>();
  const claim = (context: WriteContext, place: unknown, value: unknown): void => {
    const key = claimKey(context, place, value);
    if ((owners.get(key) ?? context.documentId) !== context.documentId) throw new BatchConflict();
    owners.set(key, context.documentId);
  };
  return {
    has: (context, place, value) => owners.has(claimKey(context, place, value)),
    add: (context, parsed, stored = {}) => {
      for (const { name, column, constraints } of uniqueAttributesOf(context.type)) {
        const value = (parsed.scalars.has(name) ? parsed.scalars.get(name) : stored[column.field]) ?? null;
        if (value !== null && (context.publish || constraints.generate === true)) claim(context, name, value);
      }
      if (!context.publish) return;
      for (const { steps, attribute, value } of parsed.componentUniques)
        claim(context, [steps, attribute.name], JSON.stringify(value));
    },
  };
}
