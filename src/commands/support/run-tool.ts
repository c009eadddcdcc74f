import { spawn } from 'node:child_process';
import { fail } from '../../errors/catalogue.js';
import type { Terminal } from './terminal.js';

export interface ToolCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What to do by hand where the tool is missing or fails. */
  readonly remedy: string;
}

const LAST_LINES = 5;

/** Runs another program to its end; what it says is shown only where it fails. Throws `cli/tool-failed`. */
export function runTool(terminal: Terminal, { command, args, cwd, remedy }: ToolCall): Promise<void> {
  const failed = (reason: string): Error => fail('cli/tool-failed', { tool: [command, ...args].join(' '), reason, remedy });
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...terminal.env }, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => { said += text; });
    child.on('error', (error) => reject(failed(error.message)));
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(failed(said.trim().split('\n').slice(-LAST_LINES).join('\n') || `it ended with ${String(code)}`));
    });
  });
}
