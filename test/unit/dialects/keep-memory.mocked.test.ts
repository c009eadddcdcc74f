import { execFileSync } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { keepMemory } from '../../../src/dialects/sqlite/keep-memory.js';
import { loadDriver } from '../../../src/dialects/sqlite/load-driver.js';

vi.mock(import('../../../src/dialects/sqlite/keep-memory.js'), { spy: true });

const RUNS = 2000;

/** A process of its own, since whatever frees something large has the same effect. */
const script = (prepare: string): string => `
  const Database = require('better-sqlite3');
  const database = new Database(':memory:');
  ${prepare};
  const statement = database.prepare(\`
    WITH a(x) AS MATERIALIZED (SELECT value FROM json_each(?)), b(x) AS MATERIALIZED (SELECT x FROM a),
      c(x) AS MATERIALIZED (SELECT x FROM b)
    SELECT (SELECT count(*) FROM a) + (SELECT count(*) FROM b) + (SELECT count(*) FROM c)\`);
  const run = () => { for (let i = 0; i < ${RUNS}; i += 1) statement.get('[3,1,2]'); };
  run();
  const before = process.resourceUsage().minorPageFault;
  run();
  console.log((process.resourceUsage().minorPageFault - before) / ${RUNS});`;

/** How many pages of memory the system clears for a statement with temporary tables. */
const pagesFor = (prepare: string): number =>
  Number(execFileSync(process.execPath, ['--eval', script(prepare)], { encoding: 'utf8' }));

/** Other libraries give memory back as they like. */
const usesGlibc =
  process.platform === 'linux' && JSON.stringify(process.report.getReport()).includes('glibcVersionRuntime');

describe('the memory of temporary tables', () => {
  it.runIf(usesGlibc)('is kept from one statement to the next', async () => {
    const original = await vi.importActual<typeof import('../../../src/dialects/sqlite/keep-memory.js')>(
      '../../../src/dialects/sqlite/keep-memory.js',
    );
    expect(pagesFor('')).toBeGreaterThan(10);
    expect(pagesFor(`(${original.keepMemory.toString()})(database)`)).toBeLessThan(2);
  });

  it('is kept wherever SQLite is used', async () => {
    await loadDriver();
    expect(keepMemory).toHaveBeenCalledOnce();
  });
});
