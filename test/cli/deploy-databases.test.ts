import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Deploy from '../../src/commands/deploy.js';
import Doctor from '../../src/commands/doctor.js';
import LocaleAdd from '../../src/commands/locale/add.js';
import LocaleList from '../../src/commands/locale/list.js';
import LocaleRemove from '../../src/commands/locale/remove.js';
import Migrate from '../../src/commands/migrate.js';
import PermissionsList from '../../src/commands/permissions/list.js';
import PermissionsSet from '../../src/commands/permissions/set.js';
import { databases } from '../support/databases.js';
import { SECRETS, SITE } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';
import { createSharedProject } from './support/temp-project.js';
import type { TempProject } from './support/temp-project.js';

const LOCALES = 'default: de\nlocales: { de: Deutsch, en: null }\n';
const PERMISSIONS =
  'roles:\n' +
  '  editor: { name: Editor, permissions: { api::article.article: { update: true } } }\n' +
  '  public: { name: Public, permissions: { api::tag.tag: { find: true } } }\n';

const run = (site: TempProject, command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
  runCommand(command, argv, { cwd: site.root });

describe.each(databases)('cms deploy on $name', ({ create }) => {
  let site: TempProject;

  beforeAll(async () => {
    const { url } = await create();
    site = createSharedProject({ ...SITE, '.env': `${SECRETS}DATABASE_URL=${url}\n` });
    await run(site, Migrate, '--name', 'start');
  });
  beforeEach(async () => {
    const { url } = await create();
    site.write({
      '.env': `${SECRETS}DATABASE_URL=${url}\n`,
      'locales.yaml': LOCALES,
      'permissions.yaml': PERMISSIONS,
    });
  });
  const grants = async () =>
    (await run(site, PermissionsList, '--json'))
      .json<readonly { readonly role: string; readonly permissions: unknown }[]>()
      .map(({ role, permissions }) => [role, permissions]);
  const locales = async () =>
    (await run(site, LocaleList, '--json'))
      .json<readonly { readonly code: string; readonly name: string; readonly isDefault: boolean }[]>()
      .map(({ code, name, isDefault }) => [code, name, isDefault]);
  /** What cms doctor reports about the files. */
  const outdated = async () =>
    (await run(site, Doctor, '--json'))
      .json<{ readonly findings: readonly { readonly check: string; readonly message: string }[] }>()
      .findings.filter(({ check }) => check === 'permissions')
      .map(({ message }) => message);

  it('applies everything once, from several instances at the same time', async () => {
    const dry = await run(site, Deploy, '--dry-run');
    expect(dry.stdout).toContain('CREATE TABLE "tags"');
    expect(dry.stderr).toContain('locales.yaml and permissions.yaml can be compared');

    const deployed = await Promise.all([run(site, Deploy, '--json'), run(site, Deploy, '--json')]);
    expect(deployed.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const applied = deployed.map(({ json }) => json<{ applied: readonly string[] }>().applied);
    expect(applied.flat()).toEqual([expect.stringMatching(/_start$/)]);
    expect(await locales()).toEqual([
      ['en', 'English (en)', false],
      ['de', 'Deutsch', true],
    ]);
    expect(await grants()).toEqual([
      ['authenticated', {}],
      ['public', { 'api::tag.tag': ['find'] }],
      ['editor', { 'api::article.article': ['update'] }],
    ]);

    const again = await run(site, Deploy);
    expect(again).toMatchObject({ exitCode: 0, stdout: '' });
    expect(again.stderr).not.toContain('.yaml');
    expect((await run(site, Deploy, '--json')).json()).toEqual({
      applied: [],
      files: {
        'locales.yaml': { changed: false, diff: '' },
        'permissions.yaml': { changed: false, diff: '' },
      },
    });
  });

  it('prints the differences, and reverts changes that are not in the files', async () => {
    await run(site, Deploy);
    expect(await outdated()).toEqual([]);
    await run(site, LocaleAdd, 'fr');
    expect(await outdated()).toEqual([expect.stringContaining('locales.yaml differs')]);
    await run(site, PermissionsSet, 'public', 'tag', 'findOne');
    expect(await outdated()).toHaveLength(2);
    await run(site, PermissionsSet, 'public', 'tag', 'find');
    const dry = await run(site, Deploy, '--dry-run');
    expect(dry.stdout).toMatch(/^-  fr: French \(fr\)$/m);
    expect((await locales()).map(([code]) => code)).toContain('fr');
    const deployed = await run(site, Deploy);
    expect(deployed.stderr).toMatch(/^-  fr: French \(fr\)$/m);
    expect(deployed.stdout).toBe('locales.yaml\n');
    expect((await locales()).map(([code]) => code)).not.toContain('fr');
    await run(site, LocaleRemove, 'en');
    expect((await run(site, Deploy)).stdout).toBe('locales.yaml\n');
  });

  it('applies nothing if a file is wrong', async () => {
    const wrong = PERMISSIONS.replace('api::tag.tag', 'api::tga.tag');
    site.write({ 'permissions.yaml': wrong });
    const refused = await run(site, Deploy);
    expect(refused).toMatchObject({ stdout: '', stderr: expect.stringContaining('api::tag.tag') as string });
    expect(refused.exitCode).not.toBe(0);
    site.write({ 'permissions.yaml': PERMISSIONS });
    expect((await run(site, Deploy, '--json')).json()).toMatchObject({
      applied: [expect.stringMatching(/_start$/)],
    });
  });
});
