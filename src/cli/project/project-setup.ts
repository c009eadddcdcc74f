import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DATABASE_URL_FORMS, databaseKindOf } from '../../config/database-url.js';
import { createError } from '../../errors/catalogue.js';
import { assertEmptyFolder } from '../../scaffold/new-project.js';
import { TEMPLATES } from '../../scaffold/template.js';
import type { ProjectFile, TemplateName } from '../../scaffold/template.js';
import { messageOf } from '../../lib/source-location.js';
import { printUnifiedDiff } from '../../lib/unified-diff.js';
import { promptIfMissing } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import { runWizard } from '../prompts/wizard.js';
import type { Wizard } from '../prompts/wizard.js';
import { runTool } from './run-tool.js';
import { readSecret } from '../prompts/secret.js';
import { programInProject } from '../terminal/spell-commands.js';
import type { Terminal } from '../terminal/terminal.js';

export const DATABASES = ['sqlite', 'postgresql'] as const;

/** What prompts for a new project need from the command. */
interface ProjectPromptDependencies {
  readonly terminal: Terminal;
  /** Null where nothing may be asked. */
  readonly prompter: Prompter | null;
  readonly flags: Readonly<Record<string, unknown>>;
}

/** Databases that have a default address. */
const DEFAULT_URLS: Readonly<Record<string, string>> = { sqlite: 'file:./data.db' };

const stringFlag = ({ flags }: ProjectPromptDependencies, name: string): string | undefined => {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
};

/** Returns the template: from the flag, from an answer, or `blank`. */
async function chooseTemplate(deps: ProjectPromptDependencies): Promise<TemplateName> {
  const choices = [
    { value: 'blank', name: 'blank', description: 'No content-types yet.' },
    {
      value: 'blog',
      name: 'blog',
      description: 'Articles, authors, categories, tags, pages, and a few documents.',
    },
  ] as const;
  const template = TEMPLATES.find((name) => name === stringFlag(deps, 'template'));
  return promptIfMissing<TemplateName>(deps.prompter, {
    name: 'template',
    value: template,
    fallback: 'blank',
    question: (prompts, screen) => prompts.select({ message: 'Start with', choices }, screen),
  });
}

const hasUrl = (deps: ProjectPromptDependencies): boolean =>
  deps.flags['database-url'] !== undefined || deps.flags['database-url-file'] !== undefined;

const readUrl = (deps: ProjectPromptDependencies): Promise<string> =>
  readSecret(deps.terminal, deps.prompter, {
    name: 'database-url',
    message: 'PostgreSQL address (postgresql://user:password@host:5432/name)',
    flags: deps.flags,
  });

/** @throws `cli/invalid-usage` where a text is not the address of a database */
const assertUrl = (url: string): string => {
  if (databaseKindOf(url) !== undefined) return url;
  throw createError('cli/invalid-usage', {
    reason: '--database-url is not the address of a database.',
    remedy: `Write ${DATABASE_URL_FORMS}. In a password, # is %23, / is %2F and @ is %40.`,
  });
};

/**
 * Returns the database's address: from the flags, from an answer, or the default file in the project.
 *
 * @throws `cli/invalid-usage` where the address and the kind of database contradict each other
 */
async function chooseDatabaseUrl(deps: ProjectPromptDependencies): Promise<string> {
  const url = hasUrl(deps) ? await readUrl(deps) : undefined;
  const inferredDatabase = url === undefined ? undefined : databaseKindOf(url);
  if (url !== undefined) assertUrl(url);
  const database = await promptIfMissing<string>(deps.prompter, {
    name: 'database',
    value: stringFlag(deps, 'database') ?? inferredDatabase,
    fallback: 'sqlite',
    question: (prompts, screen) =>
      prompts.select(
        {
          message: 'Database',
          choices: [
            { value: 'sqlite', name: 'SQLite, a file in the project' },
            { value: 'postgresql', name: 'PostgreSQL' },
          ],
        },
        screen,
      ),
  });
  if (inferredDatabase !== undefined && inferredDatabase !== database) {
    throw createError('cli/invalid-usage', {
      reason: `--database is ${database}, but --database-url is for ${inferredDatabase}.`,
      remedy: 'Leave out --database.',
    });
  }
  return url ?? DEFAULT_URLS[database] ?? assertUrl(await readUrl(deps));
}

/** What a new project is made of. */
export interface ProjectChoice {
  /** The folder as it was given. */
  readonly dir: string;
  /** The absolute path of the folder. */
  readonly root: string;
  readonly template: TemplateName;
  readonly databaseUrl: string;
}

const folderError = (root: string): Promise<true | string> =>
  assertEmptyFolder(root).then(() => true as const, messageOf);

/**
 * Returns the folder, the template and the database of a new project: from arguments and flags, and, on a
 * terminal, from answers to prompts.
 *
 * @throws `cli/missing-value`, `cli/invalid-usage`, `scaffold/folder-not-empty`
 */
export function chooseProject(
  {
    terminal,
    canPrompt,
    flags,
  }: Omit<ProjectPromptDependencies, 'prompter'> & { readonly canPrompt: boolean },
  givenDir: string | undefined,
): Promise<ProjectChoice> {
  const choose = async (wizard: Wizard | null): Promise<ProjectChoice> => {
    const prompter = wizard?.prompter ?? null;
    const pathOf = (dir: string): string => resolve(terminal.cwd, dir);
    const dir = await promptIfMissing(prompter, {
      name: '<dir>',
      value: givenDir,
      question: (prompts, screen) =>
        prompts.input(
          { message: 'Folder', default: 'my-site', validate: (text) => folderError(pathOf(text)) },
          screen,
        ),
    });
    await assertEmptyFolder(pathOf(dir));
    wizard?.setDraft(`the project ${dir}`);
    const deps = { terminal, prompter, flags };
    const template = await chooseTemplate(deps);
    return { dir, root: pathOf(dir), template, databaseUrl: await chooseDatabaseUrl(deps) };
  };
  return canPrompt ? runWizard(terminal, choose) : choose(null);
}

/** Prints the files for `--dry-run` with secrets left out. */
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
  /** Whether the files are committed. */
  readonly committed: boolean;
}

type ShowProgress = (label: string, work: () => Promise<void>) => Promise<void>;

/** Who commits where git does not know the user. */
const FALLBACK_AUTHOR = ['-c', 'user.name=cms', '-c', 'user.email=cms@localhost'];

/** Runs git in a new project. Returns whether it succeeded, since a project needs no git. */
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
  const remedy = `The project is complete; install later with: cd ${root} && npm install`;
  await runTool(terminal, { command: 'npm', args, cwd: root, remedy });
}

/**
 * Initialises the git repository, installs the packages and commits, as the flags say. Goes on without git
 * where it is missing.
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
    // After installing, so that the lockfile belongs to it.
    committed = git && (await commitAll(terminal, root));
  }
  return { installed: flags.install, git, committed };
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
    ...[`cd ${dir}`, ...(installed ? [] : ['npm install']), ...steps].map((step) => `  ${step}`),
  ].join('\n');
}
