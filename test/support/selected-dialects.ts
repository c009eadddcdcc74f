import type { DialectName } from '../../src/database/dialect/dialect.js';

const DIALECT_NAMES: readonly DialectName[] = ['sqlite', 'postgresql'];

/** The dialects listed in DIALECTS (`sqlite,postgresql`). Not set: all. */
const selected = (process.env['DIALECTS'] ?? DIALECT_NAMES.join(',')).split(',').map((name) => name.trim());

const unknown = selected.find((name) => !DIALECT_NAMES.some((known) => known === name));
if (unknown !== undefined)
  throw new Error(`DIALECTS names ${JSON.stringify(unknown)}; known are ${DIALECT_NAMES.join(', ')}`);

export function isSelected(dialect: DialectName): boolean {
  return selected.includes(dialect);
}
