import type { DatabaseObject } from '../dialect/database-object.js';
import { SYSTEM_TABLE } from '../dialect/revisions.js';
import type { RevisedTables, RevisionSupport } from '../dialect/revisions.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { EVERY_TYPE, openPostgresRevisions } from './open-revisions.js';

const FUNCTION = 'cms_announce_revision';
const TRIGGER = 'cms_revision';

/** A transaction tells each type once, when it commits. */
const ANNOUNCE: DatabaseObject = Object.freeze({
  name: 'revisions',
  requires: [{ table: SYSTEM_TABLE }],
  create: `
CREATE OR REPLACE FUNCTION ${FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_catalog.pg_notify('galley_revisions_' || pg_catalog.md5(TG_TABLE_SCHEMA), TG_ARGV[0]);
  RETURN NULL;
END $$;`,
  // Without it, triggers that are left would refuse every write.
  drop: '',
  afterMigration: `SELECT pg_notify('galley_revisions_' || md5(current_schema()), ${quoteText(EVERY_TYPE)})`,
  parts: [`${FUNCTION}()`],
});

const revisionsOf = ({ name, tables }: RevisedTables): DatabaseObject => ({
  name: `revisions of ${name}`,
  requires: [{ table: SYSTEM_TABLE }, ...tables.map((table) => ({ table }))],
  create: tables
    .map(
      (table) =>
        `CREATE TRIGGER ${TRIGGER} AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${quoteName(table)}` +
        ` FOR EACH STATEMENT EXECUTE FUNCTION ${FUNCTION}(${quoteText(name)});`,
    )
    .join('\n'),
  drop: tables.map((table) => `DROP TRIGGER IF EXISTS ${TRIGGER} ON ${quoteName(table)};`).join('\n'),
  parts: tables.map((table) => `${table}.${TRIGGER}`),
});

export const POSTGRES_REVISIONS = Object.freeze<RevisionSupport>({
  objectsFor: (types) => [ANNOUNCE, ...types.map(revisionsOf)],
  open: openPostgresRevisions,
});
