import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCycles } from './support/architecture/cycles.js';
import { ROWS } from './support/architecture/rows.js';
import { checkFile } from './support/architecture/rules.js';
import { scan } from './support/architecture/scan.js';
import type { Scan } from './support/architecture/scan.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const sources = (): ReadonlyMap<string, string> => {
  const entries = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts')).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')]));
};

const scanAll = (files: Iterable<readonly [file: string, source: string]>): ReadonlyMap<string, Scan> =>
  new Map([...files].map(([file, source]) => [file, scan(file, source)]));

describe('the architecture of src/', () => {
  const scans = scanAll(sources());

  it('is read at all', () => {
    expect(scans.size).toBeGreaterThan(20);
    expect([...scans.values()].flatMap(({ references }) => references).length).toBeGreaterThan(50);
  });

  it('keeps every rule of the rows', () => {
    const violations = [...scans].flatMap(([file, found]) => checkFile(file, found));
    expect(violations.map(({ file, line, rule, message }) => `${file}:${line} [${rule}] ${message}`)).toEqual([]);
  });

  it('has no import cycles', () => {
    expect(findCycles(scans).map((ring) => ring.join(' → '))).toEqual([]);
  });

  it('is mirrored by the unit tests', () => {
    const folders = readdirSync(join(root, 'test/unit'), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(folders.filter((folder) => !ROWS.flat().includes(folder))).toEqual([]);
  });
});

/** The rules that a file of this path and source breaks. */
const broken = (file: string, source: string): readonly string[] => checkFile(file, scan(file, source)).map(({ rule }) => rule);

describe('the checker itself', () => {
  it.each([
    ['an import from a higher row', 'src/model/a.ts', "import { x } from '../sql/x.js';", 'upward'],
    ['a type import from a higher row', 'src/model/a.ts', "import type { X } from '../sql/x.js';", 'upward'],
    ['an inline type import from a higher row', 'src/model/a.ts', "import { type X } from '../sql/x.js';", 'upward'],
    ['a re-export from a higher row', 'src/model/a.ts', "export { x } from '../sql/x.js';", 'upward'],
    ['a star re-export from a higher row', 'src/model/a.ts', "export * from '../sql/x.js';", 'upward'],
    ['a dynamic import from a higher row', 'src/model/a.ts', "const x = await import('../sql/x.js');", 'upward'],
    ['an import() type from a higher row', 'src/model/a.ts', "type X = import('../sql/x.js').X;", 'upward'],
    ['an import of a sibling room', 'src/sql/a.ts', "import { x } from '../validation/x.js';", 'sibling'],
    ['transports importing each other', 'src/rest/a.ts', "import { x } from '../graphql/x.js';", 'sibling'],
    ['commands importing hooks', 'src/commands/a.ts', "import { x } from '../hooks/x.js';", 'sibling'],
    ['an import of commands', 'src/hooks/a.ts', "import { x } from '../commands/base.js';", 'commands'],
    ['the entry importing commands', 'src/index.ts', "export { x } from './commands/base.js';", 'commands'],
    ['an import of the entry', 'src/app/a.ts', "import { x } from '../index.js';", 'entry'],
    ['an import from outside of src', 'src/app/a.ts', "import { x } from '../../test/x.js';", 'outside'],
    ['a room that the table lacks', 'src/helpers/a.ts', 'export const x = 1;', 'unknown-room'],
    ['an import of a room that the table lacks', 'src/app/a.ts', "import { x } from '../helpers/x.js';", 'unknown-room'],
    ['a file in no room', 'src/stray.ts', 'export const x = 1;', 'unknown-room'],
    ['a barrel', 'src/model/index.ts', "export { x } from './x.js';", 'barrel'],
    ['rest importing sql', 'src/rest/a.ts', "import { x } from '../sql/x.js';", 'forbidden-room'],
    ['graphql importing database', 'src/graphql/a.ts', "import type { X } from '../database/x.js';", 'forbidden-room'],
    ['rest importing dialects', 'src/rest/a.ts', "import { x } from '../dialects/x.js';", 'forbidden-room'],
    ['database importing the model', 'src/database/a.ts', "import type { X } from '../model/x.js';", 'forbidden-room'],
    ['database importing fields', 'src/database/a.ts', "import type { X } from '../fields/x.js';", 'forbidden-room'],
    ['database importing query', 'src/database/a.ts', "import type { X } from '../query/x.js';", 'forbidden-room'],
    ['documents importing Fastify', 'src/documents/a.ts', "import type { FastifyInstance } from 'fastify';", 'package'],
    ['a Fastify plugin in a pure room', 'src/query/a.ts', "import cors from '@fastify/cors';", 'package'],
    ['Mercurius outside graphql', 'src/server/a.ts', "import mercurius from 'mercurius';", 'package'],
    ['GraphQL in the document service', 'src/documents/a.ts', "import { parse } from 'graphql';", 'package'],
    ['Prisma Client in a pure room', 'src/validation/a.ts', "import { Prisma } from '@prisma/client';", 'package'],
    ['Prisma Client in a transport', 'src/rest/a.ts', "import type { PrismaClient } from '@prisma/client/runtime/client';", 'package'],
    ['a driver outside dialects', 'src/database/a.ts', "const pg = await import('pg');", 'package'],
    ['a driver loaded eagerly', 'src/dialects/a.ts', "import Database from 'better-sqlite3';", 'eager-driver'],
    ['Kysely in a transport', 'src/rest/a.ts', "import { sql } from 'kysely';", 'package'],
    ['oclif outside commands', 'src/app/a.ts', "import { Command } from '@oclif/core/command';", 'package'],
    ['prompts outside commands', 'src/scaffold/a.ts', "const { input } = await import('@inquirer/prompts');", 'package'],
    ['the disk in a pure room', 'src/model/a.ts', "import { readFileSync } from 'node:fs';", 'impure'],
    ['the disk without its prefix', 'src/typegen/a.ts', "import { readFile } from 'fs/promises';", 'impure'],
    ['required disk in a pure room', 'src/typegen/a.ts', "const fs = require('node:fs');", 'impure'],
    ['the disk in content-types beside load.ts', 'src/content-types/parse.ts', "import { readFileSync } from 'node:fs';", 'impure'],
    ['the network in a pure room', 'src/fields/a.ts', "await fetch('http://localhost');", 'impure'],
    ['the process in a pure room', 'src/fields/a.ts', 'const folder = process.cwd();', 'impure'],
    ['a computed import in a pure room', 'src/fields/a.ts', 'await import(name);', 'impure'],
    ['the environment outside config', 'src/app/a.ts', 'const url = process.env.DATABASE_URL;', 'environment'],
    ['the environment by destructuring', 'src/app/a.ts', 'const { env } = process;', 'environment'],
    ['the environment by index', 'src/app/a.ts', "const url = process['env'].URL;", 'environment'],
    ['the environment in a command', 'src/commands/a.ts', 'const ci = process.env.CI;', 'environment'],
    ['printing outside commands', 'src/app/a.ts', "console.log('x');", 'print'],
    ['printing by stream', 'src/app/a.ts', "process.stdout.write('x');", 'print'],
    ['exiting outside commands', 'src/app/a.ts', 'process.exit(1);', 'exit'],
    ['setting the exit code', 'src/app/a.ts', 'globalThis.process.exitCode = 1;', 'exit'],
    ['comparing a database name', 'src/sql/a.ts', "if (dialect.name === 'sqlite') work();", 'dialect-name'],
    ['comparing it the other way round', 'src/sql/a.ts', "if ('postgresql' != dialect.name) work();", 'dialect-name'],
    ['switching over a database name', 'src/app/a.ts', "switch (name) { case 'postgresql': work(); }", 'dialect-name'],
    ['text that is no TypeScript', 'src/app/a.ts', 'const = ;', 'unreadable'],
  ])('catches %s', (_name, file, source, rule) => {
    expect(broken(file, source)).toContain(rule);
  });

  it.each([
    ['imports from lower rows and from its own room', 'src/sql/a.ts', "import { a } from '../model/a.js'; import type { B } from './b.js'; import { c } from '../lib/c.js';"],
    ['a driver loaded where it is opened', 'src/dialects/a.ts', "import type Database from 'better-sqlite3'; const open = async () => import('better-sqlite3');"],
    ['comments and strings that look like code', 'src/model/a.ts', "// import { x } from '../sql/x.js';\nconst text = \"import { x } from '../sql/x.js'; process.env.X; console.log(1)\";"],
    ['names that only look like the process', 'src/model/a.ts', 'const { env } = options; job.process.exit(); run(options.process);'],
    ['config reading files and the environment', 'src/config/a.ts', "import { readFileSync } from 'node:fs'; const port = process.env.PORT; if (import.meta.url) await import(name);"],
    ['the loader of content-types reading files', 'src/content-types/load.ts', "import { readFile } from 'node:fs/promises';"],
    ['commands printing and exiting', 'src/commands/a.ts', "process.stdout.write('x'); process.exit(1);"],
    ['a topic command', 'src/commands/migrate/index.ts', "import { BaseCommand } from '../base.js';"],
    ['dialects comparing names', 'src/dialects/a.ts', "if (name === 'sqlite') work();"],
    ['a name that is not compared', 'src/config/a.ts', "const provider = { sqlite: 1 }['sqlite']; use('postgresql');"],
    ['the entry naming any room but commands', 'src/index.ts', "export { defineConfig } from './config/define-config.js'; export type { App } from './app/app.js';"],
  ])('lets pass %s', (_name, file, source) => {
    expect(broken(file, source)).toEqual([]);
  });

  it('says where', () => {
    const source = "\n\nimport { x } from '../sql/x.js';\n";
    expect(checkFile('src/model/a.ts', scan('src/model/a.ts', source))).toEqual([{
      file: 'src/model/a.ts', line: 3, rule: 'upward', message: 'model (row 3) may not import sql (row 5): imports go to lower rows only',
    }]);
  });

  it('finds cycles of any length and through types, and tells each once', () => {
    const scans = scanAll([
      ['src/lib/a.ts', "import './b.js';"],
      ['src/lib/b.ts', "import type { C } from './c.js';"],
      ['src/lib/c.ts', "export const a = await import('./a.js');"],
      ['src/lib/self.ts', "import './self.js';"],
      ['src/lib/free.ts', "import './a.js';"],
    ]);
    expect(findCycles(scans)).toEqual([
      ['src/lib/a.ts', 'src/lib/b.ts', 'src/lib/c.ts', 'src/lib/a.ts'],
      ['src/lib/self.ts', 'src/lib/self.ts'],
    ]);
  });
});
