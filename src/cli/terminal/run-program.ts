import { spawn } from 'node:child_process';
import type { DatabaseShell } from '../../database/dialect/database-driver.js';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/caught-errors.js';
import type { Outcome } from '../outcome.js';
import { EXIT_INTERRUPTED } from './report-error.js';
import { isInteractive } from './terminal.js';
import type { Terminal } from './terminal.js';

const ignore = (): void => undefined;

/**
 * Runs the database's shell on this terminal until the user exits. The shell handles Ctrl-C.
 *
 * @throws `database/shell-missing`
 */
export async function openShell(
  { cwd, env }: Terminal,
  { command, args, env: additions, installation }: DatabaseShell,
): Promise<Outcome> {
  process.on('SIGINT', ignore);
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      const child = spawn(command, args, { cwd, env: { ...env, ...additions }, stdio: 'inherit' });
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 1));
    });
    return { json: { shell: command, exitCode }, exitCode };
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
    throw createError('database/shell-missing', { command, installation }, { cause: error });
  } finally {
    process.off('SIGINT', ignore);
  }
}

/**
 * Opens a file in the editor of `VISUAL` or `EDITOR`, which may contain arguments, and waits until it closes.
 * If neither is set, opens `vi` on a terminal.
 *
 * @throws `cli/missing-value` without an editor and a terminal, `cli/tool-failed`
 */
export async function openEditor(terminal: Terminal, file: string): Promise<void> {
  const { env } = terminal;
  const named = [env['VISUAL'], env['EDITOR']].find((name) => name !== undefined && name !== '');
  const editor = named ?? (isInteractive(terminal) ? 'vi' : undefined);
  if (editor === undefined) throw createError('content/no-editor');
  const reason = await new Promise<string | null>((resolve) => {
    const [command, args] =
      process.platform === 'win32'
        ? [`${editor} "${file}"`, []]
        : ['/bin/sh', ['-c', `${editor} "$1"`, 'editor', file]];
    spawn(command, args, { env: { ...env }, stdio: 'inherit', shell: process.platform === 'win32' })
      .on('error', (error) => resolve(error.message))
      .on('close', (code) => resolve(code === 0 ? null : `its exit code was ${String(code)}`));
  });
  if (reason !== null)
    throw createError('cli/tool-failed', {
      tool: editor,
      reason,
      remedy: `The typed text is in ${file}. Set EDITOR to another editor.`,
    });
}

export interface ToolCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The remedy if the tool is missing or fails. */
  readonly remedy: string;
}

const MAX_OUTPUT_LINES = 5;

/**
 * Runs another program and waits for it to end. Shows its output only if it fails.
 *
 * @throws `cli/tool-failed`, `cli/interrupted` if Ctrl-C ended it
 */
export function runTool(terminal: Terminal, { command, args, cwd, remedy }: ToolCall): Promise<void> {
  const toolError = (reason: string): Error =>
    createError('cli/tool-failed', { tool: [command, ...args].join(' '), reason, remedy });
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...terminal.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.on('error', (error) => reject(toolError(error.message)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      // Ctrl-C ends both programs: this one may notice the end of the other first.
      else if (signal === 'SIGINT' || code === EXIT_INTERRUPTED) reject(createError('cli/interrupted'));
      else
        reject(
          toolError(
            output.trim().split('\n').slice(-MAX_OUTPUT_LINES).join('\n') ||
              `its exit code was ${String(code)}`,
          ),
        );
    });
  });
}
