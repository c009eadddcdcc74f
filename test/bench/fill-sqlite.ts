import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { Project } from '../../src/project/open/open-project.js';
import type { DatabaseObject } from '../../src/database/dialect/migration-support.js';
import { defined } from '../../src/lib/assert.js';
import { databaseObjectsOf, searchedTables } from '../../src/migrations/apply/auxiliary-objects.js';
import { fillSql, fillStatements } from './fill-statements.js';

/**
 * Nothing else has the file open, and a fill that fails is begun anew. New pages are not journalled, while
 * the write-ahead log would hold all of them. What an index sorts, it sorts in parts of the cache's size, by
 * threads, which takes two thirds of the time that one list in memory takes. Each index reads the whole
 * table, a quarter faster where that is mapped into memory.
 */
const SETTINGS = [
  'journal_mode = MEMORY',
  'synchronous = OFF',
  'locking_mode = EXCLUSIVE',
  'foreign_keys = OFF',
  'cache_size = -16000',
  'threads = 2',
  'mmap_size = 2147418112',
];

/** The indexes and triggers of large tables, which are made anew once the rows are there. */
const REBUILT = `SELECT 'DROP ' || type || ' "' || name || '"' AS "drop", sql AS "create"
  FROM sqlite_schema
  WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
    AND tbl_name IN ('articles_documents', 'articles', 'articles_tags_links', 'authors')`;

interface Rebuilt {
  readonly drop: string;
  readonly create: string;
}

const TABLE = `SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`;
const REQUIRED_COLUMNS = `SELECT name FROM pragma_table_info(?) WHERE "notnull" = 1`;

/** The tables that hold full-text indexes. */
const INDEX_TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'search' AND type = 'shadow'`;

const THREAD = new URL('support/run-scripts.mjs', import.meta.url);

const searchObjectsOf = ({ model, dialect }: Project): readonly DatabaseObject[] =>
  dialect.migrations.search.objectsFor(searchedTables(model));

/** The scripts that build all full-text indexes in an empty database, of no other columns than they need. */
const searchScripts = (database: Database.Database, project: Project, size: number): readonly string[] => {
  const indexes = searchObjectsOf(project).map(({ create }) => create);
  const tables = searchedTables(project.model).map(({ table }) => table);
  const create = tables.map((table) =>
    defined(database.prepare<[string], string>(TABLE).pluck().get(table), table),
  );
  const rows = fillStatements('sqlite', size)
    .filter(({ table }) => tables.includes(table))
    .map(({ table, values, from }) => {
      const required = database.prepare<[string], string>(REQUIRED_COLUMNS).pluck().all(table);
      const needed = Object.entries(values).filter(
        ([column]) =>
          required.includes(column) || indexes.some((sql) => sql.includes(`"${table}"."${column}"`)),
      );
      return fillSql({ table, values: Object.fromEntries(needed), from });
    });
  return [...create, ...rows, ...indexes];
};

/** The indexes are there, empty. SQLite refuses to write their tables unless told to. */
const takeSearches = (database: Database.Database, file: string): void => {
  database.unsafeMode();
  database.prepare('ATTACH ? AS search').run(file);
  database.exec('BEGIN');
  for (const name of database.prepare<[], string>(INDEX_TABLES).pluck().all())
    database.exec(`DELETE FROM main."${name}"; INSERT INTO main."${name}" SELECT * FROM search."${name}"`);
  database.exec('COMMIT');
  database.exec('DETACH search');
};

const fillTables = (database: Database.Database, project: Project, size: number): void => {
  const searches = new Set(searchObjectsOf(project).map(({ name }) => name));
  // Triggers. What has nothing to drop are tables.
  const objects = databaseObjectsOf(project.model, project.dialect).filter(
    ({ name, drop }) => drop !== '' && !searches.has(name),
  );
  database.exec('BEGIN');
  for (const { drop } of objects) database.exec(drop);
  const rebuilt = database.prepare<[], Rebuilt>(REBUILT).all();
  for (const { drop } of rebuilt) database.exec(drop);
  for (const statement of fillStatements('sqlite', size)) database.exec(fillSql(statement));
  for (const { create } of [...rebuilt, ...objects]) database.exec(create);
  database.exec('COMMIT');
};

/**
 * Fills the migrated database of a project, which has no documents yet. Full-text indexes take as long as
 * most others together: a thread builds them meanwhile, in a database of its own.
 */
export async function fillSqlite(project: Project, size: number): Promise<void> {
  const file = project.config.database.url.replace(/^file:/, '');
  const searchFile = `${file}-search`;
  rmSync(searchFile, { force: true });
  const database = new Database(file);
  for (const setting of SETTINGS) database.pragma(setting);
  const scripts = searchScripts(database, project, size);
  const thread = new Worker(THREAD, { workerData: { file: searchFile, settings: SETTINGS, scripts } });
  const finished = once(thread, 'exit');
  fillTables(database, project, size);
  await finished;
  takeSearches(database, searchFile);
  rmSync(searchFile);
  for (const { create } of project.dialect.migrations.statistics) database.exec(create);
  database.pragma('journal_mode = WAL');
  database.close();
}
