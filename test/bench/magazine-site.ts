import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DialectName } from '../../src/dialects/dialect-name.js';
import type { BenchDatabases } from './databases.js';
import { fill, settle } from './fill.js';
import type { BenchOptions } from './options.js';
import { cms } from './processes.js';

const MODEL = fileURLToPath(new URL('../fixtures/projects/magazine/src', import.meta.url));

/** What the scenarios sort and filter by. */
const INDEXED = ['article title', 'article views', 'author name', 'category name'];
/** What they search. `_q` takes an index only where it has all texts of a type. */
const SEARCHED = ['article title', 'author name', 'author bio'];

export interface Site {
  readonly folder: string;
  readonly dialect: DialectName;
  readonly size: number;
  /** Of its database. */
  readonly url: string;
  /** Grants everything. */
  readonly token: string;
}

export interface Sites {
  readonly open: (size: number) => Promise<Site>;
  readonly close: () => void;
}

const createSite = async (
  folder: string,
  { dialect, size, databases }: { dialect: DialectName; size: number; databases: BenchDatabases },
): Promise<Site> => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const url = await databases.create(folder, `magazine_${size}`);
  const database = ['--database', dialect, '--database-url', url];
  cms(folder, 'new', '.', '--template', 'blank', ...database, '--yes', '--no-install', '--no-git');
  cpSync(MODEL, join(folder, 'src'), { recursive: true });
  for (const names of INDEXED) cms(folder, 'field', 'index', ...names.split(' '), '--no-migrate', '--yes');
  cms(folder, 'migrate', '--name', 'model', '--yes');
  const token = cms(folder, 'token', 'create', '--name', 'bench', '--type', 'full-access');
  await fill(dialect, url, size);
  // Building the full-text index from all rows takes a fraction of keeping it while they are written.
  for (const names of SEARCHED) cms(folder, 'field', 'search', ...names.split(' '), '--no-migrate', '--yes');
  cms(folder, 'migrate', '--yes');
  await settle(dialect, url);
  return { folder, dialect, size, url, token };
};

/** Makes sites with the magazine's content model, or finds those that an earlier run has kept. */
export function createSites({ dialect, folder }: BenchOptions, databases: BenchDatabases): Sites {
  const root = folder ?? mkdtempSync(join(tmpdir(), 'bench-'));
  return {
    open: async (size) => {
      const siteFolder = join(root, `${dialect}-${size}`);
      const record = join(siteFolder, 'bench.json');
      if (existsSync(record)) return JSON.parse(readFileSync(record, 'utf8')) as Site;
      const start = performance.now();
      const site = await createSite(siteFolder, { dialect, size, databases });
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      process.stdout.write(`${size} articles on ${dialect} in ${seconds} s\n`);
      writeFileSync(record, JSON.stringify(site));
      return site;
    },
    close: () => {
      if (folder === null) rmSync(root, { recursive: true, force: true });
    },
  };
}
