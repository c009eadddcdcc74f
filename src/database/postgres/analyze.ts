import type { AnalyzeTables } from '../dialect/database-driver.js';
import { quoteName, quoteTexts } from '../dialect/sql-text.js';

/** A table that is as large as the planner thinks is left alone, since looking at many takes a second. */
const analyzeSql = (tables: readonly string[], rows: number): string => `DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT oid::regclass::text FROM pg_class
      WHERE oid = ANY (ARRAY[${quoteTexts(tables.map(quoteName))}]::regclass[]) AND reltuples < '${rows}'
    LOOP EXECUTE 'ANALYZE ' || name; END LOOP;
  END $$`;

export const analyzePostgresTables: AnalyzeTables = async (tx, tables, rows) =>
  void (await tx.execute(analyzeSql(tables, rows), []));
