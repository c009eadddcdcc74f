import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markNewFiles } from '../../../../src/transfer/files/mark-files.js';
import type { Plan } from '../../../../src/transfer/files/plan.js';

/** What marking reads of a plan that creates one document. */
const planOf = (text: string, documentId: string): Plan => {
  const file = { path: 'tag/red.yaml', text, documentId, isNew: true, lineOf: () => 1 };
  return { files: [file], units: [{ file, writes: [{ action: 'create' }] }] } as unknown as Plan;
};

describe('markNewFiles', () => {
  const TEXT = 'title: Red\n';
  const createFolder = (): string => {
    const root = mkdtempSync(join(tmpdir(), 'marks-'));
    mkdirSync(join(root, 'tag'));
    writeFileSync(join(root, 'tag/red.yaml'), TEXT);
    return root;
  };
  const textIn = (root: string): string => readFileSync(join(root, 'tag/red.yaml'), 'utf8');
  const lockFile = (root: string): string => join(root, '.galley-push');

  it('lets one of many concurrent pushes adopt a new file', async () => {
    const root = createFolder();
    const ids = Array.from({ length: 8 }, (_, index) => `document${index}`);
    const outcomes = await Promise.allSettled(ids.map((id) => markNewFiles(root, planOf(TEXT, id))));
    const winners = ids.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(textIn(root)).toBe(`$documentId: ${winners[0]}\n$new: true\n${TEXT}`);
    expect(readdirSync(root)).toEqual(['tag']);
  });

  it('waits for no push that was killed, and refuses beside one that runs', async () => {
    const root = createFolder();
    writeFileSync(lockFile(root), String(process.ppid));
    await expect(markNewFiles(root, planOf(TEXT, 'one'))).rejects.toThrow('Another pull or push');
    expect(textIn(root)).toBe(TEXT);
    writeFileSync(lockFile(root), String(2 ** 30));
    await markNewFiles(root, planOf(TEXT, 'one'));
    expect(textIn(root)).toContain('$documentId: one\n');
  });
});
