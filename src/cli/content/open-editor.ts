import { spawn } from 'node:child_process';
import { createError } from '../../errors/catalogue.js';
import { isInteractive } from '../terminal/terminal.js';
import type { Terminal } from '../terminal/terminal.js';

/**
 * Opens a file in the editor that `VISUAL` or `EDITOR` names, with its arguments if it has some, and waits
 * until it is closed. Opens `vi` on a terminal where neither is set.
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
      .on('close', (code) => resolve(code === 0 ? null : `it ended with ${String(code)}`));
  });
  if (reason !== null)
    throw createError('cli/tool-failed', {
      tool: editor,
      reason,
      remedy: `What was typed is in ${file}. Set EDITOR to another editor.`,
    });
}
