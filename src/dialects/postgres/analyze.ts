import { quoteName, quoteTexts } from '../sql-text.js';

/**
 * A statement that has the planner look at those of the tables of which it knows fewer rows: at a table that
 * is as large as it thinks it need not, which takes a second where there are many.
 */
export function postgresAnalyze(tables: readonly string[], rows: number): string {
  return `DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT oid::regclass::text FROM pg_class
      WHERE oid = ANY (ARRAY[${quoteTexts(tables.map(quoteName))}]::regclass[]) AND reltuples < '${rows}'
    LOOP EXECUTE 'ANALYZE ' || name; END LOOP;
  END $$`;
}
