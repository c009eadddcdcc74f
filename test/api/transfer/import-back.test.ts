import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportContent } from '../../../src/project/archives/export-content.js';
import { importContent } from '../../../src/project/archives/import-content.js';
import { readMediaStores } from '../../../src/project/open/content-stores.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { planMediaPush } from '../../../src/transfer/files/push-media.js';
import { planPush } from '../../../src/transfer/files/plan.js';
import { planPull, pullSteps } from '../../../src/transfer/files/plan-pull.js';
import { readFolder } from '../../../src/transfer/files/read-folder.js';
import { openArchive } from '../../../src/transfer/archive/open-archive.js';
import { fileTree } from '../../cli/support/file-tree.js';
import { databases } from '../../support/databases.js';
import { writeExportArchive } from '../../support/strapi-export.js';
import { idOf } from './import-fixture.js';
import { MORPHS, POLYMORPHIC_EXPORT, polymorphicFiles } from '../rest/polymorphic-fixture.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const PARTS = new Set(['content', 'files', 'config'] as const);

/** A pull of everything into a new folder. */
const PULL = { isWhole: true, isDryRun: false, choice: null, overwrites: false } as const;

const collect = async <T>(records: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
};

describe.each(databases)('an export of what was imported on $name', (database) => {
  let site: Site;
  let folder = '';

  beforeAll(async () => {
    const files = await polymorphicFiles();
    site = await createSite({ project: 'magazine', database, files });
    folder = await mkdtemp(join(tmpdir(), 'galley-export-test-'));
    const path = join(folder, 'in.tar');
    writeExportArchive(path, POLYMORPHIC_EXPORT);
    const source = await openArchive(path, site.project.root);
    const options = { parts: PARTS, types: null, existing: 'refuse' } as const;
    const request = { source, options, restarts: false, onError: () => undefined };
    await importContent(site.project, request, ({ run }) => run(() => undefined));
    await source.close();
  });
  afterAll(async () => {
    await site.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('gives back to Strapi what it was given: folders, settings, webhooks, ids of components', async () => {
    const path = join(folder, 'back.tar');
    await exportContent(site.project, path, {
      form: 'strapi',
      parts: PARTS,
      types: null,
      isCompressed: false,
      key: null,
    });
    const source = await openArchive(path, site.project.root);
    const entities = await collect(source.entities());
    const links = await collect(source.links());
    const configuration = await collect(source.configuration());
    await source.close();
    const ofType = (type: string) => entities.filter((entity) => entity.type === type);
    expect(ofType('plugin::upload.folder').map(({ data }) => data)).toMatchObject([
      { documentId: idOf('folder'), name: 'API Uploads', pathId: 4, path: '/4' },
      { documentId: idOf('inner'), name: 'Seas', pathId: 6, path: '/4/6' },
    ]);
    expect(ofType('plugin::upload.file').map(({ data }) => data['folderPath'])).toEqual(['/4/6', '/', '/']);
    expect(links).toContainEqual({
      kind: 'relation.basic',
      relation: 'manyToOne',
      left: { type: 'plugin::upload.file', field: 'folder', ref: 1 },
      right: { type: 'plugin::upload.folder', field: 'files', ref: 2, pos: 1 },
    });
    expect(links).toContainEqual({
      kind: 'relation.circular',
      relation: 'manyToOne',
      left: { type: 'plugin::upload.folder', field: 'parent', ref: 2 },
      right: { type: 'plugin::upload.folder', field: 'children', ref: 1, pos: 2 },
    });
    const fromRelated = links.filter(({ left }) => ['things', 'subject'].includes(left.field ?? ''));
    expect(fromRelated).toHaveLength(MORPHS.length);
    for (const link of MORPHS) expect(fromRelated).toContainEqual(link);
    expect(configuration.map(({ value }) => value)).toEqual([
      { key: 'api_stats_last', value: { seen: 7 }, type: 'object' },
      {
        key: 'plugin_users-permissions_advanced',
        value: {
          allow_register: false,
          email_confirmation: false,
          default_role: 'editor',
          unique_email: false,
        },
        type: 'object',
      },
      {
        id: 1,
        name: 'deploy',
        url: 'https://example.com',
        headers: { a: 'b' },
        events: ['entry.create'],
        enabled: true,
      },
      { key: 'plugin_i18n_default_locale', value: 'en', type: 'string' },
    ]);
    // The draft that was made has the ids of its published version, which keeps its own.
    const first = ofType('api::article.article').filter(({ data }) => data['documentId'] === idOf('first'));
    expect(first.map(({ data }) => data['seo'])).toMatchObject([
      { id: 31, social: [{ id: 41 }, { id: 40 }] },
      { id: 32 },
      null,
    ]);
    const linkIds = ofType('api::article.article').flatMap(({ data }) => data['links'] ?? []);
    expect(linkIds).toMatchObject([{ id: 61 }, { id: 62 }]);
  });

  it('is pulled to files that say what the database says', async () => {
    const { project } = site;
    const root = join(folder, 'pulled');
    const opened = await openProjectDatabase(project);
    try {
      const { content, media } = await readMediaStores(opened);
      const types = project.model.types.filter(({ uid }) => uid.startsWith('api::'));
      const options = { ...PULL, root, types, media };
      for (const { run } of pullSteps(content, await planPull(content, options), options)) await run();
      const files = await readFolder(root, types);
      const plan = await planPush(content, types, files, {
        media: await planMediaPush(media, project.model, root),
      });
      expect(plan.units.flatMap(({ writes }) => writes)).toEqual([]);
    } finally {
      await opened.close();
    }
    const pulled = Object.values(fileTree(root)).join('\n');
    expect(pulled).toContain('__type: api::author.author');
  });
});
