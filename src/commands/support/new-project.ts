import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../errors/catalogue.js';
import { TEMPLATES } from '../../scaffold/template.js';
import type { ProjectFile, TemplateName } from '../../scaffold/template.js';
import { printUnifiedDiff } from '../../lib/unified-diff.js';
import { promptOr } from './prompts.js';
import { runTool } from './run-tool.js';
import { readSecret } from './secret.js';
import type { Terminal } from './terminal.js';

export const DATABASES = ['sqlite', 'postgresql'] as const;

/** What a question needs to know of the command that asks it. */
export interface Asking {
  readonly terminal: Terminal;
  readonly canPrompt: boolean;
  readonly flags: Readonly<Record<string, unknown>>;
}

/** Where a database needs no address to be given. */
const DEFAULT_URLS: Readonly<Record<string, string>> = { sqlite: 'file:./data.db' };
const URL_FORM = { sqlite: /^file:./, postgresql: /^postgres(ql)?:\/\/./ } as const;

const textFlag = ({ flags }: Asking, name: string): string | undefined => {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
};

export async function chooseTemplate(asking: Asking): Promise<TemplateName> {
  const choices = [
    { value: 'blank', name: 'blank', description: 'No content-types yet.' },
    { value: 'blog', name: 'blog', description: 'Articles, authors, categories, tags, pages, and a few documents.' },
  ] as const;
  const given = TEMPLATES.find((name) => name === textFlag(asking, 'template'));
  return promptOr<TemplateName>(asking.terminal, asking.canPrompt, {
    name: 'template',
    value: given,
    fallback: 'blank',
    ask: (prompts, screen) => prompts.select({ message: 'Start with', choices }, screen),
  });
}

const hasUrl = (asking: Asking): boolean => asking.flags['database-url'] !== undefined || asking.flags['database-url-file'] !== undefined;

const readUrl = (asking: Asking): Promise<string> =>
  readSecret(asking.terminal, asking.canPrompt, { name: 'database-url', message: 'PostgreSQL address (postgresql://user:password@host:5432/name)', flags: asking.flags });

/** The database's address: given, asked for, or a file in the project. Throws `cli/invalid-usage` where address and kind do not fit. */
export async function chooseDatabaseUrl(asking: Asking): Promise<string> {
  const url = hasUrl(asking) ? await readUrl(asking) : undefined;
  const implied = url === undefined ? undefined : DATABASES.find((name) => URL_FORM[name].test(url));
  if (url !== undefined && implied === undefined) {
    throw fail('cli/invalid-usage', { reason: '--database-url is no address of a database.', remedy: 'Write file:./data.db or postgresql://user:password@host:5432/name.' });
  }
  const database = await promptOr<string>(asking.terminal, asking.canPrompt, {
    name: 'database',
    value: textFlag(asking, 'database') ?? implied,
    fallback: 'sqlite',
    ask: (prompts, screen) => prompts.select({ message: 'Database', choices: [{ value: 'sqlite', name: 'SQLite, a file in the project' }, { value: 'postgresql', name: 'PostgreSQL' }] }, screen),
  });
  if (implied !== undefined && implied !== database) {
    throw fail('cli/invalid-usage', { reason: `--database is ${database}, but --database-url is the address of a ${implied} database.`, remedy: 'Leave out --database.' });
  }
  return url ?? DEFAULT_URLS[database] ?? readUrl(asking);
}

/** The files as `--dry-run` shows them: all but the secrets. */
export function listNewFiles(files: readonly ProjectFile[]): string {
  return files.map(({ path, text }) => printUnifiedDiff({ path, before: null, after: path === '.env' ? text.replace(/^(\w+)=.*$/gm, '$1=…') : text })).join('');
}

const isInsideRepository = (folder: string): boolean => {
  if (existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && isInsideRepository(dirname(folder));
};

export interface ToolsDone {
  readonly installed: boolean;
  readonly git: boolean;
}

type ShowProgress = (label: string, work: () => Promise<void>) => Promise<void>;

/** Makes the git repository and installs the packages, as far as wanted. A missing git is no reason to fail. */
export async function setUpTools(terminal: Terminal, root: string, flags: { readonly install: boolean; readonly git: boolean }, progress: ShowProgress): Promise<ToolsDone> {
  const wantsGit = flags.git && !isInsideRepository(dirname(root));
  const git = wantsGit && (await runTool(terminal, { command: 'git', args: ['init', '--quiet'], cwd: root, remedy: 'Run: git init' }).then(() => true, () => false));
  if (flags.install) {
    const call = { command: 'npm', args: ['install', '--no-audit', '--no-fund'], cwd: root, remedy: `The project is complete; install later with: cd ${root} && npm install` };
    await progress('Installing packages', () => runTool(terminal, call));
  }
  return { installed: flags.install, git };
}

/** What to type next. */
export function nextSteps(dir: string, template: TemplateName, installed: boolean): string {
  const steps = template === 'blog' ? ['npx cms dev'] : ['npx cms type add', 'npx cms dev'];
  return ['Next:', ...[`cd ${dir}`, ...(installed ? [] : ['npm install']), ...steps].map((step) => `  ${step}`)].join('\n');
}
