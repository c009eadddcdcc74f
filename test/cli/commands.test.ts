import type { Command } from '@oclif/core/command';
import { describe, expect, it } from 'vitest';
import { BaseCommand } from '../../src/cli/base-command.js';
import { commandFiles, exampleLines, loadCommand } from './support/command-files.js';

const words = (line: string): readonly string[] => line.match(/"[^"]*"|'[^']*'|[^\s"'()|<>]+/g) ?? [];

const hasText = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';

it('there are commands to check', () => {
  expect(commandFiles.map(({ file }) => file)).toContain('completion.ts');
});

describe.each(commandFiles)('cms $id', ({ id, file }) => {
  it('builds on the base command', async () => {
    expect((await loadCommand(file)).prototype).toBeInstanceOf(BaseCommand);
  });

  it('describes itself, its arguments and its flags', async () => {
    const command = await loadCommand(file);
    expect(hasText(command.summary ?? command.description)).toBe(true);
    const flags = Object.entries(command.flags ?? {}).filter(
      ([, flag]) => !hasText(flag.summary ?? flag.description),
    );
    const args = Object.entries(command.args).filter(([, arg]) => !hasText(arg.description));
    expect([...args, ...flags].map(([name]) => name)).toEqual([]);
  });

  it('has runnable examples: of this command, with flags and values that exist', async () => {
    const command = await loadCommand(file);
    const lines = exampleLines(command, id);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.some((line) => line.includes(`cms ${id}`))).toBe(true);
    const flags: Command.Flag.Any[] = Object.entries({ ...BaseCommand.baseFlags, ...command.flags }).map(
      ([name, flag]) => ({ ...flag, name }),
    );
    const known = flags.flatMap(({ name, char, ...flag }) => [
      `--${name}`,
      ...(char === undefined ? [] : [`-${char}`]),
      ...('allowNo' in flag && flag.allowNo ? [`--no-${name}`] : []),
    ]);
    const own = lines
      .map((line) => line.slice(Math.max(0, line.indexOf(`cms ${id}`))))
      .filter((line) => line.startsWith(`cms ${id}`));
    const used = own.flatMap((line) =>
      words(line)
        .filter((word) => /^--?[a-z]/.test(word))
        .map((word) => word.replace(/=.*$/, '')),
    );
    expect(used.filter((word) => !known.includes(word))).toEqual([]);
  });

  it('takes no flag from standard input by itself: secrets go through secretFlags', async () => {
    const flags = Object.entries((await loadCommand(file)).flags ?? {});
    expect(
      flags
        .filter(
          ([, flag]) => 'allowStdin' in flag && flag.allowStdin !== undefined && flag.allowStdin !== false,
        )
        .map(([name]) => name),
    ).toEqual([]);
  });
});
