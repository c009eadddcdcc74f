import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from '@oclif/core/command';
import { packageRoot } from './package-root.js';

const folder = join(packageRoot, 'src', 'commands');

const idOf = (file: string): string =>
  file
    .replace(/(\/index)?\.ts$/, '')
    .split('/')
    .join(' ');

/** Every command's id with its file: `token create` is `token/create.ts`. */
export const commandFiles: readonly { readonly id: string; readonly file: string }[] = readdirSync(folder, {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .map((file) => ({ id: idOf(file), file }));

export async function loadCommand(file: string): Promise<typeof Command> {
  const module = (await import(pathToFileURL(join(folder, file)).href)) as {
    readonly default: typeof Command;
  };
  return module.default;
}

/** The lines of a command's examples that are commands, with oclif's placeholders filled in. */
export function exampleLines({ examples }: typeof Command, id: string): readonly string[] {
  return examples
    .map((example) => (typeof example === 'string' ? example : example.command))
    .map((text) => text.replaceAll('<%= config.bin %>', 'cms').replaceAll('<%= command.id %>', id))
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes('cms '));
}
