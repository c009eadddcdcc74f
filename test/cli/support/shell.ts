import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { binaryPath, plainEnvironment } from './binary.js';

/** Writes a program of that name to `.bin` of a folder. Returns the value of PATH that finds it first. */
export function installProgram(folder: string, name: string, script: string): string {
  const bin = join(folder, '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  return `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
}

/** Installs `cms`, the built program. */
export function installCms(folder: string): string {
  return installProgram(folder, 'cms', `exec '${process.execPath}' '${binaryPath}' "$@"`);
}

interface ShellOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly shell?: string;
}

/** Ends what a script has started and left running, which would keep its output open. */
const endGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it runs any longer.
  }
};

/**
 * Runs a script as CI would, without a terminal.
 *
 * @throws An error with all output, where the script ends with another exit code than 0.
 */
export function runScript(script: string, { cwd, env, shell = 'bash' }: ShellOptions): Promise<string> {
  const options = { cwd, env: plainEnvironment({ ...env, CI: 'true' }), detached: true };
  const child = spawn(shell, ['-s'], options);
  let output = '';
  const collect = (text: string): void => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  child.stdin.end(script);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => endGroup(child));
    child.on('close', (status) =>
      status === 0 ? resolve(output) : reject(new Error(`ended with ${String(status)}:\n${output}`)),
    );
  });
}
