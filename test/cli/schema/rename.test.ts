import { describe, expect, it } from 'vitest';
import ComponentRename from '../../../src/commands/component/rename.js';
import FieldAdd from '../../../src/commands/field/add.js';
import MigrateStatus from '../../../src/commands/migrate/status.js';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import TokenCreate from '../../../src/commands/token/create.js';
import TypeEdit from '../../../src/commands/type/edit.js';
import TypeRename from '../../../src/commands/type/rename.js';
import WebhookAdd from '../../../src/commands/webhook/add.js';
import WebhookList from '../../../src/commands/webhook/list.js';
import { answerAll } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { fileTree } from '../support/file-tree.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { insertRow, insertVersion } from '../support/rows.js';
import { runCommand, runOn } from '../support/run-command.js';
import type { TempProject } from '../support/temp-project.js';

const pathOf = (name: string): string => `src/api/${name}/content-types/${name}/schema.json`;

const schemaOf = (site: TempProject, path: string): Readonly<Record<string, unknown>> =>
  JSON.parse(site.read(path)) as Readonly<Record<string, unknown>>;

const run = (site: TempProject, command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) =>
  runCommand(command, argv, { cwd: site.root });

describe('cms type rename', () => {
  it('moves file, tables and links, and rewrites what refers to the type', async () => {
    const site = await createMigratedSite();
    await run(
      site,
      FieldAdd,
      'tag',
      'parent:relation:manyToOne,target=tag',
      'others:relation:manyToMany,target=tag',
    );
    await run(site, FieldAdd, 'article', 'tags:relation:manyToMany,target=tag,inversedBy=articles');
    const one = insertVersion(site, 'tags', 'one', { title: 'kept' });
    insertVersion(site, 'tags', 'two', { title: 'child', parent_document_id: 'one' });
    insertRow(site, 'tags_others_links', { source_id: one, target_document_id: 'two', position: 1 });
    const { exitCode, stdout, stderr } = await run(site, TypeRename, 'tag', 'label');
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 0, stdout: 'api::label.label\n' });
    expect(schemaOf(site, pathOf('label'))).toMatchObject({
      collectionName: 'labels',
      info: { singularName: 'label', pluralName: 'labels', displayName: 'Label' },
      attributes: { parent: { target: 'api::label.label' }, others: { target: 'api::label.label' } },
    });
    expect(Object.keys(fileTree(site.root)).filter((path) => path.startsWith('src/api/tag'))).toEqual([]);
    expect(schemaOf(site, pathOf('article'))).toMatchObject({
      attributes: { tags: { target: 'api::label.label' } },
    });
    expect(rowsOf(site, 'SELECT document_id, title, parent_document_id AS parent FROM labels')).toEqual([
      { document_id: 'one', title: 'kept', parent: null },
      { document_id: 'two', title: 'child', parent: 'one' },
    ]);
    expect(rowsOf(site, 'SELECT target_document_id AS target FROM labels_others_links')).toEqual([
      { target: 'two' },
    ]);
    expect(rowsOf(site, "SELECT name FROM sqlite_master WHERE name LIKE 'tags%'")).toEqual([]);
    expect((await run(site, MigrateStatus)).exitCode).toBe(0);
  });

  it('takes the permissions of roles and tokens along', async () => {
    const site = await createMigratedSite();
    await run(site, PermissionsSet, 'public', 'tag', 'find', 'findOne');
    await run(site, PermissionsSet, 'public', 'article', 'find');
    await run(site, TokenCreate, '--name', 'ci', '--type', 'custom', '--permission', 'tag.create');
    expect((await run(site, TypeRename, 'tag', 'label')).exitCode).toBe(0);
    expect(
      rowsOf(site, 'SELECT action FROM up_permissions ORDER BY action').map(({ action }) => action),
    ).toEqual(['api::article.article.find', 'api::label.label.find', 'api::label.label.findOne']);
    expect(rowsOf(site, 'SELECT action FROM cms_api_token_permissions')).toEqual([
      { action: 'api::label.label.create' },
    ]);
  });

  it('takes webhooks, schedules, releases and kept versions along', async () => {
    const site = await createMigratedSite();
    insertRow(site, 'cms_schedules', {
      type: 'api::tag.tag',
      document_id: 'a',
      locale: '',
      action: 'publish',
      at: 1,
    });
    for (const type of ['api::tag.tag', 'api::tags.tags'])
      insertRow(site, 'cms_versions', {
        type,
        document_id: 'a',
        locale: '',
        number: 1,
        published_at: 1,
        content: '{}',
      });
    insertRow(site, 'cms_releases', { id: 1, name: 'spring', created_at: 1 });
    insertRow(site, 'cms_release_items', {
      release_id: 1,
      type: 'api::tag.tag',
      document_id: 'a',
      locale: '',
      action: 'publish',
    });
    for (const [name, ...types] of [['some', '--type', 'tag,article'], ['all']])
      await run(site, WebhookAdd, name ?? '', 'https://example.com/api::tag.tag', ...types);
    expect((await run(site, TypeRename, 'tag', 'label')).exitCode).toBe(0);
    expect(rowsOf(site, 'SELECT type FROM cms_schedules')).toEqual([{ type: 'api::label.label' }]);
    expect(rowsOf(site, 'SELECT type FROM cms_release_items')).toEqual([{ type: 'api::label.label' }]);
    expect(rowsOf(site, 'SELECT type FROM cms_versions ORDER BY type')).toEqual([
      { type: 'api::label.label' },
      { type: 'api::tags.tags' },
    ]);
    expect((await run(site, WebhookList, '--json')).json()).toMatchObject([
      { types: ['api::label.label', 'api::article.article'], url: 'https://example.com/api::tag.tag' },
      { types: [] },
    ]);
  });

  it('keeps names that were chosen by hand, and reports code with the old ones', async () => {
    const site = await createMigratedSite();
    site.write({
      [pathOf('tag')]: {
        ...schemaOf(site, pathOf('tag')),
        info: { singularName: 'tag', pluralName: 'tags', displayName: 'Keyword' },
      },
      'src/index.ts': "export const uid = 'api::tag.tag';\n",
    });
    const { json, stderr } = await run(site, TypeRename, 'tag', 'label', '--plural', 'labelling', '--json');
    expect(json()).toMatchObject({ uid: 'api::label.label', from: 'api::tag.tag', changes: [] });
    expect(stderr).toContain('src/index.ts:1');
    expect(schemaOf(site, pathOf('label'))).toMatchObject({
      info: { singularName: 'label', pluralName: 'labelling', displayName: 'Keyword' },
    });
  });

  it.each([
    [['tga', 'label'], 1, 'Did you mean tag?'],
    [['tag', 'article'], 1, 'There is already a content-type article'],
    [['tag', 'tag'], 2, 'cms type edit tag'],
    [['user', 'member'], 2, 'built in'],
    [['tag', '!'], 2, 'not a valid name'],
  ])('refuses %j with exit code %i and changes nothing', async (argv, code, text) => {
    const site = await createMigratedSite();
    const before = fileTree(site.root);
    const { exitCode, stderr } = await run(site, TypeRename, ...argv);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(text);
    expect(fileTree(site.root)).toEqual(before);
  });
});

describe('cms type edit', () => {
  it('changes options of the file, and migrates drafts and locales', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'tags', 'one', { title: 'kept' });
    const { exitCode, stderr } = await run(
      site,
      TypeEdit,
      'tag',
      '--draft-publish',
      '--localized',
      '--display-name',
      'Keyword',
      '--plural',
      'keywords',
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain('cms field edit tag title --localized');
    expect(schemaOf(site, pathOf('tag'))).toMatchObject({
      collectionName: 'tags',
      info: { singularName: 'tag', pluralName: 'keywords', displayName: 'Keyword' },
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
    });
    expect(rowsOf(site, 'SELECT locale, status FROM tags ORDER BY status')).toEqual([
      { locale: 'en', status: 'draft' },
      { locale: 'en', status: 'published' },
    ]);
  });

  it('refuses with exit code 3 where documents would be lost', async () => {
    const site = await createMigratedSite();
    insertVersion(site, 'articles', 'one', { title: 'draft', locale: 'en', status: 'draft' });
    const before = fileTree(site.root);
    const { exitCode, json } = await run(site, TypeEdit, 'article', '--no-draft-publish', '--yes', '--json');
    expect(exitCode).toBe(3);
    expect(json()).toMatchObject({
      error: { code: 'cli/data-loss', changes: [{ kind: 'dropped', type: 'api::article.article' }] },
    });
    expect(fileTree(site.root)).toEqual(before);
  });

  it('asks on a terminal, with the present value as the default answer', async () => {
    const site = await createMigratedSite();
    const terminal = createFakeTerminal({ cwd: site.root, tty: true });
    const done = runOn(terminal, TypeEdit, ['tag']);
    await answerAll(terminal, [
      ['Display name', '\u0015Keyword\r'],
      ['Description', '\r'],
      ['Plural', '\r'],
      ['Kind', '\r'],
      ['drafts and publishing', '\r'],
      ['languages', '\r'],
      ['Review', '\r'],
    ]);
    expect(await done).toBe(0);
    expect(schemaOf(site, pathOf('tag'))).toMatchObject({ info: { displayName: 'Keyword' } });
  });

  it.each([
    [['tag'], 2, 'Missing an option'],
    [['tag', '--plural', 'articles'], 1, 'There is already a content-type articles'],
    [['tag', '--plural', 'tag'], 2, 'the same as the singular'],
    [['user', '--localized'], 2, 'built in'],
  ])('refuses %j with exit code %i', async (argv, code, text) => {
    const site = await createMigratedSite();
    const { exitCode, stderr } = await run(site, TypeEdit, ...argv);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(text);
  });
});

describe('cms component rename', () => {
  const SEO = 'src/components/shared/seo.json';

  const createSite = async (): Promise<TempProject> => {
    const site = await createMigratedSite();
    site.write({
      [SEO]: {
        collectionName: 'components_shared_seos',
        info: { displayName: 'Seo' },
        options: {},
        attributes: { metaTitle: { type: 'string' } },
      },
    });
    await run(
      site,
      FieldAdd,
      'tag',
      'seo:component:component=shared.seo',
      'parts:dynamiczone:components=shared.seo',
    );
    return site;
  };

  it('moves the file, rewrites what refers to it, and keeps its values', async () => {
    const site = await createSite();
    const parts = JSON.stringify([{ __component: 'shared.seo', id: 2, metaTitle: 'zone' }]);
    insertVersion(site, 'tags', 'one', { seo: JSON.stringify({ id: 1, metaTitle: 'kept' }), parts });
    const { exitCode, stdout, stderr } = await run(site, ComponentRename, 'seo', 'page.meta');
    expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 0, stdout: 'page.meta\n' });
    expect(Object.keys(fileTree(site.root)).filter((path) => path.startsWith('src/components'))).toEqual([
      'src/components/page/meta.json',
    ]);
    expect(schemaOf(site, 'src/components/page/meta.json')).toMatchObject({
      collectionName: 'components_page_metas',
      info: { displayName: 'Meta' },
    });
    expect(schemaOf(site, pathOf('tag'))).toMatchObject({
      attributes: { seo: { component: 'page.meta' }, parts: { components: ['page.meta'] } },
    });
    expect(rowsOf(site, 'SELECT seo, parts FROM tags').map(({ seo, parts: zone }) => [seo, zone])).toEqual([
      [JSON.stringify({ id: 1, metaTitle: 'kept' }), parts.replace('shared.seo', 'page.meta')],
    ]);
  });

  it.each([
    [['shared.sae', 'shared.meta'], 1, 'Did you mean shared.seo?'],
    [['shared.seo', 'shared.seo'], 1, 'There is already a component shared.seo'],
    [['shared.seo', 'meta'], 2, 'form category.name'],
  ])('refuses %j with exit code %i and changes nothing', async (argv, code, text) => {
    const site = await createSite();
    const before = fileTree(site.root);
    const { exitCode, stderr } = await run(site, ComponentRename, ...argv);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(text);
    expect(fileTree(site.root)).toEqual(before);
  });
});
