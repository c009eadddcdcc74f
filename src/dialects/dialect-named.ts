import type { Dialect, DialectName } from './dialect.js';
import { postgres } from './postgres.js';
import { sqlite } from './sqlite.js';

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite, postgresql: postgres };

/** The dialect a project's configuration names. */
export function dialectNamed(name: DialectName): Dialect {
  return DIALECTS[name];
}
