import { join } from 'node:path';
import { expect, it } from 'vitest';
import Import from '../../../src/commands/import.js';
import { execute } from '../../support/execute-sql.js';
import { writeExportArchive } from '../../support/strapi-export.js';
import type { ExportContent } from '../../support/strapi-export.js';
import { interruptNext } from '../support/interrupt.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';

const tag = (id: number, data: Readonly<Record<string, string>>) => ({
  type: 'api::tag.tag',
  id,
  data: { documentId: `tag${id}`, publishedAt: '2026-01-02T03:04:05.678Z', ...data },
});

const RECIPE = {
  uid: 'api::recipe.recipe',
  modelType: 'contentType',
  kind: 'collectionType',
  collectionName: 'recipes',
  info: { singularName: 'recipe', pluralName: 'recipes', displayName: 'Recipe' },
  options: { draftAndPublish: false },
  attributes: {
    name: { type: 'string' },
    taste: { type: 'component', component: 'kitchen.taste' },
    createdAt: { type: 'datetime' },
    locale: { type: 'string' },
  },
};

const TASTE = {
  uid: 'kitchen.taste',
  modelType: 'component',
  collectionName: 'components_kitchen_tastes',
  info: { displayName: 'Taste' },
  attributes: { salt: { type: 'integer' } },
};

const EXPORT: ExportContent = {
  schemas: [RECIPE, TASTE, { ...RECIPE, uid: 'api::../escape.escape' }],
  entities: [
    tag(1, { title: 'Salt' }),
    {
      type: 'api::recipe.recipe',
      id: 3,
      data: {
        documentId: 'soup',
        name: 'Soup',
        taste: { id: 9, salt: 2 },
        publishedAt: '2026-01-02T03:04:05.678Z',
      },
    },
  ],
};

it('imports an export after saying what it does, and refuses to lose content', async () => {
  const site = await createMigratedSite();
  const run = (...argv: readonly string[]) => runCommand(Import, [...argv], { cwd: site.root });
  const lossy = { entities: [tag(1, { title: 'Salt', gone: 'lost' })] };
  writeExportArchive(join(site.root, 'lossy.tar.gz'), lossy);
  const planned = await run('lossy.tar.gz', '--dry-run', '--json');
  expect(planned).toMatchObject({ exitCode: 0 });
  expect(planned.json()).toMatchObject({
    dryRun: true,
    types: [{ uid: 'api::tag.tag', documents: 1, versions: 1, existing: 0 }],
    findings: [{ what: 'api::tag.tag gone', count: 1, isLoss: true }],
  });
  expect(await run('lossy.tar.gz', '--yes')).toMatchObject({ exitCode: 3 });
  expect(rowsOf(site, 'SELECT * FROM tags')).toEqual([]);
  expect(await run('lossy.tar.gz', '--yes', '--accept-data-loss')).toMatchObject({ exitCode: 0 });
  expect(rowsOf(site, 'SELECT id, document_id, title FROM tags')).toEqual([
    { id: 1, document_id: 'tag1', title: 'Salt' },
  ]);
});

it('writes the schema files that a project lacks, and reads encrypted exports', async () => {
  const site = await createMigratedSite();
  writeExportArchive(join(site.root, 'export.enc'), EXPORT, { key: 'secret' });
  const run = (env: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
    runCommand(Import, ['export.enc', ...argv], { cwd: site.root, env });
  const withoutKey = await run({}, '--yes');
  expect(withoutKey.exitCode).toBe(1);
  expect(withoutKey.stderr).toContain('STRAPI_EXPORT_KEY');
  const planned = await run({ STRAPI_EXPORT_KEY: 'secret' }, '--schemas', '--dry-run');
  expect(planned.stdout).toContain('src/components/kitchen/taste.json');
  const imported = await run({ STRAPI_EXPORT_KEY: 'secret' }, '--schemas', '--yes');
  expect(imported).toMatchObject({ exitCode: 0 });
  const path = 'src/api/recipe/content-types/recipe/schema.json';
  const { attributes } = JSON.parse(site.read(path)) as { readonly attributes: object };
  expect(Object.keys(attributes)).toEqual(['name', 'taste']);
  expect(rowsOf(site, 'SELECT id, name, taste FROM recipes')).toEqual([
    { id: 3, name: 'Soup', taste: JSON.stringify({ id: 9, salt: 2 }) },
  ]);
});

it('says when it is interrupted how far it has come, and goes on', async () => {
  const site = await createMigratedSite();
  writeExportArchive(join(site.root, 'export.tar.gz'), { entities: [tag(1, { title: 'Salt' })] });
  const run = (...argv: readonly string[]) =>
    runCommand(Import, ['export.tar.gz', ...argv], { cwd: site.root });
  interruptNext();
  const interrupted = await run('--yes', '--json');
  expect(interrupted.exitCode).toBe(130);
  expect(interrupted.json()).toEqual({
    error: {
      code: 'cli/stopped',
      message: 'The import was interrupted after 1 documents.',
      hint: 'The written documents are kept. Run the same command again to continue.',
    },
  });
  expect(rowsOf(site, 'SELECT * FROM tags')).toEqual([]);
  const resumed = await run('--yes');
  expect(resumed.stdout).toContain('Continuing the interrupted import');
  expect(rowsOf(site, 'SELECT title FROM tags')).toEqual([{ title: 'Salt' }]);
});

it('discards an import that was interrupted with --restart, once the next one begins', async () => {
  const site = await createMigratedSite();
  const progress = { identity: 'other', description: 'other.tar', step: 2, done: 0, offsets: {} };
  await execute(
    `file:${join(site.root, 'data.db')}`,
    `INSERT INTO cms_state (key, value, updated_at)
       VALUES ('import', '${JSON.stringify(progress)}', '2026-01-02')`,
  );
  writeExportArchive(join(site.root, 'export.tar.gz'), { entities: [tag(1, { title: 'Salt' })] });
  const run = (...argv: readonly string[]) =>
    runCommand(Import, ['export.tar.gz', ...argv], { cwd: site.root });
  expect(await run('--restart', '--dry-run')).toMatchObject({ exitCode: 0 });
  const refused = await run('--yes');
  expect(refused.stderr).toContain('The import of other.tar was interrupted');
  expect(await run('--restart', '--yes')).toMatchObject({ exitCode: 0 });
  expect(rowsOf(site, "SELECT * FROM cms_state WHERE key = 'import'")).toEqual([]);
});
