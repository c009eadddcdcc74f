import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../src/access/tokens.js';
import { openProjectDatabase } from '../../src/project/open/open-database.js';
import { openProject } from '../../src/project/open/open-project.js';
import Backup from '../../src/commands/backup.js';
import TrashPurge from '../../src/commands/content/trash/purge.js';
import TrashRestore from '../../src/commands/content/trash/restore.js';
import Export from '../../src/commands/export.js';
import Import from '../../src/commands/import.js';
import MediaDelete from '../../src/commands/media/delete.js';
import Restore from '../../src/commands/restore.js';
import { databases } from '../support/databases.js';
import { execute } from '../support/execute-sql.js';
import { interruptNext } from './support/interrupt.js';
import { createSharedSite, SECRETS } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';
import type { TempProject } from './support/temp-project.js';

const NOW = "'2026-01-02T03:04:05.678Z'";

const tag = (id: number, title: string): string =>
  `INSERT INTO tags_documents (document_id) VALUES ('tag${id}');
   INSERT INTO tags (id, document_id, locale, status, created_at, updated_at, published_at, title)
     VALUES (${id}, 'tag${id}', '', 'published', ${NOW}, ${NOW}, ${NOW}, '${title}');`;

describe.each(databases)('backups on $name', ({ name: database, create }) => {
  let site: TempProject;
  let url = '';

  beforeAll(async () => {
    ({ url } = await create());
    site = await createSharedSite({ '.env': `${SECRETS}DATABASE_URL=${url}\n` });
    await execute(url, tag(1, 'Salt') + tag(2, 'Pepper'));
    site.write({ 'public/uploads/sea.txt': 'sea', 'public/uploads/sky.txt': 'sky' });
    await execute(
      url,
      `INSERT INTO files_documents (document_id) VALUES ('sea');
       INSERT INTO files (id, document_id, locale, status, created_at, updated_at, name, hash, ext, mime,
           size, url, provider)
         VALUES (1, 'sea', '', 'published', ${NOW}, ${NOW}, 'sea', 'sea', '.txt', 'text/plain', 1,
           '/uploads/sea.txt', 'local')`,
    );
  });

  const backUp = (...argv: readonly string[]) => runCommand(Backup, [...argv], { cwd: site.root });
  const restore = (...argv: readonly string[]) => runCommand(Restore, [...argv], { cwd: site.root });

  const withDatabase = async <T>(
    work: (opened: Awaited<ReturnType<typeof openProjectDatabase>>) => Promise<T>,
  ): Promise<T> => {
    const opened = await openProjectDatabase(await openProject(site.root));
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  };

  const readState = () =>
    withDatabase(async (opened) => ({
      tags: await opened.database.transact((tx) => tx.query('SELECT id, title FROM tags ORDER BY id', [])),
      tokens: await opened.database.transact((tx) =>
        tx.query('SELECT name, key_hash FROM cms_api_tokens', []),
      ),
      roles: await opened.database.transact((tx) =>
        tx.query('SELECT id, document_id FROM up_roles ORDER BY id', []),
      ),
    }));

  it('are restored as they were, and what was there is kept', async () => {
    await withDatabase(({ context }) => createToken(context, { name: 'ci', type: 'read-only' }));
    const before = await readState();
    expect(await backUp('kept/backup.tar.gz')).toMatchObject({ exitCode: 0 });
    await execute(url, `UPDATE tags SET title = 'changed'; DELETE FROM cms_api_tokens; ${tag(3, 'Curry')}`);
    rmSync(join(site.root, 'public/uploads/sea.txt'));
    const changed = await readState();
    expect(await restore('kept/backup.tar.gz', '--dry-run')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Would ') as string,
    });
    expect(await readState()).toEqual(changed);
    const restored = await restore('kept/backup.tar.gz', '--yes', '--json');
    expect(restored).toMatchObject({ exitCode: 0 });
    expect(await readState()).toEqual(before);
    expect(site.read('public/uploads/sea.txt')).toBe('sea');
    const { kept } = restored.json() as { readonly kept: string };
    expect(await restore(kept, '--yes', '--no-keep-present', '--json')).toMatchObject({ exitCode: 0 });
    const { tags } = await readState();
    expect(tags.map(({ title }) => title)).toEqual(['changed', 'changed', 'Curry']);
    expect(readdirSync(join(site.root, 'kept'))).toHaveLength(2);
  });

  it('are restored while others have the database open on SQLite only', async () => {
    expect(await backUp('used.tar.gz')).toMatchObject({ exitCode: 0 });
    const titles = "SELECT title FROM tags WHERE title = 'meanwhile'";
    await execute(url, "UPDATE tags SET title = 'meanwhile'");
    await withDatabase(async (opened) => {
      const read = () => opened.database.transact((tx) => tx.query(titles, []));
      expect(await read()).toHaveLength(3);
      const result = await restore('used.tar.gz', '--yes', '--no-keep-present');
      expect(result.stderr).toContain(
        database === 'sqlite' ? 'Restored 0 files' : 'Servers are using the database',
      );
      expect(await read()).toHaveLength(database === 'sqlite' ? 0 : 3);
    });
    expect(await restore('used.tar.gz', '--yes', '--no-keep-present')).toMatchObject({ exitCode: 0 });
  });

  it('and exports leave nothing when they are interrupted', async () => {
    for (const [command, name] of [
      [Backup, 'backup'],
      [Export, 'export'],
    ] as const) {
      interruptNext();
      const result = await runCommand(command, [`stopped/${name}.tar.gz`], { cwd: site.root });
      expect(result).toMatchObject({ exitCode: 130 });
      expect(result.stderr).toContain(`The ${name} was interrupted after it had begun.`);
    }
    expect(readdirSync(join(site.root, 'stopped'))).toEqual([]);
  });

  it('hold files with long names and names in any script, and exports do', async () => {
    const names = [`${'a'.repeat(120)}.txt`, 'Künstler.txt', `thumbnail_${'ü'.repeat(80)}.txt`];
    for (const name of names) site.write({ [`public/uploads/${name}`]: name });
    await execute(
      url,
      names
        .map(
          (name, index) => `INSERT INTO files_documents (document_id) VALUES ('long${index}');
           INSERT INTO files (id, document_id, locale, status, created_at, updated_at, name, hash, ext, mime,
               size, url, provider)
             VALUES (${10 + index}, 'long${index}', '', 'published', ${NOW}, ${NOW}, 'long',
               '${name.slice(0, -4)}', '.txt', 'text/plain', 1, '/uploads/${name}', 'local');`,
        )
        .join('\n'),
    );
    expect(await backUp('long.tar.gz')).toMatchObject({ exitCode: 0 });
    for (const name of names) rmSync(join(site.root, 'public/uploads', name));
    const back = await restore('long.tar.gz', '--yes', '--no-keep-present');
    expect(back, back.stderr).toMatchObject({ exitCode: 0 });
    for (const name of names) expect(site.read(`public/uploads/${name}`)).toBe(name);
    const exports = [
      [],
      ['--no-compress'],
      ['--key', 'secret'],
      ['--format', 'strapi'],
      ['--only', 'files'],
    ] as const;
    for (const [index, flags] of exports.entries()) {
      const file = `long-${index}.tar`;
      const exported = await runCommand(Export, [file, ...flags], { cwd: site.root });
      expect(exported, exported.stderr).toMatchObject({ exitCode: 0 });
      const key = flags[0] === '--key' ? flags : [];
      const read = await runCommand(Import, [file, '--existing', 'skip', '--dry-run', '--json', ...key], {
        cwd: site.root,
      });
      expect(read, read.stderr).toMatchObject({ exitCode: 0 });
      expect(read.json()).toMatchObject({ files: { objects: 4 } });
    }
    await execute(
      url,
      "DELETE FROM files WHERE id >= 10; DELETE FROM files_documents WHERE document_id LIKE 'long%'",
    );
    for (const name of names) rmSync(join(site.root, 'public/uploads', name));
  });

  it('are not needed to know what an export would hold', async () => {
    const count = (...argv: readonly string[]) =>
      runCommand(Export, ['counted.tar.gz', '--dry-run', ...argv], { cwd: site.root });
    const versions = (await readState()).tags.length;
    const planned = await count('--json');
    expect(planned.json()).toMatchObject({
      path: join(site.root, 'counted.tar.gz'),
      types: expect.arrayContaining([{ uid: 'api::tag.tag', documents: versions, versions }]) as unknown,
      files: { rows: 1, objects: 1, bytes: 3 },
      dryRun: true,
    });
    const { stdout } = await count('--only', 'content', '--type', 'tag');
    expect(stdout).toMatch(new RegExp(`^Would write .*counted[^]*api::tag.tag +${versions} +${versions}\n$`));
    expect((await count('--remote', 'live')).stderr).toContain('Omit --dry-run');
    expect(readdirSync(site.root)).not.toContain('counted.tar.gz');
  });

  it('and exports to one file at the same time are both whole', async () => {
    const runs = await Promise.all(
      [1, 2, 3].map(() => runCommand(Export, ['same.tar.gz'], { cwd: site.root })),
    );
    expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      runs.map(() => ({ exitCode: 0, stderr: expect.any(String) as string })),
    );
    expect((await restore('same.tar.gz', '--dry-run')).exitCode).toBe(0);
    expect(readdirSync(site.root).filter((name) => name.includes('same.tar.gz'))).toEqual(['same.tar.gz']);
  });

  it('have different names in the same second', async () => {
    const paths = [];
    for (let run = 0; run < 2; run++) paths.push((await backUp('--to', 'twice', '--json')).json());
    expect(paths).toHaveLength(2);
    expect(readdirSync(join(site.root, 'twice'))).toHaveLength(2);
  });

  it('are rotated, and need their key', async () => {
    for (const name of ['backup_20250101000000.tar.gz', 'backup_20250102000000.tar.gz', 'notes.txt'])
      site.write({ [`rotated/${name}`]: 'old' });
    const planned = await backUp('--to', 'rotated', '--keep', '2', '--dry-run', '--json');
    expect(planned.json()).toEqual({
      path: expect.stringMatching(/rotated\/backup_\d{17}\.tar\.gz$/) as string,
      deleted: [join(site.root, 'rotated', 'backup_20250101000000.tar.gz')],
      dryRun: true,
    });
    expect((await backUp('--to', 'none', '--keep', '1', '--dry-run')).stdout).toMatch(
      /^Would write [^\n]*backup_\d{17}\.tar\.gz\n$/,
    );
    expect(readdirSync(join(site.root, 'rotated'))).toHaveLength(3);
    expect(readdirSync(site.root)).not.toContain('none');
    const written = await backUp('--to', 'rotated', '--keep', '2', '--key', 'secret', '--json');
    expect(written, written.stderr).toMatchObject({ exitCode: 0 });
    const { path } = written.json() as { readonly path: string };
    const left = readdirSync(join(site.root, 'rotated'));
    expect(left).toHaveLength(3);
    expect(left).not.toContain('backup_20250101000000.tar.gz');
    expect((await restore(path, '--yes', '--key', 'other')).stderr).toContain('cannot be decrypted');
    expect(await restore(path, '--yes', '--key', 'secret', '--no-keep-present')).toMatchObject({
      exitCode: 0,
    });
  });

  it('are refused where they are damaged or something else, and nothing changes', async () => {
    const before = await readState();
    expect(await backUp('whole.tar', '--no-compress')).toMatchObject({ exitCode: 0 });
    const path = join(site.root, 'whole.tar');
    const bytes = readFileSync(path);
    const at = bytes.indexOf('Curry');
    expect(at).toBeGreaterThan(0);
    bytes.write('Chili', at);
    writeFileSync(join(site.root, 'changed.tar'), bytes);
    expect((await restore('changed.tar', '--yes')).stderr).toContain('incomplete or damaged');
    truncateSync(path, bytes.length / 2);
    expect((await restore('whole.tar', '--yes')).stderr).toContain('incomplete or damaged');
    expect((await restore('package.json', '--yes')).exitCode).toBe(1);
    expect(await readState()).toEqual(before);
    expect(await restore('changed.tar')).toMatchObject({ exitCode: 1 });
  });

  it.runIf(database === 'sqlite')('contain the files of the trash, which stay hidden', async () => {
    const run = async (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) => {
      const result = await runCommand(command, [...argv], { cwd: site.root });
      expect(result, result.stderr).toMatchObject({ exitCode: 0 });
    };
    const isServed = () => readdirSync(join(site.root, 'public/uploads')).includes('sea.txt');
    const isHidden = () =>
      readdirSync(join(site.root, 'public/uploads'), { recursive: true }).some((path) =>
        String(path).endsWith('/sea.txt'),
      );
    await run(MediaDelete, 'sea', '--yes');
    expect([isServed(), isHidden()]).toEqual([false, true]);
    await run(Backup, 'trash.tar.gz');
    await run(TrashPurge, '1', '--yes');
    expect([isServed(), isHidden()]).toEqual([false, false]);
    await run(Restore, 'trash.tar.gz', '--yes', '--no-keep-present');
    expect([isServed(), isHidden()]).toEqual([false, true]);
    await run(TrashRestore, '1');
    expect([isServed(), isHidden()]).toEqual([true, false]);
    await run(Restore, 'trash.tar.gz', '--yes', '--no-keep-present');
    expect([isServed(), isHidden()]).toEqual([false, true]);
    await run(TrashRestore, '1');
    expect(site.read('public/uploads/sea.txt')).toBe('sea');
  });
});
