import { describe, expect, it } from 'vitest';
import Migrate from '../../../src/commands/migrate.js';
import MigrateDeploy from '../../../src/commands/migrate/deploy.js';
import MigrateStatus from '../../../src/commands/migrate/status.js';
import { checkOut, pull } from '../support/check-out.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const TAG = 'src/api/tag/content-types/tag/schema.json';

const status = (site: TempProject) => runCommand(MigrateStatus, ['--json'], { cwd: site.root });

describe('the account of pending migrations', () => {
  it('says what stands in the way on this database, and which flag lets it through', async () => {
    const site = await createMigratedSite();
    const server = checkOut(site);
    await runCommand(MigrateDeploy, [], { cwd: server.root });
    insertVersion(server, 'tags', 'one', { title: 'kept' });
    site.write({
      [TAG]: { ...(JSON.parse(site.read(TAG)) as object), attributes: { title: { type: 'integer' } } },
    });
    const { stdout: name } = await runCommand(Migrate, ['--name', 'numbers'], { cwd: site.root });
    pull(site, server);
    const expected = {
      counted: name.trim(),
      changes: [{ kind: 'dropped', type: 'api::tag.tag', path: 'title', values: 1, samples: ['"kept"'] }],
      violations: [],
      needs: ['--accept-data-loss'],
      uncounted: [],
    };
    const before = fileTree(server.root);
    const behind = await status(server);
    expect(behind.exitCode).toBe(4);
    expect(behind.json()).toMatchObject(expected);
    const printed = await runCommand(MigrateStatus, [], { cwd: server.root });
    expect(printed.stdout).toContain('This loses data:\n  api::tag.tag title: ');
    expect(printed.stdout).toContain('This needs: cms migrate deploy --accept-data-loss\n');
    const preview = await runCommand(MigrateDeploy, ['--dry-run', '--json'], { cwd: server.root });
    expect(preview.exitCode).toBe(0);
    expect(preview.json()).toMatchObject({ dryRun: true, pending: [name.trim()], ...expected });
    const commented = await runCommand(MigrateDeploy, ['--dry-run'], { cwd: server.root });
    expect(commented.stdout).toMatch(/^-- would lose: api::tag\.tag title: .*\(1 value, such as "kept"\)/m);
    expect(commented.stdout).toContain('-- This needs: cms migrate deploy --accept-data-loss\n');
    expect(fileTree(server.root)).toEqual(before);
    expect((await runCommand(MigrateDeploy, expected.needs, { cwd: server.root })).exitCode).toBe(0);
    expect((await status(server)).json()).toMatchObject({ upToDate: true, counted: null, changes: [] });
  });
});
