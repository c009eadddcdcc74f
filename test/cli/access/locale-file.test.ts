import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import LocaleAdd from '../../../src/commands/locale/add.js';
import LocaleApply from '../../../src/commands/locale/apply.js';
import LocaleExport from '../../../src/commands/locale/export.js';
import LocaleRemove from '../../../src/commands/locale/remove.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const run = (site: TempProject, command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
  runCommand(command, argv, { cwd: site.root });
const applyText = async (site: TempProject, text: string, ...argv: readonly string[]) => {
  writeFileSync(join(site.root, 'given.yaml'), text);
  return run(site, LocaleApply, 'given.yaml', ...argv);
};
const stored = (site: TempProject) =>
  rowsOf(site, 'SELECT code, name, is_default FROM cms_locales ORDER BY code');

const FILE = [
  '# Locales of content. Written by: cms locale export. Applied by: cms locale apply.',
  'default: de',
  'locales:',
  '  de: Deutsch',
  '  en: English (en)',
  '  pt-BR: Brazilian Portuguese (pt-BR)',
  '',
].join('\n');

const WITHOUT_NAMES = 'default: en\nlocales: { fr: null, en: }\n';

describe('cms locale export and apply', () => {
  it('write the same bytes for the same locales, and apply them to another server', async () => {
    const [site, other] = [await createMigratedSite(), await createMigratedSite()];
    await run(site, LocaleAdd, 'pt-BR');
    await run(site, LocaleAdd, 'de', '--name', 'Deutsch', '--default');
    expect((await run(site, LocaleExport)).stdout).toBe(FILE);
    await run(site, LocaleExport, 'locales.yaml');
    expect(readFileSync(join(site.root, 'locales.yaml'), 'utf8')).toBe(FILE);

    const dry = await applyText(other, FILE, '--dry-run', '--json');
    expect(dry.json()).toMatchObject({ changed: true, losses: [], dryRun: true });
    expect(dry.json<{ diff: string }>().diff).toContain('+default: de');
    expect((await applyText(other, FILE)).exitCode).toBe(2);
    expect(stored(other)).toEqual([{ code: 'en', name: 'English (en)', is_default: 1 }]);
    expect((await applyText(other, FILE, '--yes')).stdout).toBe('Applied given.yaml.\n');
    expect((await run(other, LocaleExport)).stdout).toBe(FILE);
    expect((await applyText(other, FILE, '--yes', '--json')).json()).toEqual({
      changed: false,
      diff: '',
      losses: [],
    });
  });

  it('keep the names of locales without one in the file, and accept codes in any case', async () => {
    const site = await createMigratedSite();
    await run(site, LocaleAdd, 'fr', '--name', 'Français');
    expect((await applyText(site, WITHOUT_NAMES, '--json')).json()).toMatchObject({ changed: false });
    await applyText(site, 'default: EN\nlocales: { EN: null, FR: null, zh-hant: null }\n', '--yes');
    expect(stored(site).map(({ code }) => code)).toEqual(['en', 'fr', 'zh-Hant']);
  });

  it('remove a locale that the file lacks, but its content only once that is accepted', async () => {
    const site = await createMigratedSite();
    for (const code of ['de', 'fr']) await run(site, LocaleAdd, code);
    insertVersion(site, 'articles', 'one', { locale: 'fr', status: 'draft', title: 'x' });
    const before = stored(site);
    const text = 'default: en\nlocales: { en: null }\n';
    const refused = await applyText(site, text, '--yes');
    expect({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(refused.stderr).toContain(
      'api::article.article in fr: its content is removed (1 row holds a value)',
    );
    expect(refused.stderr).not.toContain('in de');
    expect(stored(site)).toEqual(before);
    expect((await applyText(site, text, '--dry-run')).stdout).toContain(
      'would lose: api::article.article in fr (1)',
    );
    expect((await applyText(site, text, '--yes', '--accept-data-loss')).exitCode).toBe(0);
    expect(stored(site).map(({ code }) => code)).toEqual(['en']);
    expect(rowsOf(site, 'SELECT document_id FROM articles')).toEqual([]);
  });

  it.each([
    ['locales: [', 2, 'is not a locales file'],
    ['[]', 2, 'is not a mapping'],
    ['default: en\nlocales: [en]', 2, 'is not a mapping of codes to names'],
    ['default: en\nlocales: { en: 1 }', 2, 'the name of en is not text'],
    ['default: fr\nlocales: { en: null }', 2, 'default is not the code'],
    ['locales: { en: null }', 2, 'default is not the code'],
    ['default: en\nlocales: { en: null, EN: null }', 2, 'EN is listed twice'],
    ['default: en\nlocales: { en: null }\nfallback: en', 2, 'unknown key fallback'],
    ['default: en\nlocales: { en: null, q-: null }', 2, 'q- is not a known locale code'],
  ])('refuse %j and change nothing', async (text, exitCode, words) => {
    const site = await createMigratedSite();
    await run(site, LocaleAdd, 'fr');
    const before = stored(site);
    const result = await applyText(site, text, '--yes');
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: '' });
    expect(result.stderr).toContain(words);
    expect(stored(site)).toEqual(before);
  });
});

describe('commands that change locales and permissions', () => {
  it('remind of the files that deployments apply, in projects that have them', async () => {
    const site = await createMigratedSite();
    const reminder = 'To deploy this change, run: cms';
    expect((await run(site, LocaleAdd, 'fr')).stderr).not.toContain(reminder);
    await run(site, LocaleExport, 'locales.yaml');
    expect((await run(site, LocaleAdd, 'fr', '--force')).stderr).not.toContain(reminder);
    expect((await run(site, LocaleAdd, 'de', '--dry-run')).stderr).not.toContain(reminder);
    expect((await run(site, LocaleAdd, 'de')).stderr).toContain(`${reminder} locale export locales.yaml`);
    expect((await run(site, LocaleRemove, 'de')).stderr).toContain(`${reminder} locale export locales.yaml`);
    const set = () => run(site, PermissionsSet, 'public', 'tag', 'find');
    expect((await set()).stderr).toContain(`${reminder} permissions export permissions.yaml`);
    expect((await set()).stderr).not.toContain(reminder);
  });
});
