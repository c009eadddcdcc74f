import { describe, expect, it } from 'vitest';
import Migrate from '../../../src/commands/migrate.js';
import MigrateDeploy from '../../../src/commands/migrate/deploy.js';
import { createMigratedSite, typeFile } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';

const SAFE = 'Safe while old instances run';
const UNSAFE = 'Stop old instances first';
const TAG = 'src/api/tag/content-types/tag/schema.json';

describe('what a migration means for running instances', () => {
  it('is reported by the plan and by the result of cms migrate', async () => {
    const site = await createMigratedSite();
    site.write(typeFile('note'));
    expect((await runCommand(Migrate, ['--dry-run'], { cwd: site.root })).stdout).toContain(SAFE);
    const added = await runCommand(Migrate, ['--json'], { cwd: site.root });
    expect(added.json()).toMatchObject({ safeWhileRunning: true });
    expect(added.stderr).toContain(SAFE);
    site.write({
      [TAG]: { ...(JSON.parse(site.read(TAG)) as object), attributes: { name: { type: 'string' } } },
    });
    expect((await runCommand(Migrate, ['--dry-run'], { cwd: site.root })).stdout).toContain(UNSAFE);
    const dropped = await runCommand(Migrate, [], { cwd: site.root });
    expect(dropped.stderr).toContain(UNSAFE);
  });

  it('is reported by cms migrate deploy, except for SQL written by hand', async () => {
    const site = await createMigratedSite();
    const folder = 'prisma/migrations/99990101000000_hand';
    site.write({
      [`${folder}/migration.sql`]: '-- nothing\n',
      [`${folder}/migrate.ts`]: 'export default () => {};',
    });
    const deploy = (...flags: readonly string[]) =>
      runCommand(MigrateDeploy, ['--json', ...flags], { cwd: site.root });
    expect((await deploy('--dry-run')).json()).toMatchObject({ safeWhileRunning: true });
    site.write({ [`${folder}/migration.sql`]: "UPDATE tags SET title = 'x';\n" });
    expect((await deploy('--dry-run')).json()).toMatchObject({ safeWhileRunning: false });
    const deployed = await deploy();
    expect(deployed.json()).toMatchObject({ applied: ['99990101000000_hand'], safeWhileRunning: false });
    expect(deployed.stderr).toContain(UNSAFE);
    expect((await deploy()).json()).toEqual({ applied: [] });
  });
});
