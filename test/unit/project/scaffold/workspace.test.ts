import {
  chmodSync,
  existsSync,
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
import { printUnifiedDiffs } from '../../../../src/lib/files.js';
import { applyChanges, createWorkspace, revertChanges } from '../../../../src/project/scaffold/workspace.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'changes-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
});

const tree = (): readonly string[] => readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();

describe('applyChanges', () => {
  it('writes, replaces and removes, and leaves neither helper files nor empty folders', async () => {
    mkdirSync(join(root, 'a/b'), { recursive: true });
    writeFileSync(join(root, 'a/b/old'), 'old');
    writeFileSync(join(root, 'keep'), '1');
    await applyChanges(root, [
      { path: 'a/b/old', before: 'old', after: null },
      { path: 'keep', before: '1', after: '2' },
      { path: 'x/y/new', before: null, after: 'new', mode: 0o600 },
    ]);
    expect(tree()).toEqual(['keep', 'x', 'x/y', 'x/y/new']);
    expect(readFileSync(join(root, 'keep'), 'utf8')).toBe('2');
    expect(statSync(join(root, 'x/y/new')).mode & 0o777).toBe(0o600);
  });

  it('changes nothing where one of the files cannot be written', async () => {
    writeFileSync(join(root, 'keep'), '1');
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(root, 'folder/inside'), '');
    const changes = [
      { path: 'keep', before: '1', after: '2' },
      { path: 'new/file', before: null, after: 'x' },
      { path: 'folder', before: null, after: 'a file where a folder is' },
    ];
    await expect(applyChanges(root, changes)).rejects.toThrow();
    expect(tree()).toEqual(['folder', 'folder/inside', 'keep']);
    expect(readFileSync(join(root, 'keep'), 'utf8')).toBe('1');
  });

  it('can be reverted', async () => {
    writeFileSync(join(root, 'keep'), '1');
    const changes = [
      { path: 'keep', before: '1', after: null },
      { path: 'new/file', before: null, after: 'x' },
    ];
    await applyChanges(root, changes);
    expect(tree()).toEqual(['new', 'new/file']);
    await revertChanges(root, changes);
    expect(tree()).toEqual(['keep']);
  });

  it('keeps the permission bits of a file it replaces', async () => {
    writeFileSync(join(root, 'run.sh'), '1');
    chmodSync(join(root, 'run.sh'), 0o755);
    await applyChanges(root, [{ path: 'run.sh', before: '1', after: '2' }]);
    expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o755);
  });
});

describe('a workspace', () => {
  it('holds edits until they are applied, and drops those that change nothing', async () => {
    writeFileSync(join(root, 'b'), 'same');
    const workspace = createWorkspace(root);
    await workspace.write('b', 'other');
    expect(await workspace.read('b')).toBe('other');
    await workspace.write('b', 'same');
    await workspace.write('c', 'x');
    await workspace.write('a', 'y');
    await workspace.write('gone', null);
    expect(workspace.changes()).toEqual([
      { path: 'a', before: null, after: 'y' },
      { path: 'c', before: null, after: 'x' },
    ]);
    expect(existsSync(join(root, 'a'))).toBe(false);
  });

  it('prints its changes as a diff', async () => {
    writeFileSync(join(root, 'b'), 'one\n');
    const workspace = createWorkspace(root);
    await workspace.write('b', 'two\n');
    expect(printUnifiedDiffs(workspace.changes())).toBe('--- a/b\n+++ b/b\n@@ -1,1 +1,1 @@\n-one\n+two\n');
  });
});
