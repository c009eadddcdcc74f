import { loadDriver } from '../../src/database/sqlite/driver.js';

/** Opens SQLite files as Galley does. Another driver in the same process would release Galley's locks. */
export const openSqlite = await loadDriver();
