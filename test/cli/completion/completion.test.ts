import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import Completion from '../../../src/commands/completion.js';
import { openProjectNames } from '../../../src/cli/completion/project-names.js';
import { SHELLS } from '../../../src/cli/completion/scripts.js';
import type { Shell } from '../../../src/cli/completion/scripts.js';
import { binaryPath, plainEnvironment, runBinary } from '../support/binary.js';
import { runCommand } from '../support/run-command.js';
import { createTempFolder, createTempProject } from '../support/temp-project.js';

const schema = (name: string): Readonly<Record<string, unknown>> => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: { title: { type: 'string' } },
});

/** Candidates a shell gets for `cms <line>`, asked in the shell itself with the printed script loaded. */
const SHELL_COMMANDS: Readonly<Record<Shell, (line: string) => readonly string[]>> = {
  bash: (line) => [
    'bash',
    '--norc',
    '-c',
    `
    source "$SCRIPT"
    COMP_LINE='cms ${line}'; COMP_POINT=\${#COMP_LINE}; _cms
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (line) => [
    'zsh',
    '-f',
    '-c',
    `
    autoload -Uz compinit; compinit -D; source "$SCRIPT"
    _describe() {
      local c
      for c in $candidates; do
        c="\${c//\\\\:/@@}"; c="\${c%%:*}"
        print -r -- "\${c//@@/:}"
      done
    }
    _files() { print files }
    words=("\${(@s: :)\${:-cms ${line}}}"); CURRENT=$#words; _cms; true`,
  ],
  fish: (line) => [
    'fish',
    '--no-config',
    '-c',
    `source $SCRIPT; complete -C 'cms ${line}' | string replace -r '\\t.*' ''; true`,
  ],
};

const isInstalled = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'exit 0']);
    return true;
  } catch {
    return false;
  }
};

const completeInShell = (shell: Shell, script: string, line: string, cwd: string): readonly string[] => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'script'), script);
  writeFileSync(join(folder, 'cms'), `#!/bin/sh\nexec '${process.execPath}' '${binaryPath}' "$@"\n`);
  chmodSync(join(folder, 'cms'), 0o755);
  const env = {
    ...plainEnvironment(),
    HOME: folder,
    SCRIPT: join(folder, 'script'),
    PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
  };
  const [program = '', ...args] = SHELL_COMMANDS[shell](line);
  return execFileSync(program, args, { cwd, env, encoding: 'utf8' })
    .split('\n')
    .filter((text) => text !== '');
};

describe.each(SHELLS)('the script for %s', (shell) => {
  const script = async (): Promise<string> =>
    (await runCommand(Completion, [shell], { cwd: process.cwd() })).stdout;

  it.skipIf(!isInstalled(shell))(
    `completes commands, flags and values (skipped where ${shell} is not installed)`,
    async () => {
      const text = await script();
      const cwd = createTempFolder();
      expect(completeInShell(shell, text, 'compl', cwd)).toEqual(['completion']);
      expect(completeInShell(shell, text, 'completion ', cwd)).toEqual(
        expect.arrayContaining(['bash', 'fish', 'zsh']),
      );
      expect(completeInShell(shell, text, 'completion --no-', cwd)).toEqual(['--no-color']);
      expect(completeInShell(shell, text, 'zzz', cwd)).toEqual([]);
    },
  );

  it.skipIf(!isInstalled(shell))(
    `completes the project's names, colons and all (skipped where ${shell} is not installed)`,
    async () => {
      const text = await script();
      const { root } = createTempProject({
        'src/api/article/content-types/article/schema.json': schema('article'),
        'src/api/tag/content-types/tag/schema.json': schema('tag'),
      });
      expect(completeInShell(shell, text, 'type show ', root)).toEqual(['article', 'tag']);
      // bash replaces only what follows the last colon, and so is given no more than that.
      expect(completeInShell(shell, text, 'type show api::ar', root)).toEqual([
        shell === 'bash' ? 'article.article' : 'api::article.article',
      ]);
    },
  );
});

describe('cms completion', () => {
  it('takes the shell from $SHELL', async () => {
    const { json, exitCode } = await runCommand(Completion, ['--json'], {
      cwd: process.cwd(),
      env: { SHELL: '/usr/bin/fish' },
    });
    expect(exitCode).toBe(0);
    expect(json()).toEqual({ shell: 'fish', script: expect.stringContaining('complete -c cms') });
  });

  it('is wrong usage where the shell is unknown', async () => {
    expect(
      (await runCommand(Completion, [], { cwd: process.cwd(), env: { SHELL: '/bin/tcsh' } })).exitCode,
    ).toBe(2);
    expect((await runCommand(Completion, ['tcsh'], { cwd: process.cwd() })).exitCode).toBe(2);
  });
});

describe('the names of a project', () => {
  it('are its types, components and their attributes', async () => {
    const { root } = createTempProject({
      'src/api/article/content-types/article/schema.json': schema('article'),
      'src/api/tag/content-types/tag/schema.json': schema('tag'),
      'src/components/shared/seo.json': {
        collectionName: 'seos',
        info: { displayName: 'Seo' },
        attributes: { summary: { type: 'text' } },
      },
    });
    const names = openProjectNames(join(root, 'src'));
    expect(await names.types()).toEqual(
      expect.arrayContaining([
        'article',
        'tag',
        'api::article.article',
        'api::tag.tag',
        'plugin::upload.file',
      ]),
    );
    expect(await names.components()).toEqual(['shared.seo']);
    expect([
      await names.fields('article'),
      await names.fields('api::tag.tag'),
      await names.fields('shared.seo'),
      await names.fields('nope'),
    ]).toEqual([['title'], ['title'], ['summary'], []]);
  });

  it('are none outside of one', async () => {
    const names = openProjectNames(createTempFolder());
    expect([await names.types(), await names.components(), await names.fields('article')]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe('cms complete', () => {
  it('does not show itself', async () => {
    const { stdout, exitCode } = await runBinary(['complete', '--', 'comple'], { cwd: createTempFolder() });
    expect({ names: stdout.split('\n').map((line) => line.split('\t')[0]), exitCode }).toEqual({
      names: ['completion', ''],
      exitCode: 0,
    });
  });
});
