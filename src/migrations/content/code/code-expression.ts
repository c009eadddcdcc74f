import type { ContentDecisions } from '../content-decisions.js';

/** Prefix of conversions that are TypeScript instead of SQL. */
const CODE_PREFIX = 'ts:';

/** A conversion of the user that is TypeScript. */
export interface CodeConversion {
  /** The attribute after the migration, as decisions name it. */
  readonly key: string;
  readonly code: string;
  /** The temporary table that has the new values by the old ones. */
  readonly table: string;
}

/** Lists the conversions that are TypeScript. Their tables are named alike wherever the migration runs. */
export function codeConversions({ convert }: Pick<ContentDecisions, 'convert'>): readonly CodeConversion[] {
  return Object.entries(convert).flatMap(([key, expression], index) =>
    expression.startsWith(CODE_PREFIX)
      ? [{ key, code: expression.slice(CODE_PREFIX.length), table: `galley_conversion_${index}` }]
      : [],
  );
}

/** The key under which JSON has an old value in place of the new one, while old values are collected. */
export function collectedKey({ table }: CodeConversion): string {
  return `${table}:old value`;
}
