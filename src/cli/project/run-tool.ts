import { spawn } from 'node:child_process';
import { createError } from '../../errors/catalogue.js';
import { EXIT_INTERRUPTED } from '../terminal/report-error.js';
import type { Terminal } from '../terminal/terminal.js';

export interface ToolCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The remedy if the tool is missing or fails. */
  readonly remedy: string;
}

const MAX_OUTPUT_LINES = 5;

/**
 * Runs another program and waits for it to end. Its output is shown only where it fails.
 *
 * @throws `cli/tool-failed`, `cli/interrupted` where Ctrl-C has ended it
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
            output.trim().split('\n').slice(-MAX_OUTPUT_LINES).join('\n') || `it ended with ${String(code)}`,
          ),
        );
    });
  });
}
