import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readContentStore } from '../../../src/project/open/content-stores.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import Import from '../../../src/commands/import.js';
import type { ContentStore } from '../../../src/transfer/store/content-store.js';
import type { RowImport } from '../../../src/transfer/tables/import-batch.js';
import { databases } from '../../support/databases.js';
import { importUntilKilled } from '../../support/import-until-killed.js';
import { execute } from '../../support/execute-sql.js';
import { createSharedSite, SECRETS } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const ROWS = 1100;

const table = (name: string, rows = ROWS): string =>
  `title\n${Array.from({ length: rows }, (_, index) => `${name} ${index}`).join('\n')}\n`;

describe.each(databases)('an import of a table that was interrupted on $name', ({ create }) => {
  let site: TempProject;
  let url = '';

  beforeAll(async () => {
    ({ url } = await create());
    site = await createSharedSite({ '.env': `${SECRETS}DATABASE_URL=${url}\n` });
  });

  const put = (name: string, text: string): string => {
    writeFileSync(join(site.root, name), text);
    return name;
  };
  const withStore = async <T>(work: (store: ContentStore) => Promise<T>): Promise<T> => {
    const opened = await openProjectDatabase(await openProject(site.root));
    try {
      return await work(await readContentStore(opened));
    } finally {
      await opened.close();
    }
  };
  const titles = (): Promise<readonly string[]> =>
    withStore(async (store) =>
      (await store.find('api::tag.tag', { fields: ['title'] })).map(({ title }) => String(title)),
    );
  const clear = () => execute(url, 'DELETE FROM tags; DELETE FROM tags_documents;');

  const importKilled = (file: string, text: string, after: number, options: Partial<RowImport> = {}) =>
    withStore((store) => importUntilKilled(store, { type: 'api::tag.tag', file, text, after }, options));

  const run = (file: string, ...argv: readonly string[]) =>
    runCommand(Import, [file, '--type', 'tag', '--yes', '--json', ...argv], { cwd: site.root });

  it('goes on after what was committed, and says so', async () => {
    const file = put('tags.csv', table('tag'));
    await importKilled(file, table('tag'), 2);
    expect(await titles()).toHaveLength(1000);
    const dry = await run(file, '--dry-run');
    expect(dry.json()).toMatchObject({ rows: ROWS, created: 100, resumedAfter: 1000 });
    const again = await run(file);
    expect(again.stderr).toContain('Continuing after 1000 imported rows');
    expect(again.json()).toMatchObject({ rows: ROWS, created: 100, resumedAfter: 1000 });
    expect(new Set(await titles()).size).toBe(ROWS);
    expect(await titles()).toHaveLength(ROWS);
    // It has ended, so that the next one imports the rows again, as ever without a key.
    const next = await run(file);
    expect(next.json()).not.toHaveProperty('resumedAfter');
    expect(await titles()).toHaveLength(2 * ROWS);
    await clear();
  });

  it('goes on with a key and updates, and writes no row twice', async () => {
    const file = put('keys.csv', table('key'));
    await run(file);
    const options = { key: 'title', existing: 'update' } as const;
    await importKilled(file, table('key'), 1, options);
    const flags = ['--key', 'title', '--existing', 'update'];
    expect((await run(file, ...flags)).json()).toMatchObject({ updated: 600, created: 0, resumedAfter: 500 });
    // A row that was there before is refused, and one that the killed import has written is not.
    await clear();
    await importKilled(file, table('key'), 1, { key: 'title', existing: 'fail' });
    const failing = await run(file, '--key', 'title', '--existing', 'fail');
    expect(failing.json()).toMatchObject({ created: 600, rejected: 0 });
    await clear();
  });

  it('is refused where its rows or options are others, unless it begins anew', async () => {
    const file = put('changed.csv', table('old'));
    await importKilled(file, table('old'), 1);
    const publishing = await run(file, '--publish');
    expect(publishing).toMatchObject({ exitCode: 1 });
    expect(publishing.json()).toMatchObject({ error: { code: 'transfer/unfinished-table' } });
    for (const text of [table('new'), table('old', 20)]) {
      put(file, text);
      expect((await run(file)).json()).toMatchObject({ error: { code: 'transfer/unfinished-table' } });
    }
    expect(await titles()).toHaveLength(500);
    put(file, table('new'));
    expect((await run(file, '--restart')).json()).toMatchObject({ created: ROWS });
    expect(await titles()).toHaveLength(500 + ROWS);
    // Another file is another import.
    await importKilled(put('first.csv', table('first')), table('first'), 1);
    expect((await run(put('second.csv', table('second', 3)))).json()).toMatchObject({ created: 3 });
    await clear();
  });
});
