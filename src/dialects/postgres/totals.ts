import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { hasErrorCode } from '../../lib/error-code.js';
import type { DatabaseObject } from '../database-object.js';
import { SYSTEM_TABLE } from '../revisions.js';
import { quoteName, quoteText } from '../sql-text.js';
import { KNOWN, TOTALS_TABLE, fillTotals, knownPart, totalRequirements } from '../totals.js';
import type { CountedTable, TotalExpressions, TotalOptions, TotalSupport } from '../totals.js';

const FUNCTION = 'cms_count_rows';

/** How often a writer adds up what writers have noted. */
const FOLD_SHARE = 0.02;

const noteRows = (sign: '' | '-'): string =>
  `INSERT INTO ${TOTALS_TABLE} SELECT TG_ARGV[0], "status", "locale", ${sign}count(*)
      FROM changed GROUP BY 2, 3;`;

/**
 * Notes what a statement has changed, in rows of its own, so that no writer waits for another. Now and then
 * adds up rows that nobody else holds. It runs as its owner, since whoever may write to a type need not have
 * a right to the totals. TRUNCATE empties the table for all snapshots, which only the next build can count.
 */
const FUNCTION_BODY = `
DECLARE
  mine tid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    ${noteRows('')}
  ELSIF TG_OP = 'DELETE' THEN
    ${noteRows('-')}
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO ${TOTALS_TABLE} VALUES
      (TG_ARGV[0], OLD."status", OLD."locale", -1), (TG_ARGV[0], NEW."status", NEW."locale", 1);
  ELSIF current_setting('transaction_isolation') = 'read committed' THEN
    DELETE FROM ${TOTALS_TABLE} WHERE "type" = TG_ARGV[0] AND "status" <> '${KNOWN}';
  ELSE
    DELETE FROM ${TOTALS_TABLE} WHERE "type" = TG_ARGV[0] AND "status" = '${KNOWN}';
  END IF;
  IF random() < ${FOLD_SHARE} AND current_setting('transaction_isolation') = 'read committed' THEN
    mine := ARRAY(SELECT ctid FROM ${TOTALS_TABLE}
      WHERE "type" = TG_ARGV[0] AND "status" <> '${KNOWN}' FOR UPDATE SKIP LOCKED);
    WITH folded AS (
      DELETE FROM ${TOTALS_TABLE} WHERE ctid = ANY (mine) RETURNING "status", "locale", "number"
    )
    INSERT INTO ${TOTALS_TABLE}
      SELECT TG_ARGV[0], "status", "locale", sum("number")
      FROM folded GROUP BY 2, 3 HAVING sum("number") <> 0;
  END IF;
  RETURN NULL;
END`;

const FUNCTION_OBJECT: DatabaseObject = Object.freeze({
  name: 'totals',
  requires: [{ table: SYSTEM_TABLE }],
  create: `
CREATE TABLE IF NOT EXISTS ${TOTALS_TABLE} (
  "type" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "locale" TEXT NOT NULL,
  "number" BIGINT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
DO $do$ BEGIN
  EXECUTE format($format$
    CREATE OR REPLACE FUNCTION ${FUNCTION}() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, %I, pg_temp AS $body$${FUNCTION_BODY}$body$
  $format$, current_schema());
END $do$;`,
  // Without it, triggers that are left would refuse every write.
  drop: '',
  parts: [TOTALS_TABLE, `${FUNCTION}()`],
});

const TRIGGERS: Readonly<Record<string, string>> = {
  cms_total_insert: 'AFTER INSERT ON % REFERENCING NEW TABLE AS changed FOR EACH STATEMENT',
  cms_total_delete: 'AFTER DELETE ON % REFERENCING OLD TABLE AS changed FOR EACH STATEMENT',
  cms_total_move:
    'AFTER UPDATE ON % FOR EACH ROW' +
    ' WHEN (OLD."status" IS DISTINCT FROM NEW."status" OR OLD."locale" IS DISTINCT FROM NEW."locale")',
  cms_total_truncate: 'AFTER TRUNCATE ON % FOR EACH STATEMENT',
};

const totalsOf = (counted: CountedTable): DatabaseObject => {
  const { name, table } = counted;
  const rows = quoteName(table);
  return {
    name: `totals of ${name}`,
    requires: totalRequirements(counted),
    // Nobody writes between the triggers and the counting: creating one locks the table.
    create: [
      ...Object.entries(TRIGGERS).flatMap(([trigger, event]) => [
        `CREATE TRIGGER ${trigger} ${event.replace('%', rows)}` +
          ` EXECUTE FUNCTION ${FUNCTION}(${quoteText(name)});`,
        // Also for tools that load rows as replicas do.
        `ALTER TABLE ${rows} ENABLE ALWAYS TRIGGER ${trigger};`,
      ]),
      fillTotals(counted),
    ].join('\n'),
    drop: Object.keys(TRIGGERS)
      .map((trigger) => `DROP TRIGGER IF EXISTS ${trigger} ON ${rows};`)
      .join('\n'),
    parts: [knownPart(name), ...Object.keys(TRIGGERS).map((trigger) => `${table}.${trigger}`)],
  };
};

export const POSTGRES_TOTALS = Object.freeze<TotalSupport>({
  objectsFor: (tables) => [FUNCTION_OBJECT, ...tables.map(totalsOf)],
});

const total = ({ name, table, status, locale, counted }: TotalOptions): RawBuilder<unknown> => {
  const names = Object.keys(TRIGGERS);
  const triggers = sql.join(names.map((trigger) => sql.lit(trigger)));
  const isKnown = sql`exists (select 1 from ${sql.id(TOTALS_TABLE)}
      where "type" = ${sql.lit(name)} and "status" = ${sql.lit(KNOWN)})
    and ${sql.lit(names.length)} = (select count(*) from pg_catalog.pg_trigger
      where tgrelid = ${sql.lit(quoteName(table))}::regclass
        and tgname in (${triggers}) and tgenabled = 'A')`;
  const isOfLocale = locale === null ? sql`` : sql` and "locale" = ${locale}`;
  const remembered = sql`select coalesce(sum("number"), 0)::bigint from ${sql.id(TOTALS_TABLE)}
    where "type" = ${sql.lit(name)} and "status" = ${status}${isOfLocale}`;
  return sql`select case when ${isKnown} then (${remembered}) else (${counted}) end`;
};

const UNDEFINED_TABLE = '42P01';

export const POSTGRES_TOTAL_EXPRESSIONS = Object.freeze<TotalExpressions>({
  tableSql: `SELECT to_regclass('${TOTALS_TABLE}')::text`,
  isTableMissing: (error) =>
    hasErrorCode(error, UNDEFINED_TABLE) && error instanceof Error && error.message.includes(TOTALS_TABLE),
  total,
});
