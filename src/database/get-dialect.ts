import type { Dialect } from './dialect/dialect.js';
import type { DialectName } from './dialect/dialect-name.js';
import { postgres } from './postgres/postgres.js';
import { sqlite } from './sqlite/sqlite.js';

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite, postgresql: postgres };

/** Returns the dialect of a name, as a project configures it. */
export function getDialect(name: DialectName): Dialect {
  return DIALECTS[name];
}
