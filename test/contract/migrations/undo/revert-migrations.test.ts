import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import type { ProjectLiteral } from '../../../support/models.js';
import { createContentHistory } from '../content-history.js';
import { rejectionOf } from '../migration-fixture.js';

const TAG = { attributes: { name: { type: 'string' } } };
const ARTICLE = {
  draftAndPublish: true,
  attributes: {
    title: { type: 'string' },
    teaser: { type: 'string' },
    rank: { type: 'string' },
    seo: { type: 'component', component: 'shared.seo' },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
  },
} as const;
const SEO = { attributes: { title: { type: 'string' }, robots: { type: 'string' } } };

const FULL: ProjectLiteral = {
  types: { article: ARTICLE, tag: TAG },
  components: { 'shared.seo': SEO },
};

const withArticle = (change: Partial<Record<string, object | undefined>>): ProjectLiteral => ({
  ...FULL,
  types: {
    tag: TAG,
    article: {
      ...ARTICLE,
      attributes: Object.fromEntries(
        Object.entries({ ...ARTICLE.attributes, ...change }).filter(([, value]) => value !== undefined),
      ),
    },
  },
});

const READ = { populate: '*' } as const;
const ACCEPT = { acceptsDataLoss: true };

describe.each(databases)('taking a migration back on $name', (kind) => {
  it('brings back what was dropped, and keeps what was written since', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FULL);
    const api = await history.open(FULL);
    const tag = await api.create('tag', { name: 'red' });
    const kept = await api.create('article', {
      title: 'A',
      teaser: 'of A',
      rank: 'first',
      seo: { title: 'seo A', robots: 'none' },
      tags: [tag.documentId],
    });
    const edited = await api.create('article', { title: 'B', teaser: 'of B', rank: '2' });
    const deleted = await api.create('article', { title: 'C', teaser: 'of C' });

    const next: ProjectLiteral = {
      ...withArticle({ teaser: undefined, tags: undefined, rank: { type: 'integer' } }),
      components: { 'shared.seo': { attributes: { title: { type: 'string' } } } },
    };
    await history.migrate(next, ACCEPT);
    const nextApi = await history.open(next);
    expect(await nextApi.one('article', kept.documentId, READ)).toMatchObject({ rank: null });
    await nextApi.update('article', edited.documentId, { title: 'B2', rank: 3 });
    await nextApi.remove('article', deleted.documentId);
    const added = await nextApi.create('article', { title: 'D', rank: 4 });

    const result = await history.down();
    expect(result.reverted).toHaveLength(1);
    expect(result.impact).toMatchObject([{ kind: 'converted', path: 'rank', values: 4 }]);
    const again = await history.open(FULL);
    expect(await again.one('article', kept.documentId, READ)).toMatchObject({
      title: 'A',
      teaser: 'of A',
      rank: 'first',
      seo: { title: 'seo A', robots: 'none' },
      tags: [{ name: 'red' }],
    });
    expect(await again.one('article', edited.documentId)).toMatchObject({
      title: 'B2',
      teaser: 'of B',
      rank: '3',
    });
    expect(await again.one('article', deleted.documentId)).toBeNull();
    expect(await again.one('article', added.documentId)).toMatchObject({ title: 'D', rank: '4' });
    expect(await again.list('article')).toHaveLength(3);

    // The folder is still there, so the migration is pending, and leads to the same again.
    expect((await history.migrate(next, ACCEPT)).applied).toHaveLength(1);
    expect(await nextApi.one('article', edited.documentId)).toMatchObject({ title: 'B2' });
  });

  it('loses what the older schema has no place for only where that is accepted', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(withArticle({ teaser: undefined }));
    await history.migrate(FULL);
    const api = await history.open(FULL);
    await api.create('article', { title: 'A', teaser: 'new' }, { status: 'draft' });

    const error = await rejectionOf(history.down());
    expect(error.code).toBe('migration/data-loss');
    expect(error.message).toContain(
      'api::article.article teaser: the attribute is removed (1 value, such as "new")',
    );
    expect(await history.rows('SELECT "teaser" FROM "articles"')).toEqual([{ teaser: 'new' }]);
    const dry = await history.down({ isDryRun: true });
    expect(dry.impact).toMatchObject([
      { kind: 'dropped', type: 'api::article.article', path: 'teaser', values: 1 },
    ]);
    expect(await history.rows('SELECT "teaser" FROM "articles"')).toEqual([{ teaser: 'new' }]);
    await history.down(ACCEPT);
    const older = await history.open(withArticle({ teaser: undefined }));
    expect(await older.list('article', { status: 'draft' })).toMatchObject([{ title: 'A' }]);
  });

  it('needs no folder, reverts several in one call, and continues the numbers of rows', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FULL);
    const api = await history.open(FULL);
    const { documentId } = await api.create('tag', { name: 'red' });
    await api.create('article', { title: 'A', tags: [documentId] });
    const WITHOUT_TAGS: ProjectLiteral = {
      types: { article: { ...ARTICLE, attributes: { title: { type: 'string' } } } },
    };
    const first = await history.migrate(withArticle({ tags: undefined }), { ...ACCEPT, label: 'links' });
    const second = await history.migrate(WITHOUT_TAGS, { ...ACCEPT, label: 'tags' });
    await history.hide(first.name);
    await history.hide(second.name);
    expect((await rejectionOf(history.migrate(FULL))).code).toBe('migration/unknown');

    await history.down({ steps: 2 });
    const again = await history.open(FULL);
    expect(await again.list('article', READ)).toMatchObject([{ title: 'A', tags: [{ name: 'red' }] }]);
    await again.create('tag', { name: 'blue' });
    expect(await again.list('tag')).toHaveLength(2);
    expect((await history.migrate(FULL)).name).toBeNull();
  });

  it('brings drafts back that a migration dropped', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FULL);
    const api = await history.open(FULL);
    const { documentId } = await api.create('article', { title: 'public' });
    await api.update('article', documentId, { title: 'draft' }, { status: 'draft' });
    const PLAIN = { ...FULL, types: { tag: TAG, article: { ...ARTICLE, draftAndPublish: false } } };
    await history.migrate(PLAIN, ACCEPT);
    await history.down();
    const again = await history.open(FULL);
    expect(await again.one('article', documentId, { status: 'draft' })).toMatchObject({ title: 'draft' });
    expect(await again.one('article', documentId, { status: 'published' })).toMatchObject({
      title: 'public',
    });
  });

  it('refuses SQL written by hand that nothing reverts', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FULL);
    await mkdir(`${history.folder}/29990101000000_hand`);
    await writeFile(
      `${history.folder}/29990101000000_hand/migration.sql`,
      'CREATE TABLE "extra" ("id" INT);',
    );
    await history.migrate(FULL);
    const error = await rejectionOf(history.down());
    expect(error.code).toBe('migration/irreversible');
    expect(error.hint).toContain('down.sql');
    await writeFile(`${history.folder}/29990101000000_hand/down.sql`, 'DROP TABLE "extra";');
    expect((await history.down()).reverted).toEqual(['29990101000000_hand']);
  });
});
