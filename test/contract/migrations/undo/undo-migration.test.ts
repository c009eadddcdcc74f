import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deleteCopies } from '../../../../src/migrations/undo/database-copies.js';
import { emptyDatabase, findUndo, undoMigration } from '../../../../src/migrations/undo/undo-migration.js';
import { databases } from '../../../support/databases.js';
import type { ProjectLiteral } from '../../../support/models.js';
import { createContentHistory } from '../content-history.js';
import { rejectionOf } from '../migration-fixture.js';

const TAG = { attributes: { name: { type: 'string' } } };
const FULL: ProjectLiteral = {
  types: {
    article: {
      draftAndPublish: true,
      attributes: {
        title: { type: 'string' },
        teaser: { type: 'string' },
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      },
    },
    tag: TAG,
  },
};
const PLAIN: ProjectLiteral = {
  types: { article: { draftAndPublish: true, attributes: { title: { type: 'string' } } }, tag: TAG },
};
const ACCEPT = { acceptsDataLoss: true };
const READ = { populate: '*' } as const;

describe.each(databases)('copies on $name', (kind) => {
  it('restores the earlier state, after any later writes', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FULL);
    const api = await history.open(FULL);
    const tag = await api.create('tag', { name: 'red' });
    const article = await api.create('article', { title: 'A', teaser: 'of A', tags: [tag.documentId] });
    const copies: string[] = [];
    const onCopy = (path: string): void => void copies.push(path);
    const dropped = String((await history.migrate(PLAIN, { ...ACCEPT, onCopy })).name);
    const later = String(
      (await history.migrate({ types: { ...PLAIN.types, extra: TAG } }, { label: 'later', onCopy })).name,
    );
    const plainApi = await history.open(PLAIN);
    await plainApi.update('article', article.documentId, { title: 'edited' });
    const added = await plainApi.create('article', { title: 'B' });

    expect(copies.map((path) => existsSync(path))).toEqual(kind.name === 'sqlite' ? [true] : []);
    expect((await findUndo(history)).undone).toEqual([later, dropped]);
    await undoMigration(history);
    const again = await history.open(FULL);
    expect(await again.one('article', article.documentId, READ)).toMatchObject({
      title: 'A',
      teaser: 'of A',
      tags: [{ name: 'red' }],
    });
    expect(await again.one('article', added.documentId)).toBeNull();
    expect((await rejectionOf(findUndo(history))).code).toBe('migration/nothing-to-undo');
    await again.create('article', { title: 'C', tags: [tag.documentId] });
    expect(await again.list('article')).toHaveLength(2);

    await history.migrate(PLAIN, ACCEPT);
    expect(
      await history.rows(`SELECT "title" FROM "articles" WHERE "status" = 'published' ORDER BY "id"`),
    ).toEqual([{ title: 'A' }, { title: 'C' }]);
  });

  it('copies nothing before a migration that keeps every row as it is', async () => {
    const history = await createContentHistory(kind);
    const copies: string[] = [];
    const onCopy = (path: string): void => void copies.push(path);
    await history.migrate(PLAIN, { onCopy });
    await (await history.open(PLAIN)).create('article', { title: 'A' });
    await history.migrate(FULL, { onCopy });
    expect(copies).toEqual([]);
    expect((await rejectionOf(findUndo(history))).code).toBe('migration/nothing-to-undo');
  });

  it('deletes the copies, after which a migration is reverted without what it dropped', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FULL);
    const api = await history.open(FULL);
    const { documentId } = await api.create('article', { title: 'A', teaser: 'of A' });
    const dropped = (await history.migrate(PLAIN, ACCEPT)).name;

    const told = await deleteCopies(history, { isDryRun: true });
    expect(told.migrations).toEqual([{ name: dropped, rows: 2 }]);
    expect(told.files).toHaveLength(kind.name === 'sqlite' ? 1 : 0);
    expect(await deleteCopies(history, { isDryRun: false })).toEqual(told);
    expect(await deleteCopies(history, { isDryRun: true })).toEqual({ migrations: [], files: [] });
    expect((await rejectionOf(findUndo(history))).code).toBe('migration/nothing-to-undo');

    await history.down();
    expect(await (await history.open(FULL)).one('article', documentId)).toMatchObject({
      title: 'A',
      teaser: null,
    });
  });

  it('keeps the last copies of a file only', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FULL);
    const api = await history.open(FULL);
    await api.create('article', { title: 'A' });
    for (const label of ['one', 'two', 'three', 'four', 'five']) {
      await history.migrate(FULL);
      await history.migrate({ types: { ...FULL.types, [label]: TAG } }, { label: `add ${label}` });
      await (await history.open({ types: { ...FULL.types, [label]: TAG } })).create(label, { name: 'x' });
      await history.migrate(FULL, { ...ACCEPT, label: `drop ${label}` });
    }
    const files =
      kind.name === 'sqlite'
        ? readdirSync(dirname(history.url.slice('file:'.length))).filter((name) => name.includes('.before-'))
        : [];
    expect(files.map((name) => name.replace(/.*_drop_(\w+)\.db$/, '$1')).toSorted()).toEqual(
      kind.name === 'sqlite' ? ['five', 'four', 'three'] : [],
    );
  });

  it('empties the database, and keeps a copy of the file', async () => {
    const history = await createContentHistory(kind);
    await history.migrate(FULL);
    const api = await history.open(FULL);
    await api.create('article', { title: 'A', teaser: 'of A' });
    await history.migrate(PLAIN, ACCEPT);
    const path = await emptyDatabase(history);
    expect(path === null ? false : existsSync(path)).toBe(kind.name === 'sqlite');
    expect((await history.migrate(PLAIN)).applied).toHaveLength(2);
    expect(await (await history.open(PLAIN)).list('article')).toEqual([]);
  });
});
