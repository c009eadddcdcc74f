import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasNodeSqlite, sqlitePackages } from '../../../../src/database/sqlite/driver.js';
import { createBetterSqlite3 } from '../../../../src/database/sqlite/drivers/better-sqlite3.js';
import type {
  OpenSqlite,
  OpenSqliteOptions,
  SqliteConnection,
} from '../../../../src/database/sqlite/drivers/connection.js';
import { createNodeSqlite } from '../../../../src/database/sqlite/drivers/node-sqlite.js';
import type { NodeSqlite } from '../../../../src/database/sqlite/drivers/node-sqlite.js';

/** Newer versions of Node.js may lack the package, as projects do. */
const findPackage = async (): Promise<OpenSqlite | null> => {
  try {
    const { default: Database } = await import('better-sqlite3');
    new Database(':memory:').close();
    return createBetterSqlite3(Database);
  } catch (error) {
    if (hasNodeSqlite()) return null;
    throw error;
  }
};

const DRIVERS = [
  { name: 'better-sqlite3', open: await findPackage() },
  {
    name: 'node:sqlite',
    open: hasNodeSqlite() ? createNodeSqlite(process.getBuiltinModule('node:sqlite') as NodeSqlite) : null,
  },
].filter((driver): driver is { name: string; open: OpenSqlite } => driver.open !== null);

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe.each(DRIVERS)('the driver $name', ({ open }) => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'galley-drivers-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const opened = (
    path = ':memory:',
    options: OpenSqliteOptions = { mode: 'create', busyTimeoutMs: 0 },
  ): SqliteConnection => {
    const database = open(path, options);
    onTestFinished(() => {
      if (database.isOpen()) database.close();
    });
    return database;
  };
  const valueOf = (sql: string, ...parameters: readonly unknown[]): unknown =>
    opened().prepare(sql).values(parameters)[0];

  it('binds numbers as floats, bigint as integers, and texts with every character', () => {
    expect(valueOf('select json_array(?, ?, ?, ?)', 7, 1.5, 7n, null)).toBe('[7.0,1.5,7,null]');
    expect(valueOf('select ?', 9_007_199_254_740_993n)).toBe(9_007_199_254_740_992);
    expect(valueOf('select ?', 'a\0b😀')).toBe('a\0b😀');
    expect(valueOf('select typeof(?)', Buffer.from([1, 2]))).toBe('blob');
  });

  it('binds values by the names of parameters, in any order', () => {
    const statement = opened().prepare('select $2, $1, $2');
    expect(statement.rows({ 1: 'a', 2: 'b' })).toEqual([['b', 'a', 'b']]);
  });

  it('returns integers as numbers, or as bigint where all their digits count', () => {
    const database = opened();
    const sql = 'select 9007199254740993, 5, 1.5';
    expect(database.prepare(sql).rows()).toEqual([[9_007_199_254_740_992, 5, 1.5]]);
    expect(database.prepare(sql, { bigints: true }).rows()).toEqual([[9_007_199_254_740_993n, 5n, 1.5]]);
  });

  it('returns rows as lists, as records and as their first values', () => {
    const statement = opened().prepare("select column1 as id, x'0102' as data from (values (1), (2))");
    const data = Buffer.from([1, 2]);
    expect(statement.rows()).toEqual([
      [1, data],
      [2, data],
    ]);
    expect(statement.values()).toEqual([1, 2]);
    expect(statement.records()).toStrictEqual([
      { id: 1, data },
      { id: 2, data },
    ]);
    expect(Buffer.isBuffer(statement.rows()[0]?.[1])).toBe(true);
  });

  it('describes the columns of a statement, and counts changed rows', () => {
    const database = opened();
    database.exec('create table things (id integer primary key, name varchar(9), made datetime)');
    expect(database.prepare('select id, name as label, made, 1 + 1 from things').columns()).toEqual([
      { name: 'id', declaredType: 'INTEGER' },
      { name: 'label', declaredType: 'varchar(9)' },
      { name: 'made', declaredType: 'datetime' },
      { name: '1 + 1', declaredType: null },
    ]);
    const insert = database.prepare('insert into things (name) values (?), (?)');
    expect(insert.columns()).toEqual([]);
    expect(insert.run(['a', 'b'])).toBe(2);
    expect(database.prepare('insert into things (name) values (?) returning id').values(['c'])).toEqual([3]);
  });

  it('names the result codes of rejected statements', () => {
    const database = opened();
    database.exec(`
      create table owners (id integer primary key, name text not null unique);
      create table things (id integer primary key, owner integer references owners (id));
      insert into owners values (1, 'a')`);
    const code = (sql: string): unknown => codeOf(() => database.prepare(sql).run());
    expect(code("insert into owners values (2, 'a')")).toBe('SQLITE_CONSTRAINT_UNIQUE');
    expect(code("insert into owners values (1, 'b')")).toBe('SQLITE_CONSTRAINT_PRIMARYKEY');
    expect(code('insert into owners values (2, null)')).toBe('SQLITE_CONSTRAINT_NOTNULL');
    expect(code('insert into things values (1, 9)')).toBe('SQLITE_CONSTRAINT_FOREIGNKEY');
    expect(code('selec')).toBe('SQLITE_ERROR');
    expect(code('delete from owners where id = "a"')).toBe('SQLITE_ERROR');
    expect(code('delete from things; delete from owners')).toBe('SQLITE_ERROR');
    expect(code('delete from things; -- all\n /* of them */ ;')).toBe(0);
    expect(codeOf(() => database.exec('begin; begin'))).toBe('SQLITE_ERROR');
  });

  it('opens files as its options state', async () => {
    const path = join(folder, 'a #1?.db');
    expect(codeOf(() => opened(path, { mode: 'write' }))).toBe('SQLITE_CANTOPEN');
    expect(codeOf(() => opened(join(folder, 'none', 'data.db')))).toBe('SQLITE_CANTOPEN');
    const database = opened(path);
    database.exec('pragma journal_mode = wal; create table things (id integer)');
    expect((await stat(path)).isFile()).toBe(true);
    expect(database.prepare('pragma synchronous').values()).toEqual([1]);
    const reader = opened(path, { mode: 'read' });
    expect(codeOf(() => reader.exec('delete from things'))).toBe('SQLITE_READONLY');
    const writer = opened(path, { mode: 'write' });
    writer.exec('insert into things values (1)');
    expect(reader.prepare('select id from things').values()).toEqual([1]);
    const text = join(folder, 'text.db');
    await writeFile(text, 'This is no database. '.repeat(100));
    expect(codeOf(() => opened(text, { mode: 'write' }).exec('select * from things'))).toBe('SQLITE_NOTADB');
  });

  it('opens a file that is locked, and has its settings once the lock is released', () => {
    const path = join(folder, 'opened.db');
    const first = opened(path);
    first.exec('create table t (a); begin exclusive');
    const second = opened(path);
    expect(codeOf(() => second.exec('begin exclusive'))).toBe('SQLITE_BUSY');
    first.exec('commit');
    second.exec('insert into t values (1)');
    expect(second.prepare('pragma synchronous').values()).toEqual(
      opened().prepare('pragma synchronous').values(),
    );
  });

  it('tells of its transaction, and reports a locked file', () => {
    const path = join(folder, 'locked.db');
    const [first, second] = [opened(path), opened(path)];
    expect(first.isInTransaction()).toBe(false);
    first.exec('begin immediate');
    expect(first.isInTransaction()).toBe(true);
    expect(codeOf(() => second.exec('begin immediate'))).toBe('SQLITE_BUSY');
    first.exec('rollback');
    second.exec('begin immediate; commit');
    first.close();
    first.close();
    expect(first.isOpen()).toBe(false);
    expect(() => first.exec('select 1')).toThrow(Error);
  });

  it('calls functions, and throws the same error as they do', () => {
    const database = opened();
    const failure = new Error('The function failed');
    let isFailing = false;
    database.define('double', { deterministic: true }, (value: number) => {
      if (isFailing) throw failure;
      return value * 2;
    });
    database.define('count', { varargs: true, directOnly: true }, (...values: readonly unknown[]) =>
      String(values.length),
    );
    database.define('type', { bigints: true }, (value: unknown) => typeof value);
    const double = database.prepare('select double(column1) from (values (1), (2))');
    expect(double.values()).toEqual([2, 4]);
    isFailing = true;
    expect(() => double.values()).toThrow(failure);
    isFailing = false;
    expect(double.values()).toEqual([2, 4]);
    expect(database.prepare("select count(1, 'a', null)").values()).toEqual(['3']);
    expect(database.prepare('select type(9007199254740993)').values()).toEqual(['bigint']);
  });

  it('copies a database that another connection writes to', async () => {
    const [path, copy] = [join(folder, 'original.db'), join(folder, 'copy.db')];
    const database = opened(path);
    database.exec(
      'pragma journal_mode = wal; create table things (id integer); insert into things values (1)',
    );
    const source = opened(path, { mode: 'read' });
    await source.backup(copy, 0x7fff_ffff);
    database.exec('insert into things values (2)');
    expect(opened(copy, { mode: 'read' }).prepare('select id from things').values()).toEqual([1]);
    await source.backup(copy, 1);
    expect(opened(copy, { mode: 'read' }).prepare('select id from things').values()).toEqual([1, 2]);
  });

  it('has the parts of SQLite that Galley uses', () => {
    const database = opened();
    database.exec(`
      create virtual table texts using fts5(c0, content = '', tokenize = 'trigram');
      insert into texts (rowid, c0) values (1, 'hello world');
      insert into texts (texts, rowid, c0) values ('delete', 1, 'hello world')`);
    expect(database.prepare("select json_group_array(json(value)) from json_each('[1,2]')").values()).toEqual(
      ['[1,2]'],
    );
    expect(database.prepare("select typeof(unixepoch('subsec')), pow(2, 3)").rows()).toEqual([['real', 8]]);
  });
});

it('is the SQLite of Node.js once it is no longer experimental, and a package before', () => {
  const versions = ['20.19.0', '22.23.3', '24.14.1', '24.15.0', '25.6.1', '25.7.0', '26.0.0'];
  expect(versions.filter((version) => hasNodeSqlite(version))).toEqual(['24.15.0', '25.7.0', '26.0.0']);
  expect(versions.map((version) => sqlitePackages(version)['better-sqlite3'] ?? null)).toEqual([
    '^12.11.1',
    '^13.2.0',
    '^13.2.0',
    null,
    '^13.2.0',
    null,
    null,
  ]);
});
