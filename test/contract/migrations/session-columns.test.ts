import { describe, expect, it, onTestFinished } from 'vitest';
import { getDialect } from '../../../src/database/get-dialect.js';
import { databases } from '../../support/databases.js';
import { execute } from '../../support/execute-sql.js';

describe.each(databases)('the columns that a migration session reads on $name', ({ name, create }) => {
  const open = async () => {
    const { url } = await create();
    const options = { lockTimeoutMs: 1000, isWritable: true };
    const session = await getDialect(name).migrations.openSession(url, options);
    onTestFinished(() => session.close());
    const read = async (): Promise<readonly string[]> =>
      [...(await session.columns())].map(([table, columns]) => [table, ...columns].join(' ')).toSorted();
    return { url, session, read };
  };

  it('are current after each change', async () => {
    const { url, session, read } = await open();
    expect(await read()).toEqual([]);
    await session.script('CREATE TABLE note (id int)');
    expect(await read()).toEqual(['note id']);
    await session.query('ALTER TABLE note ADD COLUMN body text');
    expect(await read()).toEqual(['note id body']);
    await execute(url, 'CREATE TABLE tag (id int)');
    expect(await read()).toEqual(['note id body', 'tag id']);
  });

  it('are those after a rollback to a savepoint, also where as much has changed again', async () => {
    const { session, read } = await open();
    await session.runExclusive(async () => {
      await session.script('SAVEPOINT before');
      await session.script('CREATE TABLE note (id int)');
      expect(await read()).toEqual(['note id']);
      await session.script('ROLLBACK TO SAVEPOINT before');
      await session.query('CREATE TABLE tag (id int)');
      expect(await read()).toEqual(['tag id']);
    });
    expect(await read()).toEqual(['tag id']);
  });

  it('are those after a transaction was rolled back, also where another has changed as much', async () => {
    const { url, session, read } = await open();
    const failed = session.runExclusive(async () => {
      await session.query('CREATE TABLE note (id int)');
      expect(await read()).toEqual(['note id']);
      throw new Error('on purpose');
    });
    await expect(failed).rejects.toThrow('on purpose');
    await execute(url, 'CREATE TABLE tag (id int)');
    expect(await read()).toEqual(['tag id']);
  });
});
