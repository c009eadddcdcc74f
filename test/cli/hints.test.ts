import { describe, expect, it } from 'vitest';
import { globalFlags } from '../../src/cli/flags.js';
import { CATALOGUE } from '../../src/errors/catalogue.js';
import type { ErrorEntry } from '../../src/errors/galley-error.js';
import { commandFiles, loadCommand } from './support/command-files.js';

/** The commands that a text tells to run: what follows a colon, or stands at its beginning. */
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:: |^)(?<command>cms [a-z][^.,;)]*)/g)].map(({ groups }) => groups?.['command'] ?? '');

/** The hint of an error as it says which command to run, with the code of the error. */
const hinted = Object.entries(CATALOGUE).flatMap(([code, entry]) => {
  const { hint = '' }: ErrorEntry = entry;
  return commandsIn(hint).map((command) => [code, command] as const);
});

const commandOf = (words: readonly string[]) =>
  commandFiles
    .filter(({ id }) => id === words.slice(0, id.split(' ').length).join(' '))
    .toSorted((left, right) => right.id.length - left.id.length)[0];

/** Returns what a command line names that does not exist, or lacks. */
const mistakesIn = async (words: readonly string[]): Promise<readonly string[]> => {
  const found = commandOf(words);
  if (found === undefined) return words.includes('--help') ? [] : ['the command'];
  const { args, flags } = await loadCommand(found.file);
  const rest = words.slice(found.id.split(' ').length);
  const known = Object.keys({ ...flags, ...globalFlags }).map((name) => `--${name}`);
  const unknown = rest.filter((word) => word.startsWith('--') && !known.includes(word));
  const values = rest.filter((word) => !word.startsWith('-'));
  const required = Object.values(args).filter((arg) => arg.required === true);
  return [...unknown, ...(values.length < required.length ? ['an argument'] : [])];
};

describe('hints of errors', () => {
  it.each(hinted)('%s: %s can be run', async (_code, text) => {
    expect(await mistakesIn(text.split(' ').slice(1))).toEqual([]);
  });
});
