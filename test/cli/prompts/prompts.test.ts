import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binaryPath, runBinary } from '../support/binary.js';
import { hasPty, runInPty } from '../support/pty.js';
import { createTempFolder } from '../support/temp-project.js';

const cms = `'${process.execPath}' '${binaryPath}'`;
const DOWN = '\u001B[B';

describe.skipIf(!hasPty)("in a real terminal (skipped where util-linux's script is not installed)", () => {
  it('what is missing is asked for, and stdout still carries the result alone', async () => {
    const cwd = createTempFolder();
    const { screen, exitCode } = await runInPty(
      `result=$(${cms} new --no-install --no-git); echo "$?" > code; echo "$result" > result`,
      [
        { when: 'Folder', type: 'my-site\r' },
        { when: 'Start with', type: `${DOWN}\r` },
        { when: 'Database', type: '\r' },
        { when: 'Review', type: '\r' },
      ],
      { cwd },
    );
    expect({ screen, exitCode }).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(cwd, 'code'), 'utf8')).toBe('0\n');
    expect(readFileSync(join(cwd, 'result'), 'utf8')).toBe(`${join(cwd, 'my-site')}\n`);
    expect(existsSync(join(cwd, 'my-site', 'cms.config.ts'))).toBe(true);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s in a question ends with 130, says nothing and changes nothing', async (_name, key) => {
    const cwd = createTempFolder();
    const { screen, exitCode } = await runInPty(
      `${cms} new --no-install --no-git`,
      [
        { when: 'Folder', type: 'my-site\r' },
        { when: 'Start with', type: key },
      ],
      { cwd },
    );
    expect(exitCode).toBe(130);
    expect(screen).not.toMatch(/Error|at .*\.js/);
    expect(existsSync(join(cwd, 'my-site'))).toBe(false);
  });

  it('Ctrl-C while packages are installed says what is on disk and how to go on', async () => {
    const cwd = createTempFolder();
    const bin = join(cwd, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const { screen, exitCode } = await runInPty(
      `exec ${cms} new 'my site' --template blank --database sqlite --no-git`,
      [{ when: 'Installing packages', type: '\u0003' }],
      { cwd, env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } },
    );
    expect({ exitCode, screen }).toMatchObject({ exitCode: 130 });
    expect(screen).toContain(`The files of the project are in ${join(cwd, 'my site')}`);
    expect(screen).toMatch(/Continue with:\s+cd 'my site'\s+npm install\s+npx cms dev/);
    expect(existsSync(join(cwd, 'my site', 'package.json'))).toBe(true);
  });

  it('nothing is asked with --yes or in CI', async () => {
    for (const [command, env] of [
      [`${cms} new --yes`, {}],
      [`${cms} new`, { CI: '1' }],
    ] as const) {
      const { screen, exitCode } = await runInPty(command, [], { cwd: createTempFolder(), env });
      expect(exitCode).toBe(2);
      expect(screen).toContain('Error: Missing <dir>.');
    }
  });
});

describe('without a terminal', () => {
  it('a missing value is an error that names it, and nothing hangs', async () => {
    expect(await runBinary(['new'], { cwd: createTempFolder() })).toEqual({
      stdout: '',
      stderr:
        'Error: Missing <dir>.\nHint: Pass <dir>. ' +
        'Commands prompt only on a terminal, and not with --yes or in CI.\n',
      exitCode: 2,
    });
  });
});
