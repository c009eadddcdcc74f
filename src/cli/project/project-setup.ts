import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_URL_FORMS, databaseKindOf } from '../../config/database-url.js';
import { createError } from '../../errors/catalogue.js';
import { TEMPLATES, assertEmptyFolder } from '../../project/scaffold/new-project.js';
import type { ProjectFile, TemplateName } from '../../project/scaffold/new-project.js';
import { printUnifiedDiff } from '../../lib/files.js';
import { reasonOf } from '../../project/open/open-database.js';
import { getDialect } from '../../database/get-dialect.js';
import { redactUrl, shellWord } from '../../lib/text.js';
import { runForm } from '../prompts/wizard.js';
import type { FormFields, Wizard } from '../prompts/wizard.js';
import { askSelect, askText } from '../prompts/prompt.js';
import type { Validity } from '../prompts/prompt.js';
import { runTool } from '../terminal/run-program.js';
import { readGivenSecret } from '../prompts/secret.js';
import { programInProject } from '../terminal/text-layout.js';
import type { Terminal } from '../terminal/terminal.js';

export const DATABASES = ['sqlite', 'postgresql'] as const;

type Database = (typeof DATABASES)[number];

/** The dependencies of the questions for a new project. */
interface ProjectPromptDependencies {
  readonly terminal: Terminal;
  readonly flags: Readonly<Record<string, unknown>>;
}

/** The URLs of databases that are a file of the project. Others need an address. */
const DEFAULT_URLS: Readonly<Record<string, string>> = { sqlite: 'file:./data.db' };

const hasAddress = (database: Database | undefined): boolean =>
  database !== undefined && DEFAULT_URLS[database] === undefined;

const TEMPLATE_CHOICES = [
  { value: 'blank', name: 'blank', description: 'No content-types yet.' },
  {
    value: 'blog',
    name: 'blog',
    description: 'Articles, authors, categories, tags, pages, and a few documents.',
  },
] as const;

const DATABASE_CHOICES = [
  { value: 'sqlite', name: 'SQLite, a file in the project' },
  { value: 'postgresql', name: 'PostgreSQL' },
] as const;

const CONNECT_MS = 3000;

/** Connects to a database. Returns true, or the reason for the failure. */
const tryConnection = async (database: Database, url: string): Promise<Validity> => {
  const opening = (async () => {
    const { driver } = getDialect(database);
    const connection = await driver.openReadConnection(url);
    try {
      await connection.queryTexts('SELECT 1', []);
    } finally {
      await connection.close();
    }
  })();
  const reason = await Promise.race([
    opening.then(() => null, reasonOf),
    sleep(CONNECT_MS, `no response within ${CONNECT_MS / 1000} seconds`, { ref: false }),
  ]);
  return reason === null ? true : `Cannot connect to ${redactUrl(url)}: ${reason}.`;
};

/**
 * Creates the check of a typed address of a PostgreSQL database: its form, and a connection. Accepts the same
 * address a second time, since the database may be created later.
 */
const createUrlCheck = (): ((url: string) => Promise<Validity>) => {
  let refused: string | undefined;
  return async (url) => {
    const database = databaseKindOf(url);
    if (database === undefined || !hasAddress(database))
      return 'Write postgresql://user:password@host:5432/name.';
    if (url === refused) return true;
    const validity = await tryConnection(database, url);
    if (validity === true) return true;
    refused = url;
    return `${validity} Press Enter to use it anyway, Esc to go back.`;
  };
};

/** @throws `cli/invalid-usage` if a text is not the address of a database, or is of another kind */
const assertUrl = (url: string, database: Database | undefined): void => {
  const kind = databaseKindOf(url);
  if (kind === undefined)
    throw createError('cli/invalid-usage', {
      reason: '--database-url is not the address of a database.',
      remedy: `Write ${DATABASE_URL_FORMS}. In a password, # is %23, / is %2F and @ is %40.`,
    });
  if (database !== undefined && database !== kind)
    throw createError('cli/invalid-usage', {
      reason: `--database is ${database}, but --database-url is for ${kind}.`,
      remedy: 'Leave out --database.',
    });
};

/** The choices for a new project. */
export interface ProjectChoice {
  /** The folder as given. */
  readonly dir: string;
  /** The absolute path of the folder. */
  readonly root: string;
  readonly template: TemplateName;
  readonly databaseUrl: string;
}

interface ProjectValues {
  readonly dir: string;
  readonly template: TemplateName;
  readonly database: Database;
  /** The address of a database, unless it is SQLite in the project. */
  readonly url?: string;
}

const projectFields = (
  { terminal, flags }: ProjectPromptDependencies,
  givenDir: string | undefined,
  givenUrl: string | undefined,
  check: (url: string) => Promise<Validity>,
): FormFields<ProjectValues> => {
  const givenKind = givenUrl === undefined ? undefined : databaseKindOf(givenUrl);
  const givenDatabase = DATABASES.find((name) => name === flags['database']);
  return {
    dir: {
      name: '<dir>',
      label: 'folder',
      given: givenDir,
      assert: (dir) => assertEmptyFolder(resolve(terminal.cwd, dir)),
      ask: (prompter, { initial = 'my-site', validate }) =>
        askText(prompter, { message: 'Folder', isRequired: true, initial, validate }),
    },
    template: {
      name: 'template',
      label: 'template',
      given: TEMPLATES.find((name) => name === flags['template']),
      fallback: () => 'blank',
      ask: (prompter, { initial }) =>
        askSelect<TemplateName>(prompter, { message: 'Start with', choices: TEMPLATE_CHOICES, initial }),
    },
    database: {
      name: 'database',
      label: 'database',
      given: givenDatabase ?? givenKind,
      fallback: () => 'sqlite',
      ask: (prompter, { initial }) =>
        askSelect<Database>(prompter, { message: 'Database', choices: DATABASE_CHOICES, initial }),
    },
    url: {
      name: 'database-url',
      label: 'address',
      given: givenUrl,
      when: ({ database }) => givenUrl !== undefined || hasAddress(database),
      assert: (url) => assertUrl(url, givenDatabase),
      ask: (prompter) =>
        askText(prompter, {
          message: 'PostgreSQL address (postgresql://user:password@host:5432/name)',
          isRequired: true,
          isSecret: true,
          validate: check,
        }),
      print: redactUrl,
    },
  };
};

/**
 * Returns the folder, the template and the database of a new project: from arguments, flags and, on a
 * terminal, answers to prompts.
 *
 * @param ask runs the flow with a wizard, or with null if prompts are not allowed
 * @throws `cli/missing-value`, `cli/invalid-usage`, `scaffold/folder-not-empty`
 */
export async function chooseProject(
  ask: <T>(flow: (wizard: Wizard | null) => Promise<T>) => Promise<T>,
  deps: ProjectPromptDependencies,
  givenDir: string | undefined,
): Promise<ProjectChoice> {
  const givenUrl = await readGivenSecret(deps.terminal, { name: 'database-url', flags: deps.flags });
  const fields = projectFields(deps, givenDir, givenUrl, createUrlCheck());
  const draftOf = ({ dir }: Partial<ProjectValues>): string | null =>
    dir === undefined ? null : `the project ${dir}`;
  const { dir, template, database, url } = await ask((wizard) => runForm(wizard, fields, draftOf));
  const databaseUrl = url ?? DEFAULT_URLS[database] ?? '';
  return { dir, root: resolve(deps.terminal.cwd, dir), template, databaseUrl };
}

/** Prints the files for `--dry-run`, without secrets. */
export function printNewFiles(files: readonly ProjectFile[]): string {
  return files
    .map(({ path, text }) =>
      printUnifiedDiff({
        path,
        before: null,
        after: path === '.env' ? text.replace(/^(\w+)=.*$/gm, '$1=…') : text,
      }),
    )
    .join('');
}

const isInsideRepository = (folder: string): boolean => {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && isInsideRepository(dirname(folder));
};

export interface ProjectSetup {
  readonly installed: boolean;
  readonly git: boolean;
  /** True if the files are committed. */
  readonly committed: boolean;
}

type ShowProgress = (label: string, work: () => Promise<void>) => Promise<void>;

/** The author of the commit if git has no user. */
const FALLBACK_AUTHOR = ['-c', 'user.name=cms', '-c', 'user.email=cms@localhost'];

/** Runs git in a new project. Returns true if it succeeded. Failures are ignored, since git is optional. */
const tryGit = async (terminal: Terminal, root: string, args: readonly string[]): Promise<boolean> =>
  runTool(terminal, { command: 'git', args, cwd: root, remedy: 'Run: git init' }).then(
    () => true,
    () => false,
  );

const commitAll = async (terminal: Terminal, root: string): Promise<boolean> => {
  const commit = ['commit', '--quiet', '--no-gpg-sign', '--message', 'New project'];
  return (
    (await tryGit(terminal, root, ['add', '--all'])) &&
    ((await tryGit(terminal, root, commit)) ||
      (await tryGit(terminal, root, [...FALLBACK_AUTHOR, ...commit])))
  );
};

/** Installs the packages of a new project. */
export async function installPackages(terminal: Terminal, root: string): Promise<void> {
  const args = ['install', '--no-audit', '--no-fund'];
  const remedy = `The project is complete. Install later with: cd ${shellWord(root)} && npm install`;
  await runTool(terminal, { command: 'npm', args, cwd: root, remedy });
}

/**
 * Initializes the git repository, installs the packages and commits, according to the flags. Continues
 * without git if it is missing.
 */
export async function setUpProject(
  terminal: Terminal,
  root: string,
  flags: { readonly install: boolean; readonly git: boolean },
  progress: ShowProgress,
): Promise<ProjectSetup> {
  const wantsGit = flags.git && !isInsideRepository(dirname(root));
  const git = wantsGit && (await tryGit(terminal, root, ['init', '--quiet']));
  let committed = false;
  try {
    if (flags.install) await progress('Installing packages', () => installPackages(terminal, root));
  } finally {
    // After the installation, so that the commit contains the lockfile.
    committed = git && (await commitAll(terminal, root));
  }
  return { installed: flags.install, git, committed };
}

/** Describes the state after an interrupted installation, and the next commands. */
export function describeInterruption(terminal: Terminal, { dir, root }: ProjectChoice): string {
  const steps = [`cd ${shellWord(dir)}`, 'npm install', `${programInProject(terminal)} dev`];
  return [
    '',
    `Interrupted. The files of the project are in ${root}, but not all packages are installed.`,
    'Continue with:',
    ...steps.map((step) => `  ${step}`),
    `To start again, remove ${root} first.`,
  ].join('\n');
}

/** Lists the commands to run next. */
export function nextSteps(
  terminal: Terminal,
  dir: string,
  { template, installed }: { readonly template: TemplateName; readonly installed: boolean },
): string {
  const program = programInProject(terminal);
  const steps = [...(template === 'blog' ? [] : [`${program} type add`]), `${program} dev`];
  return [
    'Next:',
    ...[`cd ${shellWord(dir)}`, ...(installed ? [] : ['npm install']), ...steps].map((step) => `  ${step}`),
  ].join('\n');
}
