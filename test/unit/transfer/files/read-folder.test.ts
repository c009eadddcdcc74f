import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { assertFolders, readFolder } from '../../../../src/transfer/files/read-folder.js';
import { isGalleyError } from '../../../../src/errors/galley-error.js';
import { modelFrom } from '../../../support/models.js';

const model = modelFrom({
  types: {
    page: { attributes: { title: { type: 'string' }, body: { type: 'richtext' } } },
    note: { attributes: { title: { type: 'string' } } },
  },
});

const parent = mkdtempSync(join(tmpdir(), 'galley-folders-'));
afterAll(() => rmSync(parent, { recursive: true }));

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const root = mkdtempSync(join(parent, 'content-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

const failure = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.catch((caught: unknown) => caught);
  return isGalleyError(error) ? error.message : String(error);
};

describe('folders of content files', () => {
  it('are refused with the places of all that is wrong', async () => {
    const types = model.types.filter(({ origin }) => origin === 'project');
    const root = folderOf({
      'note/fine.yaml': 'title: A\n',
      'page/a.md': '---\n$documentId: abc\ntitel: A\n---\n',
      'page/b.md': '---\n$documentId: 12\n---\n',
      'page/c.md': '---\ntitle: Half',
      'page/d.md': '',
      'page/e.md': '---\ntitle: A\n$locale: fr\n---\n',
      'page/f.md': '---\ntitle: A\n---\n\nText',
    });
    expect((await failure(readFolder(root, types))).split('\n  ')).toEqual([
      'Files contain 5 errors:',
      'page/a.md:3: page has no attribute titel. Did you mean title?',
      'page/b.md:2: $documentId must be text.',
      'page/c.md:1: the front matter has no end.',
      'page/d.md:1: the file is empty.',
      'page/e.md:3: page is not localised.',
    ]);
    expect(await failure(readFolder(folderOf({ 'note/a.yaml': '[' }), types))).toMatch(/^note\/a\.yaml:1: /);
  });

  it('are refused where files lie in a folder of no type', async () => {
    const fine = { 'note/a.yaml': 'title: A\n', 'media/a.yaml': '', '.git/a.yaml': '', 'docs/a.txt': '' };
    await assertFolders(folderOf(fine), model);
    expect(await failure(assertFolders(folderOf({ ...fine, 'notes/a.yaml': '' }), model))).toBe(
      'notes/a.yaml:1: There is no content-type notes. Did you mean note?',
    );
  });
});
