import type { DialectName } from '../../src/dialects/dialect.js';

const KNOWN: readonly DialectName[] = ['sqlite', 'postgresql'];

/** What DIALECTS asks for (`DIALECTS=sqlite`, `DIALECTS=sqlite,postgresql`); everything where it is not set. */
const wanted = (process.env['DIALECTS'] ?? KNOWN.join(',')).split(',').map((name) => name.trim());

const unknown = wanted.find((name) => !KNOWN.some((known) => known === name));
if (unknown !== undefined) throw new Error(`DIALECTS names ${JSON.stringify(unknown)}; known are ${KNOWN.join(', ')}`);

export function isWanted(dialect: DialectName): boolean {
  return wanted.includes(dialect);
}
