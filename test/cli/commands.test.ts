import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from '@oclif/core/command';
import { describe, expect, it } from 'vitest';
import { BaseCommand } from '../../src/cli/base-command.js';
import { packageRoot } from './support/package-root.js';

const folder = join(packageRoot, 'src', 'commands');

const isCommandFile = (file: string): boolean => file.endsWith('.ts');

/** Command files by their id: `token/create.ts` is `token create`. */
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .filter(isCommandFile);

const idOf = (file: string): string =>
  file
    .replace(/(\/index)?\.ts$/, '')
    .split('/')
    .join(' ');

const load = async (file: string): Promise<typeof Command> => {
  const module = (await import(pathToFileURL(join(folder, file)).href)) as {
    readonly default: typeof Command;
  };
  return module.default;
};

/** The lines of an example that are commands, with oclif's placeholders filled in. */
const commandLines = (example: Command.Example, id: string): readonly string[] => {
  const text = typeof example === 'string' ? example : example.command;
  const filled = text.replaceAll('<%= config.bin %>', 'cms').replaceAll('<%= command.id %>', id);
  return filled.split('\n').filter((line) => line.includes('cms '));
};

const words = (line: string): readonly string[] => line.match(/"[^"]*"|'[^']*'|[^\s"'()|<>]+/g) ?? [];

const hasText = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';

it('there are commands to check', () => {
  expect(files).toContain('completion.ts');
});

describe.each(files.map((file) => [idOf(file), file] as const))('cms %s', (id, file) => {
  it('builds on the base command', async () => {
    expect((await load(file)).prototype).toBeInstanceOf(BaseCommand);
  });

  it('describes itself, its arguments and its flags', async () => {
    const command = await load(file);
    expect(hasText(command.summary ?? command.description)).toBe(true);
    const flags = Object.entries(command.flags ?? {}).filter(
      ([, flag]) => !hasText(flag.summary ?? flag.description),
    );
    const args = Object.entries(command.args).filter(([, arg]) => !hasText(arg.description));
    expect([...args, ...flags].map(([name]) => name)).toEqual([]);
  });

  it('has runnable examples: of this command, with flags and values that exist', async () => {
    const command = await load(file);
    const lines = (command.examples ?? []).flatMap((example) => commandLines(example, id));
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
    const flags = Object.entries((await load(file)).flags ?? {});
    expect(
      flags
        .filter(
          ([, flag]) => 'allowStdin' in flag && flag.allowStdin !== undefined && flag.allowStdin !== false,
        )
        .map(([name]) => name),
    ).toEqual([]);
  });
});
