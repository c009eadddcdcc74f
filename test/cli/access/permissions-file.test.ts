import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import LocaleAdd from '../../../src/commands/locale/add.js';
import PermissionsApply from '../../../src/commands/permissions/apply.js';
import PermissionsExport from '../../../src/commands/permissions/export.js';
import PermissionsList from '../../../src/commands/permissions/list.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import RoleCreate from '../../../src/commands/role/create.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const WHERE = '{"title":{"$startsWith":"$user.username"},"id":{"$gt":0}}';

const run = (site: TempProject, command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
  runCommand(command, argv, { cwd: site.root });
const exported = async (site: TempProject): Promise<string> => (await run(site, PermissionsExport)).stdout;
const applyText = async (site: TempProject, text: string, ...argv: readonly string[]) => {
  writeFileSync(join(site.root, 'given.yaml'), text);
  return run(site, PermissionsApply, 'given.yaml', ...argv);
};

describe('limits of permissions on the command line', () => {
  it('are set by --fields and --where, listed, and removed by setting the action without them', async () => {
    const site = await createMigratedSite();
    await run(site, PermissionsSet, 'authenticated', 'tag', 'find');
    const set = await run(
      site,
      PermissionsSet,
      'authenticated',
      'tag',
      'update',
      '--keep',
      '--fields',
      'title',
      '--where',
      WHERE,
    );
    expect(set.stdout).toBe('+ api::tag.tag.update\n');
    expect((await run(site, PermissionsList, '--role', 'authenticated', '--json')).json()).toEqual([
      {
        role: 'authenticated',
        name: 'Authenticated',
        permissions: { 'api::tag.tag': ['find', 'update'] },
        limits: {
          'api::tag.tag.update': {
            fields: ['title'],
            where: { id: { $gt: 0 }, title: { $startsWith: '$user.username' } },
          },
        },
      },
    ]);
    expect(
      (
        await run(
          site,
          PermissionsSet,
          'authenticated',
          'tag',
          'update',
          '--keep',
          '--fields',
          'title',
          '--where',
          WHERE,
        )
      ).stdout,
    ).toBe('');
    expect((await run(site, PermissionsSet, 'authenticated', 'tag', 'update', 'find')).stdout).toBe(
      '~ api::tag.tag.update\n',
    );
    expect(
      rowsOf(site, 'SELECT action FROM up_permissions WHERE conditions IS NOT NULL OR fields IS NOT NULL'),
    ).toEqual([]);
  });

  it('limit the actions that write to drafts, and all of them to locales', async () => {
    const site = await createMigratedSite();
    await run(site, LocaleAdd, 'de');
    const actions = ['find', 'findDrafts', 'create', 'update'];
    const set = await run(
      site,
      PermissionsSet,
      'authenticated',
      'article',
      ...actions,
      '--status',
      'draft',
      '--locale',
      'en,de',
    );
    expect(set.exitCode).toBe(0);
    const both = '[locales de en,status draft]';
    expect((await run(site, PermissionsList, '--role', 'authenticated')).stdout).toContain(
      `create${both} find[locales de en] findDrafts[locales de en] update${both}`,
    );
    const file = await exported(site);
    const limits = ['          locales:', '            - de', '            - en'];
    expect(file).toContain(
      [
        '      api::article.article:',
        ...['create', 'find', 'findDrafts', 'update'].flatMap((name) => [
          `        ${name}:`,
          ...limits,
          ...(name.startsWith('find') ? [] : ['          status: draft']),
        ]),
      ].join('\n'),
    );
    const other = await createMigratedSite();
    const unknown = await applyText(other, file, '--yes');
    expect(unknown.stderr).toContain('There is no locale de');
    expect(rowsOf(other, 'SELECT * FROM up_permissions')).toEqual([]);
    await run(other, LocaleAdd, 'de');
    expect((await applyText(other, file, '--yes')).exitCode).toBe(0);
    expect(await exported(other)).toBe(file);
    expect((await run(other, PermissionsSet, 'authenticated', 'article', ...actions)).stdout).toBe(
      actions
        .toSorted()
        .map((action) => `~ api::article.article.${action}\n`)
        .join(''),
    );
  });

  it.each([
    [['article', 'find', '--status', 'draft'], 'it writes no versions'],
    [['tag', 'update', '--status', 'draft'], 'api::tag.tag has no drafts'],
    [['tag', 'update', '--locale', 'en'], 'api::tag.tag has no locales'],
    [['article', 'update', '--locale', 'fr'], 'There is no locale fr'],
    [['article', 'findDeleted', '--locale', 'en'], 'covers all deleted documents'],
    [['plugin::users-permissions.auth', 'callback', '--locale', 'en'], 'can be limited'],
    [['article', 'update', '--status', 'published'], 'Expected --status=published to be one of: draft'],
  ])('refuse %j', async ([type = '', ...flags], words) => {
    const site = await createMigratedSite();
    const result = await run(site, PermissionsSet, 'public', type, ...flags);
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr).toContain(words);
    expect(rowsOf(site, 'SELECT * FROM up_permissions')).toEqual([]);
  });

  it.each([
    [['--where', 'nope'], 2, '--where is not valid JSON'],
    [['--where', '[]'], 2, '--where is not a JSON object'],
    [['--where', '{"titel":"x"}'], 2, 'Did you mean title?'],
    [['--where', '{"title":"$user.nam"}'], 2, '$user.nam'],
    [['--fields', 'titel'], 2, 'Did you mean title?'],
  ])('refuse %j', async (flags, exitCode, words) => {
    const site = await createMigratedSite();
    const result = await run(site, PermissionsSet, 'public', 'tag', 'find', ...flags);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(words);
    expect(rowsOf(site, 'SELECT * FROM up_permissions')).toEqual([]);
  });
});

describe('cms permissions export and apply', () => {
  it('take "-" for the standard streams', async () => {
    const site = await createMigratedSite();
    expect((await run(site, PermissionsExport, '-')).stdout).toBe(await exported(site));
    expect(existsSync(join(site.root, '-'))).toBe(false);
  });

  it('write the same bytes for the same permissions, and apply them to another server', async () => {
    const [site, other] = [await createMigratedSite(), await createMigratedSite()];
    await run(site, PermissionsSet, 'public', 'tag', 'findOne', 'find');
    await run(site, RoleCreate, 'Editor', '--description', 'Writes: "much"');
    await run(site, PermissionsSet, 'editor', 'article', '*');
    await run(site, PermissionsSet, 'editor', 'tag', 'update', '--fields', 'title', '--where', WHERE);
    const file = await exported(site);
    expect(file).toBe(
      [
        '# Permissions of each role. Written by: cms permissions export. Applied by: cms permissions apply.',
        'roles:',
        '  authenticated:',
        '    description: Default role given to authenticated user.',
        '    name: Authenticated',
        '    permissions: {}',
        '  editor:',
        `    description: 'Writes: "much"'`,
        '    name: Editor',
        '    permissions:',
        '      api::article.article:',
        ...['create', 'delete', 'find', 'findOne', 'update'].map((action) => `        ${action}: true`),
        '      api::tag.tag:',
        '        update:',
        '          fields:',
        '            - title',
        '          where:',
        '            id:',
        '              $gt: 0',
        '            title:',
        '              $startsWith: $user.username',
        '  public:',
        '    description: Default role given to unauthenticated user.',
        '    name: Public',
        '    permissions:',
        '      api::tag.tag:',
        '        find: true',
        '        findOne: true',
        '',
      ].join('\n'),
    );
    const dry = await applyText(other, file, '--dry-run');
    expect(dry.stdout).toContain('+  editor:');
    expect(rowsOf(other, 'SELECT * FROM up_permissions')).toEqual([]);
    expect((await applyText(other, file)).exitCode).toBe(2);
    expect((await applyText(other, file, '--yes')).exitCode).toBe(0);
    expect(await exported(other)).toBe(file);
    const rows = rowsOf(other, 'SELECT * FROM up_permissions ORDER BY id');
    const again = await applyText(other, file, '--yes', '--json');
    expect(again.json()).toEqual({ changed: false, diff: '' });
    expect(rowsOf(other, 'SELECT * FROM up_permissions ORDER BY id')).toEqual(rows);
    await run(site, PermissionsExport, 'permissions.yaml');
    expect(readFileSync(join(site.root, 'permissions.yaml'), 'utf8')).toBe(file);
  });

  it('withdraw what the file does not name, and leave roles alone that it does not speak of', async () => {
    const site = await createMigratedSite();
    await run(site, PermissionsSet, 'public', 'tag', 'find', 'create');
    await run(site, PermissionsSet, 'authenticated', 'tag', 'find');
    const applied = await applyText(
      site,
      [
        'roles:',
        '  public:',
        '    name: Public',
        '    permissions:',
        '      api::tag.tag: { find: true, create: false }',
        '',
      ].join('\n'),
      '--yes',
    );
    expect(applied.exitCode).toBe(0);
    expect(applied.stderr).toContain('-        create: true');
    expect(rowsOf(site, 'SELECT action FROM up_permissions ORDER BY id')).toEqual([
      { action: 'api::tag.tag.find' },
      { action: 'api::tag.tag.find' },
    ]);
  });

  it.each([
    ['roles: [', 'is not a permissions file'],
    ['[]', 'is not a mapping'],
    ['roles:\n  public: { permissions: { api::tga.tag: { find: true } } }', 'Did you mean api::tag.tag?'],
    ['roles:\n  public: { permissions: { api::tag.tag: { finde: true } } }', 'Did you mean find?'],
    [
      'roles:\n  public: { permissions: { api::tag.tag: { find: { field: [title] } } } }',
      'the keys are fields, where, locales, status',
    ],
    [
      'roles:\n  public: { permissions: { api::article.article: { find: { status: draft } } } }',
      'find writes no versions',
    ],
    [
      'roles:\n  public: { permissions: { api::article.article: { update: { status: published } } } }',
      'is not draft',
    ],
    ['roles:\n  public: { permissions: { api::tag.tag: { find: { where: { nosuch: 1 } } } } }', 'nosuch'],
    ['roles:\n  "a b": { name: abc }', 'not a valid role type'],
    [
      'a: &a [x, x]\nroles: { public: { permissions: { api::tag.tag: { find: { fields: *a } } } } }',
      'not a permissions file',
    ],
  ])('refuse %j and change nothing', async (text, words) => {
    const site = await createMigratedSite();
    await run(site, PermissionsSet, 'public', 'tag', 'find');
    const result = await applyText(site, text, '--yes');
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr).toContain(words);
    expect(rowsOf(site, 'SELECT action FROM up_permissions')).toEqual([{ action: 'api::tag.tag.find' }]);
  });

  it('withdraw with --prune what the file does not name, and keep it without', async () => {
    const site = await createMigratedSite();
    await run(site, PermissionsSet, 'public', 'tag', 'find', 'create');
    await run(site, PermissionsSet, 'authenticated', 'tag', 'find');
    const text = 'roles:\n  public:\n    name: Public\n    permissions: { api::tag.tag: { find: true } }\n';
    await applyText(site, text, '--yes');
    const before = (await run(site, PermissionsList, '--json')).json<{ permissions: unknown }[]>();
    expect(before.map(({ permissions }) => permissions)).toEqual([
      { 'api::tag.tag': ['find'] },
      { 'api::tag.tag': ['find'] },
    ]);
    const dry = await applyText(site, text, '--prune', '--dry-run');
    expect(dry.stdout).toMatch(/^-.*find: true$/m);
    expect((await run(site, PermissionsList, '--json')).json()).toEqual(before);
    await applyText(site, text, '--prune', '--yes');
    const after = (await run(site, PermissionsList, '--json')).json<{ permissions: unknown }[]>();
    expect(after.map(({ permissions }) => permissions)).toEqual([{}, { 'api::tag.tag': ['find'] }]);
    expect((await applyText(site, text, '--prune', '--yes', '--json')).json()).toMatchObject({
      changed: false,
    });
  });
});
