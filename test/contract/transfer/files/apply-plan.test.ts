import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { typeOf } from '../../../../src/model/lookup.js';
import { contentKey, readStoredContent } from '../../../../src/transfer/files/stored-content.js';
import type { ContentStore } from '../../../../src/transfer/store/content-store.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { POST, PROJECT, applyPush, createStore, planFolder, pullFolder, write } from './project.js';

describe.each(databases)('a push during writes of others on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let store: ContentStore;
  let root: string;
  /** Title and price of each draft, and the title of its published version. */
  const titles = async (locale = 'en'): Promise<readonly (readonly unknown[])[]> => {
    const stored = await readStoredContent(store, typeOf(store.model, POST));
    return ['one', 'two'].map((id) => {
      const content = stored.get(contentKey(id, locale));
      return [content?.draft['title'], content?.draft['price'], content?.published?.['title']];
    });
  };
  const edit = async (id: string, from: string, to: string, locale = 'en') => {
    const path = join(root, `post/${id}.${locale}.md`);
    const text = await readFile(path, 'utf8');
    expect(text).toContain(from);
    await writeFile(path, text.replace(from, to));
  };
  const update = (documentId: string, data: object, status: 'draft' | 'published' = 'draft') =>
    write(store, POST, [{ action: 'update', documentId, locale: 'en', data: { ...data }, status }]);
  const save = () => planFolder(store, root, null);

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PROJECT, database });
    store = createStore(testEnvironment);
    for (const documentId of ['one', 'two'])
      await write(store, POST, [
        { action: 'create', documentId, locale: 'en', data: { title: 'a' } },
        { action: 'update', documentId, locale: 'fr', data: { title: 'f' } },
      ]);
  });
  beforeEach(async () => {
    root = await mkdtemp(join(inject('runFolder'), 'push-'));
    for (const documentId of ['one', 'two']) await update(documentId, { title: 'a', price: 1 });
    await pullFolder(store, root);
  });
  afterAll(() => testEnvironment.close());

  it('rejects a file whose document another writer has changed since the plan', async () => {
    await edit('one', 'title: a', 'title: file');
    await edit('two', 'title: a', 'title: file');
    const plan = await save();
    await update('two', { title: 'other' });
    await expect(applyPush(store, root, plan)).rejects.toMatchObject({
      code: 'content/changed-during-push',
      message: 'post/two.en.md: post two was changed in the database during the push.',
    });
    expect(await titles()).toEqual([
      ['file', 1, undefined],
      ['other', 1, undefined],
    ]);
    // The next plan merges both changes: here, they are a conflict.
    expect((await save()).units.flatMap(({ merge }) => merge?.merged.conflicts ?? [])).toHaveLength(1);
  });

  it('writes nothing of an atomic push', async () => {
    await edit('one', 'title: a', 'title: file');
    await edit('two', 'title: a', 'title: file');
    const plan = await save();
    await update('two', { title: 'other' });
    await expect(applyPush(store, root, plan, true)).rejects.toMatchObject({
      code: 'content/changed-during-push',
    });
    expect(await titles()).toEqual([
      ['a', 1, undefined],
      ['other', 1, undefined],
    ]);
  });

  it('does not publish a draft that another writer has changed, and keeps other values', async () => {
    await edit('one', '$status: draft', '$status: published');
    await edit('two', 'title: a', 'title: file');
    const plan = await save();
    await update('one', { title: 'unfinished' });
    await update('two', { price: 9 });
    await expect(applyPush(store, root, plan)).rejects.toMatchObject({ code: 'content/changed-during-push' });
    await applyPush(store, root, {
      ...plan,
      units: plan.units.filter(({ file }) => file.documentId === 'two'),
    });
    expect(await titles()).toEqual([
      ['unfinished', 1, undefined],
      ['file', 9, undefined],
    ]);
  });

  it('writes a shared value through the files of all locales', async () => {
    await edit('one', 'price: 1', 'price: 5');
    await edit('one', 'title: f', 'title: g', 'fr');
    await applyPush(store, root, await save());
    expect([(await titles())[0], (await titles('fr'))[0]]).toEqual([
      ['a', 5, undefined],
      ['g', 5, undefined],
    ]);
  });
});
