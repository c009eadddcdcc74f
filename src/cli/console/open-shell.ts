import { spawn } from 'node:child_process';
import type { DatabaseShell } from '../../database/dialect/statement.js';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/error-code.js';
import type { Outcome } from '../outcome.js';
import type { Terminal } from '../terminal/terminal.js';

const ignore = (): void => undefined;

/**
 * Runs the database's shell on this terminal until it is left. Ctrl-C is the shell's own.
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
