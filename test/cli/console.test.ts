import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import Console from '../../src/commands/console.js';
import ContentCreate from '../../src/commands/content/create.js';
import Run from '../../src/commands/run.js';
import Sql from '../../src/commands/sql.js';
import { runBinary } from './support/binary.js';
import { createFakeTerminal } from './support/fake-terminal.js';
import { createSharedSite, rowsOf } from './support/migrated-project.js';
import { runCommand, runOn } from './support/run-command.js';
import { installProgram } from './support/shell.js';
import type { TempProject } from './support/temp-project.js';

const SCRIPTS = {
  'scripts/titles.ts': `
    type Scope = Readonly<Record<'documents' | 'prisma' | 'model' | 'config' | 'strapi' | 'args', any>>;
    export default async ({ documents, prisma, model, config, strapi, args }: Scope): Promise<object> => {
      const tags = await documents('api::tag.tag').findMany({ fields: ['title'] });
      console.log(tags[0].title, ...args);
      return {
        isOpen: [typeof prisma.tag.findMany, model.types.length > 0, config.server.port, typeof strapi.db],
      };
    };`,
  'scripts/statements.mjs':
    "const total = await documents('api::tag.tag').count({});\nconsole.log(total, typeof strapi, args);\n",
  'scripts/common.js':
    "module.exports = async ({ documents }) => console.log(await documents('api::tag.tag').count({}));\n",
  'scripts/stray.js': `module.exports = async ({ documents }) => {
    void Promise.reject(new Error('stray'));
    await documents('api::tag.tag').count({});
    console.log('done');
  };`,
  'scripts/throws.ts': 'const a: number = 1;\n\nthrow new Error(`three ${a}`);\n',
  'scripts/invalid.ts': `
export default async ({ documents }: { documents: any }) => {
  await documents('api::tag.tag').create({ data: { title: 5 } });
};
`,
};

describe('the console, scripts and SQL', () => {
  let site: TempProject;
  const run = (command: Parameters<typeof runCommand>[0], argv: readonly string[], stdin = '') =>
    runCommand(command, argv, { cwd: site.root, stdin });

  beforeAll(async () => {
    site = await createSharedSite(SCRIPTS);
    await run(ContentCreate, ['tag', '--set', 'title=Red']);
  });

  describe('cms run', () => {
    it('calls what the file exports with the services, and leaves stdout to it', async () => {
      const { stdout, exitCode } = await run(Run, ['scripts/titles.ts', 'one', '--', '--two']);
      expect({ stdout, exitCode }).toEqual({ stdout: 'Red one --two\n', exitCode: 0 });
      const flags = ['--limit', '5', '-x', '--a=b', 'two', '--no-color', '--', '--json'];
      expect((await run(Run, ['scripts/titles.ts', ...flags])).stdout).toBe(
        'Red --limit 5 -x --a=b two --json\n',
      );
    });

    it('warns of a promise that nothing awaits and that rejects, and exits with 1', async () => {
      const { stdout, stderr, exitCode } = await runBinary(['run', 'scripts/stray.js'], { cwd: site.root });
      expect({ stdout, exitCode }).toEqual({ stdout: 'done\n', exitCode: 1 });
      expect(stderr).toContain('Unhandled promise rejection: stray (scripts/stray.js:2)');
    });

    it('prints what the function returns with --json', async () => {
      const { json } = await run(Run, ['scripts/titles.ts', '--json']);
      expect(json()).toEqual({ result: { isOpen: ['function', true, expect.any(Number), 'object'] } });
    });

    it('evaluates files of statements, and CommonJS', async () => {
      expect((await run(Run, ['scripts/statements.mjs'])).stdout).toBe('1 object []\n');
      expect((await run(Run, ['scripts/common.js'])).stdout).toBe('1\n');
      expect(Reflect.has(globalThis, 'documents')).toBe(false);
    });

    it.each([
      ['scripts/throws.ts', 'The script failed at scripts/throws.ts:3: three 1'],
      ['scripts/invalid.ts', 'The script failed at scripts/invalid.ts:3: title must be a string'],
      ['scripts/none.ts', 'There is no file scripts/none.ts.'],
    ])('names the line where %s throws', async (script, message) => {
      const { stderr, exitCode } = await run(Run, [script]);
      expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining(message), exitCode: 1 });
    });
  });

  describe('cms console', () => {
    it('evaluates what is piped in, statement by statement', async () => {
      const lines = [
        "const total = await documents('api::tag.tag').count({})",
        'total',
        'const next = (value) => {',
        '  return value + 1',
        '}',
        'console.log("logged")',
        'next(total)',
        'model.types.length > 0 && typeof prisma.tag.findMany',
        '.exit',
        'total',
      ];
      const { stdout, exitCode } = await run(Console, [], lines.join('\n'));
      expect({ stdout, exitCode }).toEqual({ stdout: '1\nlogged\n2\nfunction\n', exitCode: 0 });
    });

    it.each([
      ['1\nthrow new Error("no")\n2', 'line 2 of standard input: no'],
      ['1\n\nawait Promise.reject(new Error("no"))\n2', 'line 3 of standard input: no'],
      ['1\n[2,\n', 'line 2 of standard input: Unexpected end of input'],
    ])('stops at the first error of %j', async (code, message) => {
      const { stdout, stderr, exitCode } = await run(Console, [], code);
      expect({ stdout, stderr, exitCode }).toEqual({
        stdout: '1\n',
        stderr: expect.stringContaining(message),
        exitCode: 1,
      });
    });

    it('completes names on a terminal, keeps what was typed, and ends with Ctrl-D', async () => {
      const terminal = createFakeTerminal({ cwd: site.root, tty: true });
      const done = runOn(terminal, Console, []);
      await terminal.waitForText('Ctrl-D leaves');
      const typeUntil = async (keys: string, shown: RegExp): Promise<void> => {
        terminal.type(keys);
        await expect.poll(() => stripVTControlCharacters(terminal.out())).toMatch(shown);
      };
      await typeUntil("await documents('api::ta", /api::ta/);
      await typeUntil('\t', /api::tag\.tag/);
      await typeUntil("').findM", /findM/);
      await typeUntil('\t', /findMany/);
      await typeUntil('({ filters: { tit', /tit/);
      await typeUntil('\t', /title/);
      await typeUntil(": 'Red' } }).then(({ length }) => length)\r", /\n1\n/);
      terminal.type('\u0004');
      expect(await done).toBe(0);
      expect(existsSync(join(site.root, '.galley', 'console-history'))).toBe(true);
    });
  });

  describe('cms sql', () => {
    it('prints rows as a table, CSV, JSON lines and JSON', async () => {
      const statement = "select title, 2 as two, null as void from tags where title = 'Red'";
      expect((await run(Sql, [statement])).stdout).toBe('title  two  void\nRed      2\n');
      expect((await run(Sql, ['--format', 'csv'], statement)).stdout).toBe('title,two,void\nRed,2,\n');
      expect((await run(Sql, ['-', '--format', 'jsonl'], statement)).stdout).toBe(
        '{"title":"Red","two":2,"void":null}\n',
      );
      expect((await run(Sql, [statement, '--json'])).json()).toEqual({
        columns: ['title', 'two', 'void'],
        rows: [['Red', 2, null]],
      });
    });

    it.each([
      ['delete from tags', 'would write'],
      ['update tags set title = null returning *', 'would write'],
      ["vacuum into 'copy.db'", 'would write'],
      ['select 1; delete from tags', 'more than one statement'],
      ['select absent', 'no such column: absent'],
    ])('refuses %s', async (statement, message) => {
      const { stderr, exitCode } = await run(Sql, [statement]);
      expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining(message), exitCode: 1 });
      expect(rowsOf(site, 'select title from tags')).toEqual([{ title: 'Red' }]);
    });

    it('opens the shell of the database on a terminal, and says how it is installed', async () => {
      const path = installProgram(site.root, 'sqlite3', 'test -f "$1" && exit 7');
      const open = (PATH: string) => {
        const terminal = createFakeTerminal({ cwd: site.root, tty: true, env: { PATH } });
        return runOn(terminal, Sql, []).then((exitCode) => ({ exitCode, stderr: terminal.err() }));
      };
      expect(await open(path)).toEqual({ exitCode: 7, stderr: '' });
      expect(await open(join(site.root, 'none'))).toEqual({
        exitCode: 1,
        stderr: expect.stringContaining('sqlite3'),
      });
    });
  });
});
