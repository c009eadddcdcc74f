import { describe, expect, it } from 'vitest';
import Migrate from '../../../src/commands/migrate.js';
import MigrateDeploy from '../../../src/commands/migrate/deploy.js';
import MigrateNew from '../../../src/commands/migrate/new.js';
import MigrateStatus from '../../../src/commands/migrate/status.js';
import { runBinary } from '../support/binary.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const withoutDraftLine = (text: string): string => text.replace(/^-- draft.*\n/, '');

const createMigration = async (site: TempProject, ...flags: readonly string[]): Promise<string> => {
  const { stdout, exitCode } = await runCommand(MigrateNew, ['split names', ...flags], { cwd: site.root });
  expect(exitCode).toBe(0);
  return stdout.trim();
};

describe('cms migrate new', () => {
  it('makes a draft, which nothing applies until its line is deleted', async () => {
    const site = await createMigratedSite();
    const folder = await createMigration(site);
    expect(folder).toMatch(/^prisma\/migrations\/\d{14}_split_names$/);
    for (const command of [Migrate, MigrateDeploy]) {
      const refused = await runCommand(command, [], { cwd: site.root });
      expect(refused).toMatchObject({ exitCode: 4, stdout: '' });
      expect(refused.stderr).toContain('_split_names is still a draft');
    }
    const status = await runCommand(MigrateStatus, [], { cwd: site.root });
    expect(status.stdout).toMatch(/draft\s+\d{14}_split_names/);
    site.write({ [`${folder}/migration.sql`]: withoutDraftLine(site.read(`${folder}/migration.sql`)) });
    const migrated = await runCommand(Migrate, [], { cwd: site.root });
    expect(migrated).toMatchObject({ exitCode: 0, stdout: `${folder.split('/')[2]}\n` });
  });

  it('leaves out the code where only SQL is asked for, and comes after all others', async () => {
    const site = await createMigratedSite();
    const folders = [await createMigration(site), await createMigration(site, '--sql-only')];
    expect(folders.toSorted()).toEqual(folders);
    expect(site.read(`${folders[0]}/migrate.ts`)).toContain('MigrationContext');
    expect(() => site.read(`${folders[1]}/migrate.ts`)).toThrow('ENOENT');
  });

  it('goes on where it was after the process was killed', async () => {
    const site = await createMigratedSite();
    const titles = Array.from({ length: 6 }, (_, index) => `tag ${index}`);
    for (const title of titles) insertVersion(site, 'tags', title.replace(' ', ''), { title });
    const folder = await createMigration(site);
    site.write({
      [`${folder}/migration.sql`]: "UPDATE tags SET title = title || '.';\n",
      [`${folder}/migrate.ts`]: `import { existsSync, rmSync } from 'node:fs';
        import type { MigrationContext } from 'galley';
        const bomb = new URL('./bomb', import.meta.url);
        export default async ({ batches, documents, log }: MigrationContext) => {
          await batches('api::tag.tag', { size: 2 }, async (tags) => {
            for (const { documentId, title } of tags)
              await documents('api::tag.tag').update({ documentId, data: { title: title + '!' } });
            log(tags.length + ' tags');
          });
          if (existsSync(bomb)) {
            rmSync(bomb);
            process.kill(process.pid, 'SIGKILL');
          }
        };`,
      [`${folder}/bomb`]: '',
    });
    const killed = await runBinary(['migrate', 'deploy'], { cwd: site.root });
    expect(killed.exitCode).toBeNull();
    expect(killed.stderr.match(/_split_names: 2 tags/g)).toHaveLength(3);
    const status = await runCommand(MigrateStatus, [], { cwd: site.root });
    expect(status).toMatchObject({ exitCode: 4 });
    expect(status.stdout).toMatch(/unfinished\s+\d{14}_split_names/);
    const resumed = await runBinary(['migrate', 'deploy'], { cwd: site.root });
    expect(resumed).toMatchObject({ exitCode: 0, stdout: `${folder.split('/')[2]}\n` });
    expect(resumed.stderr).not.toContain('2 tags');
    expect(rowsOf(site, 'SELECT title FROM tags ORDER BY title')).toEqual(
      titles.map((title) => ({ title: `${title}.!` })),
    );
  });
});
