import type { DatabaseObjectSupport } from '../dialect/database-object.js';

export const SQLITE_OBJECTS = Object.freeze<DatabaseObjectSupport>({
  partsSql: `
    SELECT CASE "type" WHEN 'trigger' THEN "tbl_name" || '.' || "name" ELSE "name" END AS "part"
    FROM sqlite_master`,
  retired: { totals: 'DROP TABLE IF EXISTS cms_totals' },
  // SQLite has no roles.
  isDenied: () => false,
});
