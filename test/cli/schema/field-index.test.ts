import { describe, expect, it } from 'vitest';
import Doctor from '../../../src/commands/doctor.js';
import Migrate from '../../../src/commands/migrate.js';
import FieldAdd from '../../../src/commands/field/add.js';
import FieldIndex from '../../../src/commands/field/index/index.js';
import FieldSearch from '../../../src/commands/field/search.js';
import FieldUnindex from '../../../src/commands/field/unindex.js';
import FieldUnsearch from '../../../src/commands/field/unsearch.js';
import IndexSuggest from '../../../src/commands/index/suggest.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { runSql } from '../support/rows.js';
import { fillArticles, insertReads } from '../support/counted-reads.js';
import { runCommand } from '../support/run-command.js';
import { schemaPath } from '../support/schema-tables.js';
import type { TempProject } from '../support/temp-project.js';

const attributesOf = (site: TempProject): Readonly<Record<string, unknown>> =>
  (JSON.parse(site.read(schemaPath('article'))) as { attributes: Record<string, unknown> }).attributes;

describe('cms field index and unindex', () => {
  it('add and drop the index of an attribute', async () => {
    const site = await createMigratedSite();
    const indexes = (): readonly unknown[] =>
      rowsOf(site, `SELECT name FROM pragma_index_list('articles') WHERE name LIKE '%title%'`);
    await runCommand(FieldIndex, ['article', 'title'], { cwd: site.root });
    expect(attributesOf(site)['title']).toMatchObject({ index: true });
    expect(indexes()).toEqual([{ name: 'articles_status_locale_title_id_idx' }]);
    await runCommand(FieldUnindex, ['article', 'title'], { cwd: site.root });
    expect(attributesOf(site)['title']).not.toHaveProperty('index');
    expect(indexes()).toEqual([]);
  });

  it('add and drop the full-text index of an attribute', async () => {
    const site = await createMigratedSite();
    const indexes = (): number =>
      rowsOf(site, `SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'`).length;
    await runCommand(FieldSearch, ['article', 'title'], { cwd: site.root });
    expect(attributesOf(site)['title']).toMatchObject({ search: true });
    expect(indexes()).toBe(1);
    const [trigger] = rowsOf(site, `SELECT name FROM sqlite_master WHERE name LIKE 'galley_search%_insert'`);
    runSql(site, `DROP TRIGGER "${String(trigger?.['name'])}"`);
    const missing = await runCommand(Doctor, [], { cwd: site.root });
    expect(missing.stdout).toContain('Searches of api::article.article scan every document');
    await runCommand(Migrate, [], { cwd: site.root });
    const complete = await runCommand(Doctor, [], { cwd: site.root });
    expect(complete.stdout).not.toContain('scan every document');
    await runCommand(FieldUnsearch, ['article', 'title'], { cwd: site.root });
    expect(attributesOf(site)['title']).not.toHaveProperty('search');
    expect(indexes()).toBe(0);
  });

  it('refuse what no index can hold', async () => {
    const site = await createMigratedSite();
    await runCommand(FieldAdd, ['article', 'body:richtext'], { cwd: site.root });
    const { stderr, exitCode } = await runCommand(FieldIndex, ['article', 'body'], { cwd: site.root });
    expect(stderr).toContain('has no option index');
    expect(exitCode).not.toBe(0);
    expect(attributesOf(site)['body']).not.toHaveProperty('index');
  });
});

describe('cms index suggest', () => {
  it('says how reads are counted where none are', async () => {
    const site = await createMigratedSite();
    const { stdout, exitCode } = await runCommand(IndexSuggest, [], { cwd: site.root });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'No reads are counted yet. cms start counts reads, ' +
        'and stores the counts every minute and when it stops.\n',
    );
  });

  it('suggests an index, declares it, and has nothing left to say', async () => {
    const site = await createMigratedSite();
    fillArticles(site);
    insertReads(site);
    const first = await runCommand(IndexSuggest, [], { cwd: site.root });
    const times = /[\d.]+ ms instead of [\d.]+ ms/;
    expect(first.stdout.replace(times, 'a instead of b').split('\n')).toEqual([
      'api::article.article filters[title][$eq]',
      '  3 calls, 20.0 ms each, 60.0 ms in all',
      '  with an index of article title: a instead of b',
      '',
      expect.stringMatching(/^Add these indexes: .*cms index suggest --apply$/),
      '',
    ]);
    const doctor = await runCommand(Doctor, [], { cwd: site.root });
    expect(doctor.stdout).toContain(
      'api::article.article filters[title][$eq]: scans more than 1,000 rows, and ran 3 times.',
    );
    expect(doctor.stdout).toContain('cms field index api::article.article title. See:');
    const applied = await runCommand(IndexSuggest, ['--apply', '--json'], { cwd: site.root });
    expect(applied.json()).toMatchObject({
      reads: [{ read: 'api::article.article filters[title][$eq]', calls: 3, ms: 60, maxMs: 30 }],
      declared: [{ type: 'api::article.article', attribute: 'title' }],
    });
    expect(attributesOf(site)['title']).toMatchObject({ index: true });
    const last = await runCommand(IndexSuggest, [], { cwd: site.root });
    expect(last.stdout).toContain('No index would speed them up notably.');
    expect((await runCommand(Doctor, [], { cwd: site.root })).stdout).not.toContain('1,000 rows');
  });
});
