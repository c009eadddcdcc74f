import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DialectName } from '../../src/database/dialect/dialect.js';
import { defined } from '../../src/lib/assert.js';
import type { BenchDatabases } from './databases.js';
import { settlePostgres } from './fill-postgres.js';
import { fill } from './fill.js';
import type { BenchOptions } from './options.js';
import { cms } from './processes.js';

const MODEL = fileURLToPath(new URL('../fixtures/projects/magazine/src', import.meta.url));

/**
 * What the scenarios sort and filter by, and what they search. `_q` takes an index only where it has all
 * texts of a type.
 */
const DECLARED: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, true>>>>>> = {
  article: { title: { index: true, search: true }, views: { index: true } },
  author: { name: { index: true, search: true }, bio: { search: true } },
  category: { name: { index: true } },
};

interface SchemaFile {
  readonly attributes: Readonly<Record<string, object>>;
}

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

/** Writes the options into the schema files, as `cms field index` and `cms field search` do one by one. */
const declareIndexes = (folder: string): void => {
  for (const [type, attributes] of Object.entries(DECLARED)) {
    const file = join(folder, 'src/api', type, 'content-types', type, 'schema.json');
    const schema = JSON.parse(readFileSync(file, 'utf8')) as SchemaFile;
    for (const [name, options] of Object.entries(attributes))
      Object.assign(defined(schema.attributes[name], name), options);
    writeFileSync(file, JSON.stringify(schema, null, 2));
  }
};

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
  declareIndexes(folder);
  cms(folder, 'migrate', '--name', 'model', '--yes');
  const token = cms(folder, 'token', 'create', '--name', 'bench', '--type', 'full-access');
  await fill(folder, size);
  if (dialect === 'postgresql') await settlePostgres(url);
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
