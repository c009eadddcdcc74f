import { describe, expect, it } from 'vitest';
import Complete from '../../../src/commands/complete.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import { openProjectNames } from '../../../src/cli/completion/project-names.js';
import TokenCreate from '../../../src/commands/token/create.js';
import UserCreate from '../../../src/commands/user/create.js';
import { runBinary } from '../support/binary.js';
import { createMigratedSite, createSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import { createTempFolder } from '../support/temp-project.js';
import type { TempProject } from '../support/temp-project.js';

/** What a shell is offered for the last word of a line. */
const complete = async (
  { root }: Pick<TempProject, 'root'>,
  ...line: readonly string[]
): Promise<readonly string[]> => {
  const { json, stderr, exitCode } = await runCommand(Complete, ['--json', '--', ...line], { cwd: root });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return json<{ candidates: { value: string }[] }>().candidates.map(({ value }) => value);
};

describe('completion', () => {
  it('offers tokens, roles, locales, and what may be granted', async () => {
    const site = await createMigratedSite();
    await runCommand(TokenCreate, ['--name', 'ci', '--type', 'read-only'], { cwd: site.root });
    await runCommand(PermissionsSet, ['public', 'tag', 'find'], { cwd: site.root });
    const { stdout } = await runBinary(['complete', '--', 'token', 'show', ''], { cwd: site.root });
    expect(stdout).toBe('ci\t\n');
    expect(await complete(site, 'token', 'revoke', 'x')).toEqual([]);
    expect(await complete(site, 'locale', 'remove', '')).toEqual(['en']);
    expect(await complete(site, 'permissions', 'set', '')).toEqual(['authenticated', 'public']);
    expect(await complete(site, 'permissions', 'list', '--role', 'pub')).toEqual(['public']);
    expect(await complete(site, 'permissions', 'set', 'public', 'ar')).toEqual(['article']);
    expect(await complete(site, 'permissions', 'set', 'public', 'plugin::upload')).toEqual([
      'plugin::upload.content-api',
    ]);
    expect(await complete(site, 'permissions', 'set', 'public', 'home-page', '')).toEqual([
      'find',
      'update',
      'delete',
      'findDeleted',
      'restoreDeleted',
      'purgeDeleted',
    ]);
    expect(
      await complete(site, 'permissions', 'unset', 'public', 'plugin::upload.content-api', 'find', 'des'),
    ).toEqual(['destroy']);
    expect(await complete(site, 'token', 'create', '--permission', 'tag.f')).toEqual([
      'tag.find',
      'tag.findOne',
      'tag.findDeleted',
    ]);
    expect(await complete(site, 'token', 'create', '--type', '')).toEqual([
      'read-only',
      'full-access',
      'custom',
      'preview',
    ]);
  });

  it('offers users by name, or by address', async () => {
    const site = await createMigratedSite();
    for (const name of ['ann', 'anna', "o'hara", 'Zoë']) {
      expect(
        (
          await runCommand(
            UserCreate,
            [name, '--email', `${name.replaceAll(/\W/g, 'x')}@example.com`, '--password', '-'],
            { cwd: site.root, stdin: 'secret123' },
          )
        ).exitCode,
      ).toBe(0);
    }
    for (const command of ['block', 'unblock', 'set-password', 'remove']) {
      expect(await complete(site, 'user', command, 'a')).toEqual(['ann', 'anna']);
    }
    expect(await complete(site, 'user', 'block', "o'")).toEqual(["o'hara"]);
    expect(await complete(site, 'user', 'block', 'Zoë')).toEqual(['Zoë']);
    expect(await complete(site, 'user', 'block', 'ann@')).toEqual(['ann@example.com']);
    expect(await complete(site, 'user', 'block', '')).toHaveLength(4);
    expect(await complete(site, 'user', 'block', 'x')).toEqual([]);
  });

  it('has none where the database is not there, and does not make it', async () => {
    const site = createSite();
    const names = openProjectNames(site.root);
    expect([await names.tokens(), await names.locales(), await names.roles()]).toEqual([[], [], []]);
    expect(() => site.read('data.db')).toThrow(/ENOENT/);
    const deleted = ['findDeleted', 'restoreDeleted', 'purgeDeleted'];
    expect(await names.actions('tag')).toEqual(['find', 'findOne', 'create', 'update', 'delete', ...deleted]);
    expect((await names.actions('article')).slice(5)).toEqual([
      'findDrafts',
      'findVersions',
      'restoreVersion',
      ...deleted,
    ]);
    expect(await names.actions('nothing')).toEqual([]);
    expect(await names.permissions()).toEqual(
      expect.arrayContaining([
        'article.find',
        'article.*',
        'api::article.article.find',
        'plugin::users-permissions.auth.register',
      ]),
    );
  });

  it('has none outside of a project, or where the configuration cannot be read', async () => {
    const outside = openProjectNames(createTempFolder());
    expect([await outside.grantables(), await outside.permissions(), await outside.tokens()]).toEqual([
      [],
      [],
      [],
    ]);
    const broken = openProjectNames(createSite({ 'cms.config.js': 'export default {' }).root);
    expect([await broken.tokens(), await broken.locales()]).toEqual([[], []]);
  });
});
