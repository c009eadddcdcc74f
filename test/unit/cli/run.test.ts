import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { runAndReport } from '../../../src/cli/run.js';

it.each(['log', 'info', 'debug'] as const)(
  "keeps what a project's code tells console.%s out of results",
  async (name) => {
    const written = vi.spyOn(console, 'error').mockReturnValue();
    const own = vi.spyOn(console, name).mockReturnValue();
    const stdout = new PassThrough();
    const terminal = { stdin: process.stdin, stdout, stderr: new PassThrough(), env: {}, cwd: '/' };
    const told = async (argv: readonly string[]): Promise<string> => {
      await runAndReport(terminal, argv, async () => {
        console[name]('told');
        return { json: { done: true }, text: 'done' };
      });
      return String(stdout.read());
    };
    expect(JSON.parse(await told(['type', 'list', '--json']))).toEqual({ done: true });
    expect(await told(['type', 'list'])).toBe('done\n');
    expect([written.mock.calls, own.mock.calls]).toEqual([[['told'], ['told']], []]);
  },
);
