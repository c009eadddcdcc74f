import { describe, expect, it } from 'vitest';
import Migrate from '../../../src/commands/migrate.js';
import MigrateDiff from '../../../src/commands/migrate/diff.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { insertVersion } from '../support/rows.js';
import { runCommand } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const TAG = 'src/api/tag/content-types/tag/schema.json';
const ARTICLE = 'src/api/article/content-types/article/schema.json';

interface SchemaFile {
  options?: Record<string, unknown>;
  pluginOptions?: Record<string, unknown>;
}

const edit = (site: TempProject, path: string, change: (schema: SchemaFile) => void): void => {
  const schema = JSON.parse(site.read(path)) as SchemaFile;
  change(schema);
  site.write({ [path]: { ...schema } });
};

const versions = (site: TempProject, table: string) =>
  rowsOf(site, `SELECT document_id, locale, status FROM ${table} ORDER BY document_id, locale, status`);

describe('cms migrate, where drafts or locales are switched', () => {
  it('gives what is there its draft and its locale, and asks nothing', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'tags', 't1', {});
    edit(site, TAG, (schema) => {
      schema.options = { draftAndPublish: true };
      schema.pluginOptions = { i18n: { localized: true } };
    });
    expect((await runCommand(Migrate, ['--yes'], { cwd: site.root })).exitCode).toBe(0);
    expect(versions(site, 'tags')).toEqual([
      { document_id: 't1', locale: 'en', status: 'draft' },
      { document_id: 't1', locale: 'en', status: 'published' },
    ]);
  });

  it('lists losses by type, and applies them only with a flag', async () => {
    const site = await createMigratedSite();
    for (const status of ['draft', 'published'])
      insertVersion(site, 'articles', 'a1', { locale: 'en', status });
    insertVersion(site, 'articles', 'a1', { locale: 'fr', status: 'draft' });
    edit(site, ARTICLE, (schema) => {
      schema.options = { draftAndPublish: false };
      schema.pluginOptions = {};
    });
    const changes = (await runCommand(MigrateDiff, ['--json'], { cwd: site.root })).json<{
      changes: readonly unknown[];
    }>().changes;
    expect(changes).toEqual([
      {
        kind: 'dropped',
        type: 'api::article.article',
        path: null,
        values: 1,
        samples: ['"a1"'],
        reason: 'without locales, one version of each document stays and the others are dropped',
        remedy: null,
      },
    ]);
    const refused = await runCommand(Migrate, ['--yes'], { cwd: site.root });
    expect([
      refused.exitCode === 0,
      refused.stderr.includes('--accept-data-loss'),
      versions(site, 'articles').length,
    ]).toEqual([false, true, 3]);
    expect((await runCommand(Migrate, ['--accept-data-loss'], { cwd: site.root })).exitCode).toBe(0);
    expect(versions(site, 'articles')).toEqual([{ document_id: 'a1', locale: '', status: 'published' }]);
  });
});
