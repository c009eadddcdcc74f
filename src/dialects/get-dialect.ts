import type { Dialect } from './dialect.js';
import type { DialectName } from './dialect-name.js';
import { postgres } from './postgres.js';
import { sqlite } from './sqlite.js';

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite, postgresql: postgres };

/** Returns the dialect of a name, as a project configures it. */
export function getDialect(name: DialectName): Dialect {
  return DIALECTS[name];
}
