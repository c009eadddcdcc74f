import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

export interface BinaryOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface BinaryResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export const binaryPath = join(packageRoot, 'bin', 'run.js');

/** The environment of this process without what would change a command's behaviour. */
export function plainEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const hidden = new Set([
    'CI',
    'DEBUG',
    'NO_COLOR',
    'FORCE_COLOR',
    'NODE_ENV',
    'DATABASE_URL',
    'DIRECT_URL',
    'PORT',
    'HOST',
    'JWT_SECRET',
    'API_TOKEN_SALT',
    'LOG_LEVEL',
    'CMS_RATE_LIMIT',
    'VITEST',
    'NODE_OPTIONS',
  ]);
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !hidden.has(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...extra };
}

/** Runs the real, built `cms` as a child process with piped streams. */
export function runBinary(
  argv: readonly string[],
  { cwd, env = {}, stdin = '' }: BinaryOptions,
): Promise<BinaryResult> {
  const child = spawn(process.execPath, [binaryPath, ...argv], { cwd, env: plainEnvironment(env) });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => undefined).end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ stdout, stderr, exitCode }));
  });
}
