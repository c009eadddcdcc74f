import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import Generate from '../../../src/commands/generate.js';
import Migrate from '../../../src/commands/migrate.js';
import New from '../../../src/commands/new.js';
import PermissionsExport from '../../../src/commands/permissions/export.js';
import { hasNodeSqlite, sqlitePackages } from '../../../src/database/sqlite/driver.js';
import { accountSettings } from '../../../src/config/account-settings.js';
import { checkSecrets } from '../../../src/config/check-secrets.js';
import { evaluateModule } from '../../../src/config/module-loader.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { loadDefinitions } from '../../../src/model/content-types/load-definitions.js';
import { buildModel } from '../../../src/model/build-model.js';
import { answerAll, DOWN } from '../support/answer-all.js';
import { createFakeTerminal } from '../support/fake-terminal.js';
import { packageRoot } from '../support/package-root.js';
import { runCommand, runOn } from '../support/run-command.js';
import { createTempFolder, linkPackages } from '../support/temp-project.js';

const WITHOUT_SETUP = ['--no-install', '--no-git'];
const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

describe('cms new', () => {
  it.each(['blank', 'blog'] as const)('writes a complete %s project', async (template) => {
    const cwd = createTempFolder();
    const { exitCode, stdout } = await runCommand(
      New,
      ['site', '--template', template, '--yes', ...WITHOUT_SETUP],
      {
        cwd,
      },
    );
    const root = join(cwd, 'site');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${root}\n` });
    for (const path of [
      'package.json',
      'cms.config.ts',
      'tsconfig.json',
      '.gitignore',
      '.env',
      'prisma.config.ts',
      'src/api',
      'src/components',
      'prisma',
      'public/uploads',
      'README.md',
      'Dockerfile',
      '.dockerignore',
      'compose.yaml',
      '.github/workflows/ci.yml',
      'src/index.ts',
      'types/content-type.schema.json',
      'prisma/schema.prisma',
    ]) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
    expect(existsSync(join(root, 'gitignore'))).toBe(false);
    expect(read(root, 'README.md')).toContain('## Deploy');
    const { scripts } = JSON.parse(read(root, 'package.json')) as { scripts: Record<string, string> };
    expect(scripts).toMatchObject({ check: expect.any(String), deploy: expect.any(String) });
    expect(existsSync(join(root, 'node_modules'))).toBe(false);
    expect(existsSync(join(root, '.git'))).toBe(false);
    expect(readdirSync(cwd)).toEqual(['site']);
    const { model, problems } = buildModel(await loadDefinitions(root));
    expect(problems).toEqual([]);
    expect(model?.types.filter((type) => type.origin === 'project').length).toBe(template === 'blog' ? 6 : 0);
  });

  it.each(['blank', 'blog'] as const)(
    'makes a %s project that TypeScript accepts as it is',
    async (template) => {
      const cwd = createTempFolder();
      await runCommand(New, ['site', '--template', template, ...WITHOUT_SETUP], { cwd });
      const root = join(cwd, 'site');
      mkdirSync(join(root, 'node_modules'));
      symlinkSync(packageRoot, join(root, 'node_modules', 'galley'), 'dir');
      // As the script "check" does, without the client, which is generated when it is needed.
      expect((await runCommand(Generate, ['--check'], { cwd: root })).exitCode).toBe(0);
      const { bootstrap } = (await evaluateModule(join(root, 'src/index.ts'))) as {
        readonly bootstrap: (context: object) => Promise<void>;
      };
      await bootstrap({});
      const output = await new Promise<string>((resolve) => {
        execFile(
          process.execPath,
          [
            join(packageRoot, 'node_modules/typescript/bin/tsc'),
            '-p',
            root,
            '--pretty',
            'false',
            '--types',
            '',
          ],
          (_, stdout) => resolve(stdout),
        );
      });
      expect(output).toBe('');
    },
  );

  it('keeps accounts closed with --closed, and open as in Strapi without', async () => {
    const cwd = createTempFolder();
    await runCommand(New, ['open', ...WITHOUT_SETUP], { cwd });
    await runCommand(New, ['shut', '--closed', ...WITHOUT_SETUP], { cwd });
    const grants = async (name: string): Promise<boolean> =>
      accountSettings(await loadConfig(join(cwd, name))).defaultGrants;
    expect([await grants('open'), await grants('shut')]).toEqual([true, false]);
  });

  it.each([
    ['blog', ['--template', 'blog'], 6],
    ['blank', ['--closed'], 0],
  ] as const)('writes the permissions of a new database of a %s project', async (name, flags, types) => {
    const cwd = createTempFolder();
    await runCommand(New, [name, ...flags, ...WITHOUT_SETUP], { cwd });
    const root = join(cwd, name);
    linkPackages(root);
    const file = read(root, 'permissions.yaml');
    expect(file.match(/api::/g) ?? []).toHaveLength(types);
    expect(file.includes('callback: true')).toBe(name === 'blog');
    expect((await runCommand(Migrate, [], { cwd: root })).exitCode).toBe(0);
    expect((await runCommand(PermissionsExport, [], { cwd: root })).stdout).toBe(file);
  });

  it.each([
    ['sqlite', [], 'file:./data/data.db', undefined],
    ['postgresql', ['--database-url', '-'], 'postgresql://cms:', 'postgres:17'],
  ] as const)('makes files for containers and for CI that fit %s', async (_, flags, address, service) => {
    const cwd = createTempFolder();
    const stdin = 'postgresql://cms:secret@db.example.com/cms\n';
    await runCommand(New, ['site', ...flags, ...WITHOUT_SETUP], { cwd, stdin });
    const compose = parse(read(cwd, 'site/compose.yaml')) as {
      services: Record<string, { image?: string; environment: Record<string, string> }>;
    };
    expect(compose.services['cms']?.environment['DATABASE_URL']).toContain(address);
    expect(compose.services['db']?.image).toBe('postgres:17');
    const workflow = parse(read(cwd, 'site/.github/workflows/ci.yml')) as {
      jobs: {
        check: {
          services?: Record<string, { image: string }>;
          steps: { run?: string; with?: Readonly<Record<string, unknown>> }[];
        };
      };
    };
    expect(workflow.jobs.check.services?.['postgres']?.image).toBe(service);
    expect(workflow.jobs.check.steps.map(({ run }) => run)).toContain('npm run check');
    const docker = read(cwd, 'site/Dockerfile');
    expect(docker.match(/^FROM node:24-slim/gm)).toHaveLength(2);
    expect(workflow.jobs.check.steps.map((step) => step.with?.['node-version'] ?? null)).toContain(24);
    // npm would not pass on the signal that ends a container.
    expect(docker).toMatch(/^CMD \["sh", "-c", ".* && exec node_modules\/\.bin\/cms start"\]$/m);
    for (const name of ['compose.yaml', 'Dockerfile', '.github/workflows/ci.yml'])
      expect(read(cwd, `site/${name}`)).not.toMatch(/secret@|\{\{/);
  });

  it('makes fresh secrets, readable by the owner alone and kept out of git', async () => {
    const cwd = createTempFolder();
    for (const name of ['one', 'two']) await runCommand(New, [name, ...WITHOUT_SETUP], { cwd });
    expect(statSync(join(cwd, 'one/.env')).mode & 0o777).toBe(0o600);
    expect(read(cwd, 'one/.gitignore').split('\n')).toContain('.env');
    const [one, two] = [await loadConfig(join(cwd, 'one')), await loadConfig(join(cwd, 'two'))];
    expect(checkSecrets(one)).toEqual([]);
    expect(one.secrets.jwtSecret).not.toBe(two.secrets.jwtSecret);
    expect(one.secrets.jwtSecret).not.toBe(one.secrets.apiTokenSalt);
    expect(read(cwd, 'one/.env.example')).not.toContain(one.secrets.jwtSecret);
  });

  it('depends on the checkout it was run from', async () => {
    const cwd = createTempFolder();
    await runCommand(New, ['My Site', ...WITHOUT_SETUP], { cwd });
    const manifest = JSON.parse(read(cwd, 'My Site/package.json')) as {
      name: string;
      dependencies: Record<string, string>;
    };
    expect(manifest.name).toBe('my-site');
    const target = manifest.dependencies['galley']?.replace('file:', '') ?? '';
    expect(existsSync(join(cwd, 'My Site', target, 'bin/run.js'))).toBe(true);
  });

  it("lists the SQLite driver where Node.js contains none, and none of Prisma's own tools", async () => {
    const cwd = createTempFolder();
    const address = ['--database', 'postgresql', '--database-url', 'postgresql://localhost/x'];
    await runCommand(New, ['lite', ...WITHOUT_SETUP], { cwd });
    await runCommand(New, ['full', ...address, ...WITHOUT_SETUP], { cwd });
    type Key = 'optionalDependencies' | 'allowScripts';
    type Listed = Readonly<Record<Key, Readonly<Record<string, unknown>>>>;
    const manifest = (name: string): Listed => JSON.parse(read(cwd, `${name}/package.json`)) as Listed;
    const driver = 'better-sqlite3';
    expect(manifest('lite').optionalDependencies[driver]).toBe(sqlitePackages()[driver]);
    expect(manifest('lite').allowScripts[driver]).toBe(hasNodeSqlite() ? undefined : true);
    expect(manifest('full')).not.toHaveProperty(['optionalDependencies', 'better-sqlite3']);
    expect(manifest('full')).not.toHaveProperty(['allowScripts', 'better-sqlite3']);
    for (const name of ['lite', 'full'])
      expect(manifest(name)).not.toHaveProperty(['devDependencies', 'prisma']);
    const { version } = JSON.parse(
      readFileSync(join(packageRoot, 'node_modules/@prisma/client/package.json'), 'utf8'),
    ) as { readonly version: string };
    expect(read(cwd, 'full/README.md')).toContain(`npx prisma@${version} studio`);
  });

  it('fills an empty folder, the current one too, and refuses one with anything in it', async () => {
    const cwd = createTempFolder();
    expect((await runCommand(New, ['.', ...WITHOUT_SETUP], { cwd })).exitCode).toBe(0);
    expect(existsSync(join(cwd, 'cms.config.ts'))).toBe(true);
    const other = createTempFolder();
    writeFileSync(join(other, 'notes.txt'), 'mine');
    const { exitCode, stderr, stdout } = await runCommand(New, ['.', ...WITHOUT_SETUP], { cwd: other });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('is not empty');
    expect(readdirSync(other)).toEqual(['notes.txt']);
  });

  it('leaves nothing behind where it cannot write', async () => {
    const cwd = createTempFolder();
    writeFileSync(join(cwd, 'file'), '');
    const { exitCode } = await runCommand(New, ['file/site', ...WITHOUT_SETUP], { cwd });
    expect(exitCode).toBe(1);
    expect(readdirSync(cwd)).toEqual(['file']);
  });

  it('names the argument that is missing where nobody can be asked', async () => {
    const { exitCode, stderr } = await runCommand(New, WITHOUT_SETUP, { cwd: createTempFolder() });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('<dir>');
  });

  it('takes the address of a PostgreSQL database from standard input', async () => {
    const cwd = createTempFolder();
    const url = "postgresql://cms:p%23ss@localhost:5432/it's#1";
    const { exitCode, stdout, stderr } = await runCommand(
      New,
      ['site', '--database', 'postgresql', '--database-url', '-', '--json', ...WITHOUT_SETUP],
      { cwd, stdin: `${url}\n` },
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      database: 'postgresql',
      template: 'blank',
      installed: false,
      git: false,
    });
    expect(stdout + stderr).not.toContain('p%23ss');
    expect((await loadConfig(join(cwd, 'site'))).database).toMatchObject({ url, provider: 'postgresql' });
    expect(read(cwd, 'site/prisma.config.ts')).not.toContain('p%23ss');
  });

  it.each([
    [['--database', 'postgresql'], '--database-url'],
    [['--database', 'sqlite', '--database-url', 'postgresql://localhost/x'], 'Leave out --database'],
    [['--database-url', 'mysql://localhost/x'], 'not the address of a database'],
    [['--database-url', 'postgresql://u:p@host:port/x'], 'not the address of a database'],
    [['--database-url', 'postgresql://u:p#ss@host/x'], '# is %23'],
    [['--template', 'blgo'], 'Did you mean --template blog?'],
  ])('refuses %j as wrong usage and makes nothing', async (flags, remedy) => {
    const cwd = createTempFolder();
    const { exitCode, stderr } = await runCommand(New, ['site', ...flags, ...WITHOUT_SETUP], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(remedy);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('shows with --dry-run what it would write, without the secrets', async () => {
    const cwd = createTempFolder();
    const { exitCode, stdout } = await runCommand(New, ['site', '--dry-run', ...WITHOUT_SETUP], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('+++ b/cms.config.ts');
    expect(stdout).toContain('+JWT_SECRET=…');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('commits to a new git repository, but not inside another one, and warns inside a project', async () => {
    const cwd = createTempFolder();
    const { stdout } = await runCommand(New, ['site', '--no-install', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ git: true, committed: true });
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, { cwd: join(cwd, 'site'), encoding: 'utf8' });
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
    const files = git('ls-files').split('\n');
    expect(files).toContain('types/index.d.ts');
    expect(files).not.toContain('.env');
    mkdirSync(join(cwd, 'site', 'inner'));
    const inner = await runCommand(New, ['inner/site', '--no-install', '--json'], { cwd: join(cwd, 'site') });
    expect(JSON.parse(inner.stdout)).toMatchObject({ git: false, committed: false });
    expect(inner.stderr).toContain(`is inside the project ${join(cwd, 'site')}`);
  });

  it('asks on a terminal for what was not said', async () => {
    const cwd = createTempFolder();
    const terminal = createFakeTerminal({ cwd, tty: true });
    const done = runOn(terminal, New, WITHOUT_SETUP);
    await answerAll(terminal, [
      ['Folder', 'site\r'],
      ['Start with', `${DOWN}\r`],
      ['Database', '\r'],
      ['Review', '\r'],
    ]);
    expect(await done).toBe(0);
    expect(existsSync(join(cwd, 'site/src/api/article/content-types/article/schema.json'))).toBe(true);
    expect(terminal.out()).toBe(`${join(cwd, 'site')}\n`);
  });

  it('refuses the address of another database, and one that does not respond, at the prompt', async () => {
    const cwd = createTempFolder();
    const terminal = createFakeTerminal({ cwd, tty: true, env: { NO_COLOR: '1' } });
    const done = runOn(terminal, New, WITHOUT_SETUP);
    const unreachable = 'postgresql://cms:secret@127.0.0.1:1/site';
    await answerAll(terminal, [
      ['Folder', 'site\r'],
      ['Start with', '\r'],
      ['Database', `${DOWN}\r`],
      ['PostgreSQL address', 'mysql://foo\r'],
      ['Write postgresql://', `\u0015${unreachable}\r`],
      ['Cannot connect', '\r'],
      ['Review', 'edit database\r'],
      ['Database', '\u001B[A\r'],
      ['database: sqlite', '\r'],
    ]);
    expect(await done).toBe(0);
    expect(terminal.err()).toContain('ECONNREFUSED');
    expect(terminal.err()).not.toContain('secret');
    expect(read(join(cwd, 'site'), '.env')).toContain("DATABASE_URL='file:./data.db'");
  });

  it('prints a folder that a shell would split as one word', async () => {
    const cwd = createTempFolder();
    const { exitCode, stderr } = await runCommand(New, ['bad name!', '--yes', ...WITHOUT_SETUP], { cwd });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("  cd 'bad name!'\n");
  });
});
