import type { Hook } from '@oclif/core/interfaces';
import { createError } from '../../errors/catalogue.js';
import { nearest } from '../../lib/nearest.js';

const commandName = (id: string): string => id.replaceAll(':', ' ');

/**
 * Returns the number of leading words that form the longest known command. The remaining words are unexpected
 * arguments.
 */
const knownPrefixLength = (words: readonly string[], ids: ReadonlySet<string>): number => {
  for (let length = words.length - 1; length > 0; length--) {
    if (ids.has(words.slice(0, length).join(':'))) return length;
  }
  return 0;
};

/**
 * Returns the known command nearest to the words. Compares only as many words as each candidate has, which
 * ignores trailing arguments. Longer candidates come first.
 */
const nearestCommand = (
  words: readonly string[],
  ids: readonly string[],
  knownLength: number,
): string | undefined => {
  for (let length = words.length; length > knownLength; length--) {
    const sameLength = ids.filter((id) => id.split(':').length === length);
    const suggestion = nearest(words.slice(0, length).join(':'), sameLength);
    if (suggestion !== undefined) return suggestion;
  }
  return undefined;
};

/** Verbs with one meaning, which other programs use for each other. Earlier ones are suggested first. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['create', 'add', 'upload', 'new', 'insert', 'make', 'put'],
  ['delete', 'remove', 'revoke', 'rm', 'del', 'destroy', 'drop'],
  ['list', 'ls', 'all', 'index'],
  ['show', 'get', 'view', 'info', 'describe', 'cat', 'read'],
  ['update', 'edit', 'set', 'change', 'modify', 'patch'],
  ['rename', 'move', 'mv'],
  ['search', 'find', 'grep', 'query'],
];

/** Returns the known command whose last word has the meaning of the last of the words. */
const synonymousCommand = (
  words: readonly string[],
  ids: ReadonlySet<string>,
  knownLength: number,
): string | undefined => {
  for (let length = words.length; length > knownLength; length--) {
    const topic = words.slice(0, length - 1);
    const synonyms = SYNONYMS.find((verbs) => verbs.includes(words[length - 1] ?? '')) ?? [];
    const command = synonyms.map((verb) => [...topic, verb].join(':')).find((id) => ids.has(id));
    if (command !== undefined) return command;
  }
  return undefined;
};

/**
 * Throws an error that suggests the command with the same meaning, or else the nearest one.
 *
 * @throws `cli/unknown-command`, `cli/unexpected-argument`
 */
export const commandNotFound: Hook<'command_not_found'> = async ({ id, config }) => {
  const ids = config.commands.filter((command) => command.hidden !== true).map((command) => command.id);
  const words = id.split(':');
  const known = new Set(ids);
  const prefixLength = knownPrefixLength(words, known);
  const topics = config.topics.map((topic) => topic.name);
  if (topics.includes(id))
    throw createError('cli/unknown-command', {
      command: commandName(id),
      remedy: `See: cms ${commandName(id)} --help`,
    });
  const suggestion =
    synonymousCommand(words, known, prefixLength) ??
    nearestCommand(words, ids, prefixLength) ??
    nearestCommand(words, topics, prefixLength);
  if (prefixLength > 0 && suggestion === undefined) {
    throw createError('cli/unexpected-argument', {
      argument: words[prefixLength],
      command: words.slice(0, prefixLength).join(' '),
    });
  }
  const remedy =
    suggestion === undefined ? 'See: cms --help' : `Did you mean: cms ${commandName(suggestion)}?`;
  throw createError('cli/unknown-command', { command: commandName(id), remedy });
};
