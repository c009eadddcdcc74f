import { describe, expect, it } from 'vitest';
import LocaleAdd from '../../src/commands/locale/add.js';
import LocaleList from '../../src/commands/locale/list.js';
import LocaleRemove from '../../src/commands/locale/remove.js';
import { createFakeTerminal } from './support/fake-terminal.js';
import { createMigratedSite, createSite, rowsOf } from './support/migrated-project.js';
import { insertVersion } from './support/rows.js';
import { runCommand, runOn } from './support/run-command.js';
import type { TempProject } from './support/temp-project.js';

const add = (site: TempProject, ...argv: readonly string[]) =>
  runCommand(LocaleAdd, argv, { cwd: site.root });
const remove = (site: TempProject, ...argv: readonly string[]) =>
  runCommand(LocaleRemove, argv, { cwd: site.root });
const codes = (site: TempProject) =>
  rowsOf(site, 'SELECT code, name, is_default FROM cms_locales ORDER BY id');

const ENGLISH = { code: 'en', name: 'English (en)', is_default: 1 };
const FRENCH = { code: 'fr', name: 'French (fr)', is_default: 0 };

/** Two articles with a draft in French; one of them has no other language. */
const insertFrenchArticles = (site: TempProject): void => {
  insertVersion(site, 'articles', 'one', { locale: 'fr', status: 'draft', title: 'x' });
  insertVersion(site, 'articles', 'two', { locale: 'fr', status: 'draft', title: 'x' });
  insertVersion(site, 'articles', 'two', { locale: 'en', status: 'draft', title: 'x' });
};

const articles = (site: TempProject) => rowsOf(site, 'SELECT document_id, locale FROM articles ORDER BY id');

describe('cms locale add', () => {
  it('adds a language under its English name, and makes one the default', async () => {
    const site = await createMigratedSite();
    const { stdout, stderr, exitCode } = await add(site, 'fr');
    expect({ stdout, exitCode }).toEqual({ stdout: 'Added fr, French (fr)\n', exitCode: 0 });
    expect(stderr).toContain('Project site, database file:');
    expect(codes(site)).toEqual([ENGLISH, FRENCH]);
    const { json } = await add(site, 'fr', '--default', '--json');
    expect(json()).toMatchObject({ code: 'fr', isDefault: true, added: false });
    expect(codes(site)).toEqual([
      { ...ENGLISH, is_default: 0 },
      { ...FRENCH, is_default: 1 },
    ]);
    expect((await add(site, 'PT-br', '--name', 'Brazil', '--json')).json()).toMatchObject({
      code: 'pt-BR',
      name: 'Brazil',
      isDefault: false,
      added: true,
    });
  });

  it('is a mistake the second time, but not with --force', async () => {
    const site = await createMigratedSite();
    await add(site, 'fr');
    const again = await add(site, 'fr');
    expect({ exitCode: again.exitCode, stdout: again.stdout }).toEqual({ exitCode: 1, stdout: '' });
    const forced = await add(site, 'fr', '--name', 'Other', '--force');
    expect({ exitCode: forced.exitCode, stdout: forced.stdout }).toEqual({
      exitCode: 0,
      stdout: 'Already exists: fr, French (fr)\n',
    });
    expect(forced.stderr).toContain('keeps its name');
    expect(codes(site)).toEqual([ENGLISH, FRENCH]);
  });

  it('changes nothing with --dry-run', async () => {
    const site = await createMigratedSite();
    await add(site, 'de');
    const before = codes(site);
    expect((await add(site, 'fr', '--default', '--dry-run')).stdout).toBe(
      'Would add fr, French (fr), the default\n',
    );
    expect(codes(site)).toEqual(before);
  });

  it.each([
    [['q-'], 2, 'pt-BR'],
    [[], 2, '<code>'],
  ])('refuses %j', async (argv, exitCode, words) => {
    const site = await createMigratedSite();
    const result = await add(site, ...argv);
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' });
    expect(result.stderr).toContain(words);
  });
});

describe('cms locale list', () => {
  it('lists the languages in the order in which they came', async () => {
    const site = await createMigratedSite();
    await add(site, 'fr');
    const { stdout } = await runCommand(LocaleList, [], { cwd: site.root });
    expect(stdout).toBe('CODE  NAME          DEFAULT\nen    English (en)  yes\nfr    French (fr)\n');
    const { json } = await runCommand(LocaleList, ['--json'], { cwd: site.root });
    expect(json()).toMatchObject([
      { id: 1, code: 'en', isDefault: true },
      { id: 2, code: 'fr', isDefault: false },
    ]);
  });

  it('names cms migrate where the database is not there yet', async () => {
    const { exitCode, stderr } = await runCommand(LocaleList, [], { cwd: createSite().root });
    expect(exitCode).toBe(4);
    expect(stderr).toContain('cms migrate');
  });
});

describe('cms locale remove', () => {
  it('removes a language nothing is written in', async () => {
    const site = await createMigratedSite();
    await add(site, 'fr');
    expect((await remove(site, 'fr', '--dry-run')).stdout).toBe('Would remove fr, French (fr)\n');
    expect(codes(site)).toEqual([ENGLISH, FRENCH]);
    const { stdout, exitCode } = await remove(site, 'fr');
    expect({ stdout, exitCode }).toEqual({ stdout: 'Removed fr, French (fr)\n', exitCode: 0 });
    expect(codes(site)).toEqual([ENGLISH]);
  });

  it('counts what would be lost and refuses with 3, even with --yes', async () => {
    const site = await createMigratedSite();
    await add(site, 'fr');
    insertFrenchArticles(site);
    const [locales, before] = [codes(site), articles(site)];
    for (const argv of [['fr'], ['fr', '--yes']]) {
      const refused = await remove(site, ...argv);
      expect({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 3, stdout: '' });
      expect(refused.stderr).toContain(
        'api::article.article in fr: its content is removed (2 rows hold a value)',
      );
      expect(refused.stderr).toContain('--accept-data-loss');
    }
    expect((await remove(site, 'fr', '--json')).json()).toMatchObject({
      error: { changes: [{ type: 'api::article.article', path: null, values: 2 }] },
    });
    expect((await remove(site, 'fr', '--dry-run', '--json')).json()).toEqual({
      removed: 'fr',
      losses: [{ type: 'api::article.article', versions: 2 }],
      dryRun: true,
    });
    expect([codes(site), articles(site)]).toEqual([locales, before]);
  });

  it('removes the content as well once that is accepted', async () => {
    const site = await createMigratedSite();
    await add(site, 'fr');
    insertFrenchArticles(site);
    const { json, exitCode, stderr } = await remove(site, 'fr', '--accept-data-loss', '--json');
    expect({ json: json(), exitCode }).toEqual({
      json: { removed: 'fr', losses: [{ type: 'api::article.article', versions: 2 }] },
      exitCode: 0,
    });
    expect(stderr).toContain('This loses data:');
    expect(articles(site)).toEqual([{ document_id: 'two', locale: 'en' }]);
    expect(rowsOf(site, 'SELECT document_id FROM articles_documents')).toEqual([{ document_id: 'two' }]);
    expect(codes(site)).toEqual([ENGLISH]);
  });

  it('asks on a terminal, where a no changes nothing', async () => {
    const site = await createMigratedSite();
    await add(site, 'fr');
    insertFrenchArticles(site);
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, LocaleRemove, ['fr']);
    await terminal.waitForText('Lose this data?');
    terminal.type('\r');
    expect(await done).toBe(3);
    expect(codes(site)).toEqual([ENGLISH, FRENCH]);
  });

  it.each([
    ['en', 'default'],
    ['fq', 'Did you mean fr?'],
    ['zz-ZZ', 'Locales are en, fr'],
  ])('refuses %s', async (code, words) => {
    const site = await createMigratedSite();
    await add(site, 'fr');
    const { exitCode, stderr } = await remove(site, code);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(words);
    expect(codes(site)).toEqual([ENGLISH, FRENCH]);
  });
});
