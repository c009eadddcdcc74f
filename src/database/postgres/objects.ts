import { hasErrorCode } from '../../lib/error-code.js';
import type { DatabaseObjectSupport } from '../dialect/database-object.js';

const INSUFFICIENT_PRIVILEGE = '42501';

export const POSTGRES_OBJECTS = Object.freeze<DatabaseObjectSupport>({
  partsSql: `
    SELECT c.relname || '.' || t.tgname AS "part"
    FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND c.relnamespace = current_schema()::regnamespace
    UNION ALL
    SELECT proname || '()' FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    UNION ALL
    SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace`,
  // Triggers that are left go with their function.
  retired: {
    totals: 'DROP FUNCTION IF EXISTS cms_count_rows() CASCADE; DROP TABLE IF EXISTS cms_totals',
  },
  isDenied: (error) => hasErrorCode(error, INSUFFICIENT_PRIVILEGE),
});
