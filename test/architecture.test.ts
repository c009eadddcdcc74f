import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCycles } from './support/architecture/cycles.js';
import { findDiscardedErrors } from './support/architecture/discarded-errors.js';
import { findLongLines } from './support/architecture/long-lines.js';
import { rooms } from './support/architecture/rooms.js';
import { checkFile } from './support/architecture/rules.js';
import { scanAll } from './support/architecture/scan.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The TypeScript files of a folder by their path in the project. */
const filesOf = (folder: string): ReadonlyMap<string, string> => {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
  );
};

const sources = (): ReadonlyMap<string, string> => filesOf('src');

describe('the architecture of src/', () => {
  const scans = scanAll(sources());

  it('has files and imports', () => {
    expect(scans.size).toBeGreaterThan(20);
    expect([...scans.values()].flatMap(({ references }) => references).length).toBeGreaterThan(50);
  });

  it('follows the rules of the rooms', () => {
    const violations = [...scans].flatMap(([file, found]) => checkFile(file, found));
    expect(violations.map(({ file, line, rule, message }) => `${file}:${line} [${rule}] ${message}`)).toEqual(
      [],
    );
  });

  it('has no import cycles', () => {
    expect(findCycles(scans).map((cycle) => cycle.join(' → '))).toEqual([]);
  });

  it('throws, returns or passes on every error it creates', { timeout: 60_000 }, () => {
    expect(findDiscardedErrors(sources())).toEqual([]);
  });

  it('keeps the names of Prisma internals in src/database/prisma', () => {
    const internals =
      /getPrismaClient|query_compiler|__wbg|get_datamodel|serializeParamGraph|testMode|driverAdapterError/;
    const offenders = [...sources()].filter(
      ([file, source]) => !file.startsWith('src/database/prisma/') && internals.test(source),
    );
    expect(offenders.map(([file]) => file)).toEqual([]);
  });

  it.each(['src', 'test', 'bin'])('has no lines over 110 columns in %s', (folder) => {
    expect(findLongLines(filesOf(folder))).toEqual([]);
  });

  it('is mirrored by the unit tests', () => {
    const folders = readdirSync(join(root, 'test/unit'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(folders.filter((folder) => !rooms().includes(folder))).toEqual([]);
  });
});

/** The files of a test project share their worker's modules, which are loaded once. */
describe('test files that share their modules', () => {
  const filesWith = (pattern: RegExp): readonly string[] =>
    [...filesOf('test')].filter(([, source]) => pattern.test(source)).map(([file]) => file);

  it('replace none of them, unless their name ends with .mocked.test.ts', () => {
    const replacing = filesWith(/^\s*vi\.(mock|doMock)\(/m);
    expect(replacing.length).toBeGreaterThan(0);
    expect(replacing.filter((file) => !file.endsWith('.mocked.test.ts'))).toEqual([]);
  });

  it('leave no hooks to them, which would run for the first file only', () => {
    const withHooks = filesWith(/^(beforeAll|beforeEach|afterEach|afterAll)\(/m);
    const helpers = withHooks.filter((file) => !file.endsWith('.test.ts'));
    expect(helpers).toEqual(['test/support/drop-databases.ts']);
  });
});
