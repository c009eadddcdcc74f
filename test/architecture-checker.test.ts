import { describe, expect, it } from 'vitest';
import { findCycles } from './support/architecture/cycles.js';
import { findDiscardedErrors } from './support/architecture/discarded-errors.js';
import { findLongLines } from './support/architecture/long-lines.js';
import { checkFile } from './support/architecture/rules.js';
import { scan, scanAll } from './support/architecture/scan.js';

/** The rules that a file of this path and source breaks. */
const brokenRules = (file: string, source: string): readonly string[] =>
  checkFile(file, scan(file, source)).map(({ rule }) => rule);

describe('the architecture checker', () => {
  it.each([
    ['an import from a higher row', 'src/model/a.ts', "import { x } from '../documents/x.js';", 'upward'],
    [
      'a type import from a higher row',
      'src/model/a.ts',
      "import type { X } from '../documents/x.js';",
      'upward',
    ],
    [
      'an inline type import from a higher row',
      'src/model/a.ts',
      "import { type X } from '../documents/x.js';",
      'upward',
    ],
    ['a re-export from a higher row', 'src/model/a.ts', "export { x } from '../documents/x.js';", 'upward'],
    ['a star re-export from a higher row', 'src/model/a.ts', "export * from '../documents/x.js';", 'upward'],
    [
      'a dynamic import from a higher row',
      'src/model/a.ts',
      "const x = await import('../documents/x.js');",
      'upward',
    ],
    [
      'an import() type from a higher row',
      'src/model/a.ts',
      "type X = import('../documents/x.js').X;",
      'upward',
    ],
    ['an import of a sibling room', 'src/access/a.ts', "import { x } from '../media/x.js';", 'sibling'],
    [
      'transports importing each other',
      'src/api/rest/a.ts',
      "import { x } from '../graphql/x.js';",
      'sibling',
    ],
    ['an import of a later folder', 'src/model/fields/a.ts', "import { x } from '../model.js';", 'upward'],
    [
      'an import of commands',
      'src/cli/hooks/a.ts',
      "import { x } from '../../commands/base.js';",
      'commands',
    ],
    ['the entry importing commands', 'src/index.ts', "export { x } from './commands/base.js';", 'commands'],
    ['an import of the entry', 'src/project/a.ts', "import { x } from '../index.js';", 'entry'],
    ['an import from outside of src', 'src/project/a.ts', "import { x } from '../../test/x.js';", 'outside'],
    ['a room that the table lacks', 'src/helpers/a.ts', 'export const x = 1;', 'unknown-room'],
    [
      'an import of a room that the table lacks',
      'src/project/a.ts',
      "import { x } from '../helpers/x.js';",
      'unknown-room',
    ],
    ['a file in no room', 'src/stray.ts', 'export const x = 1;', 'unknown-room'],
    [
      'the client importing code of the server',
      'src/api/client/a.ts',
      "import { x } from '../../lib/x.js';",
      'client',
    ],
    ['the client importing a package', 'src/api/client/a.ts', "import { parse } from 'qs';", 'client'],
    [
      'the client importing code of typegen',
      'src/client.ts',
      "export { x } from './generate/typegen/x.js';",
      'client',
    ],
    ['a barrel', 'src/model/index.ts', "export { x } from './x.js';", 'barrel'],
    ['rest compiling SQL', 'src/api/rest/a.ts', "import { x } from '../../query/compile/x.js';", 'forbidden'],
    [
      'graphql importing database',
      'src/api/graphql/a.ts',
      "import type { X } from '../../database/x.js';",
      'forbidden',
    ],
    [
      'rest importing a dialect',
      'src/api/rest/a.ts',
      "import { x } from '../../database/dialect/x.js';",
      'forbidden',
    ],
    [
      'database importing the model',
      'src/database/a.ts',
      "import type { X } from '../model/x.js';",
      'upward',
    ],
    [
      'database importing fields',
      'src/database/a.ts',
      "import type { X } from '../model/fields/x.js';",
      'upward',
    ],
    ['database importing query', 'src/database/a.ts', "import type { X } from '../query/x.js';", 'upward'],
    [
      'documents importing Fastify',
      'src/documents/a.ts',
      "import type { FastifyInstance } from 'fastify';",
      'package',
    ],
    ['a Fastify plugin in a pure room', 'src/query/a.ts', "import cors from '@fastify/cors';", 'package'],
    ['Mercurius outside graphql', 'src/server/a.ts', "import mercurius from 'mercurius';", 'package'],
    ['GraphQL in the document service', 'src/documents/a.ts', "import { parse } from 'graphql';", 'package'],
    [
      'Prisma Client in a pure room',
      'src/documents/validation/a.ts',
      "import { Prisma } from '@prisma/client';",
      'package',
    ],
    [
      'Prisma Client in a transport',
      'src/api/rest/a.ts',
      "import type { PrismaClient } from '@prisma/client/runtime/client';",
      'package',
    ],
    [
      'the runtime of Prisma Client outside of database/prisma',
      'src/project/a.ts',
      "const runtime = require('@prisma/client/runtime/client.js');",
      'package',
    ],
    [
      'the path of a file of Prisma outside of database/prisma',
      'src/migrations/a.ts',
      "const path = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');",
      'package',
    ],
    [
      'the parameter graph of Prisma outside of database/prisma',
      'src/database/a.ts',
      "import { serializeParamGraph } from '@prisma/param-graph';",
      'package',
    ],
    ['a driver beside the dialects', 'src/database/a.ts', "const pg = await import('pg');", 'package'],
    [
      'a driver loaded eagerly',
      'src/database/dialect/a.ts',
      "import Database from 'better-sqlite3';",
      'eager-driver',
    ],
    ['Kysely in a transport', 'src/api/rest/a.ts', "import { sql } from 'kysely';", 'package'],
    [
      'oclif outside commands',
      'src/project/a.ts',
      "import { Command } from '@oclif/core/command';",
      'package',
    ],
    [
      'prompts outside commands',
      'src/project/scaffold/a.ts',
      "const { input } = await import('@inquirer/prompts');",
      'package',
    ],
    ['the disk in a pure room', 'src/model/a.ts', "import { readFileSync } from 'node:fs';", 'impure'],
    [
      'the disk without its prefix',
      'src/generate/typegen/a.ts',
      "import { readFile } from 'fs/promises';",
      'impure',
    ],
    ['required disk in a pure room', 'src/generate/typegen/a.ts', "const fs = require('node:fs');", 'impure'],
    [
      'the disk in content-types beside load.ts',
      'src/model/content-types/parse.ts',
      "import { readFileSync } from 'node:fs';",
      'impure',
    ],
    ['the network in a pure room', 'src/model/fields/a.ts', "await fetch('http://localhost');", 'impure'],
    ['the process in a pure room', 'src/model/fields/a.ts', 'const folder = process.cwd();', 'impure'],
    ['a computed import in a pure room', 'src/model/fields/a.ts', 'await import(name);', 'impure'],
    [
      'the environment outside config',
      'src/project/a.ts',
      'const url = process.env.DATABASE_URL;',
      'environment',
    ],
    ['the environment by destructuring', 'src/project/a.ts', 'const { env } = process;', 'environment'],
    ['the environment by index', 'src/project/a.ts', "const url = process['env'].URL;", 'environment'],
    ['the environment in a command', 'src/commands/a.ts', 'const ci = process.env.CI;', 'environment'],
    ['printing outside commands', 'src/project/a.ts', "console.log('x');", 'print'],
    ['printing by stream', 'src/project/a.ts', "process.stdout.write('x');", 'print'],
    ['exiting outside commands', 'src/project/a.ts', 'process.exit(1);', 'exit'],
    ['setting the exit code', 'src/project/a.ts', 'globalThis.process.exitCode = 1;', 'exit'],
    [
      'comparing a database name',
      'src/query/compile/a.ts',
      "if (dialect.name === 'sqlite') work();",
      'dialect-name',
    ],
    [
      'comparing it the other way round',
      'src/query/compile/a.ts',
      "if ('postgresql' != dialect.name) work();",
      'dialect-name',
    ],
    [
      'switching over a database name',
      'src/project/a.ts',
      "switch (name) { case 'postgresql': work(); }",
      'dialect-name',
    ],
    ['text that is not TypeScript', 'src/project/a.ts', 'const = ;', 'unreadable'],
  ])('catches %s', (_name, file, source, rule) => {
    expect(brokenRules(file, source)).toContain(rule);
  });

  it.each([
    [
      'imports from lower rows and from its own room',
      'src/query/compile/a.ts',
      "import { a } from '../../model/a.js'; import type { B } from './b.js';",
    ],
    [
      'a driver loaded where it is opened',
      'src/database/dialect/a.ts',
      "import type Database from 'better-sqlite3'; const open = async () => import('better-sqlite3');",
    ],
    [
      'comments and strings that look like code',
      'src/model/a.ts',
      "// import { x } from '../api/x.js';\nconst text = \"import { x } from '../api/x.js'; " +
        'process.env.X; console.log(1)";',
    ],
    [
      'names that only look like the process',
      'src/model/a.ts',
      'const { env } = options; job.process.exit(); run(options.process);',
    ],
    [
      'config reading files and the environment',
      'src/config/a.ts',
      "import { readFileSync } from 'node:fs'; const port = process.env.PORT; if (import.meta.url) " +
        'await import(name);',
    ],
    [
      'the loader of content-types reading files',
      'src/model/content-types/load-definitions.ts',
      "import { readFile } from 'node:fs/promises';",
    ],
    ['commands printing and exiting', 'src/commands/a.ts', "process.stdout.write('x'); process.exit(1);"],
    ['a topic command', 'src/commands/migrate/index.ts', "import { BaseCommand } from '../base.js';"],
    ['a dialect comparing names', 'src/database/dialect/a.ts', "if (name === 'sqlite') work();"],
    [
      'a name that is not compared',
      'src/config/a.ts',
      "const provider = { sqlite: 1 }['sqlite']; use('postgresql');",
    ],
    [
      'the entry naming any room but commands',
      'src/index.ts',
      "export { defineConfig } from './config/define-config.js'; export type { App } from './api/a.js';",
    ],
  ])('allows %s', (_name, file, source) => {
    expect(brokenRules(file, source)).toEqual([]);
  });

  it('reports the file and the line', () => {
    const source = "\n\nimport { x } from '../documents/x.js';\n";
    expect(checkFile('src/model/a.ts', scan('src/model/a.ts', source))).toEqual([
      {
        file: 'src/model/a.ts',
        line: 3,
        rule: 'upward',
        message: 'model (row 3) may not import documents (row 6): imports go to lower rows only',
      },
    ]);
  });

  it('finds cycles of any length, also of type imports, and reports each once', () => {
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

describe('the check for discarded errors', () => {
  const MAKERS = `
    export function createError(code: string): GalleyError { return new GalleyError(code); }
    const invalidParameter = (name: string) => createError(name);
    const notFound = (): Error => new Error('x');`;

  const discarded = (statement: string): readonly string[] =>
    findDiscardedErrors(
      new Map([
        ['src/makers.ts', MAKERS],
        ['src/a.ts', `\n${statement}`],
      ]),
    );

  it.each([
    "createError('a/b');",
    "if (x) createError('a/b');",
    "x && createError('a/b');",
    "x ? invalidParameter('y') : work();",
    "void invalidParameter('y');",
    'async () => { await notFound(); };',
    "new TypeError('y');",
  ])('catches %s', (statement) => {
    expect(discarded(statement)).toEqual(['src/a.ts:2']);
  });

  it.each([
    "throw createError('a/b');",
    "const error = createError('a/b');",
    "const make = () => createError('a/b');",
    "reject(createError('a/b'));",
    'work();',
  ])('accepts %s', (statement) => {
    expect(discarded(statement)).toEqual([]);
  });
});

describe('the check for long lines', () => {
  it('counts characters, and names the file and the line', () => {
    const lines = ['é'.repeat(110), 'x'.repeat(111), ''];
    expect(findLongLines(new Map([['src/a.ts', lines.join('\n')]]))).toEqual(['src/a.ts:2']);
  });
});
