import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadText, writeText } from '../../../src/project/write-text.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'text-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
});

describe('a text file', () => {
  it('is written with the folders it stands in, and leaves nothing beside it', async () => {
    await writeText(join(root, 'a/b/file'), 'one');
    expect(await loadText(join(root, 'a/b/file'))).toBe('one');
    expect(readdirSync(join(root, 'a/b'))).toEqual(['file']);
  });

  it('keeps its permission bits', async () => {
    const file = join(root, 'secret');
    writeFileSync(file, '1');
    chmodSync(file, 0o600);
    await writeText(file, '2');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['2', 0o600]);
  });

  it('leaves nothing behind where it cannot be written', async () => {
    mkdirSync(join(root, 'folder/inside'), { recursive: true });
    await expect(writeText(join(root, 'folder'), 'x')).rejects.toThrow();
    expect(readdirSync(root)).toEqual(['folder']);
  });

  it('is null where there is none', async () => {
    writeFileSync(join(root, 'file'), '');
    expect(await loadText(join(root, 'none'))).toBeNull();
    expect(await loadText(join(root, 'file/below'))).toBeNull();
    await expect(loadText(root)).rejects.toThrow();
  });
});
