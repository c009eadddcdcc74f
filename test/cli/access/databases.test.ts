import { describe, expect, it } from 'vitest';
import LocaleAdd from '../../../src/commands/locale/add.js';
import LocaleList from '../../../src/commands/locale/list.js';
import PermissionsList from '../../../src/commands/permissions/list.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import TokenCreate from '../../../src/commands/token/create.js';
import TokenList from '../../../src/commands/token/list.js';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { openProjectNames } from '../../../src/cli/completion/project-names.js';
import { databases } from '../../support/databases.js';
import { createSite, SECRETS } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';

describe.each(databases)('what commands write to $name', ({ create }) => {
  it('is there for the next command, and for completion', async () => {
    const { url } = await create();
    const site = createSite({ '.env': `${SECRETS}DATABASE_URL=${url}\n` });
    await migrateProjectDatabase(await openProject(site.root), { label: 'start' });
    const options = { cwd: site.root };
    const names = openProjectNames(site.root);
    expect([await names.tokens(), await names.locales(), await names.roles()]).toEqual([[], [], []]);
    const made = await runCommand(
      TokenCreate,
      ['--name', 'ci', '--type', 'custom', '--permission', 'article.*'],
      options,
    );
    expect(made.exitCode).toBe(0);
    expect(made.stderr).not.toContain('postgres:postgres');
    await runCommand(PermissionsSet, ['public', 'tag', 'find'], options);
    await runCommand(LocaleAdd, ['fr', '--default'], options);
    expect(
      (await runCommand(TokenList, ['--json'], options)).json<{ permissions: unknown[] }[]>(),
    ).toMatchObject([{ name: 'ci', type: 'custom', lastUsedAt: null }]);
    expect((await runCommand(PermissionsList, ['--role', 'public', '--json'], options)).json()).toMatchObject(
      [{ permissions: { 'api::tag.tag': ['find'] } }],
    );
    expect((await runCommand(LocaleList, ['--json'], options)).json()).toMatchObject([
      { code: 'en', isDefault: false },
      { code: 'fr', isDefault: true },
    ]);
    expect([await names.tokens(), await names.locales(), await names.roles()]).toEqual([
      ['ci'],
      ['en', 'fr'],
      ['authenticated', 'public'],
    ]);
  });
});
