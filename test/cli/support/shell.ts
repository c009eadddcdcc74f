import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { binaryPath, plainEnvironment } from './binary.js';

/** Writes a program of that name to `.bin` of a folder. Returns the value of PATH that finds it first. */
export function installProgram(folder: string, name: string, script: string): string {
  const bin = join(folder, '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${script}\n`);
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

/** Ends what a script has started and left running. */
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
  const folder = mkdtempSync(join(tmpdir(), 'galley-script-'));
  // A file keeps the order of both outputs, and other processes can open it.
  const file = join(folder, 'output.txt');
  const output = openSync(file, 'a');
  const child = spawn(shell, ['-s'], {
    cwd,
    env: plainEnvironment({ ...env, CI: 'true' }),
    detached: true,
    stdio: ['pipe', output, output],
  });
  child.stdin?.end(script);
  return new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (status) => {
      endGroup(child);
      const text = readFileSync(file, 'utf8');
      if (status === 0) resolve(text);
      else reject(new Error(`ended with ${String(status)}:\n${text}`));
    });
  }).finally(() => {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  });
}
