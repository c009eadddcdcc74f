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

/**
 * Throws an error that suggests the nearest command.
 *
 * @throws `cli/unknown-command`, `cli/unexpected-argument`
 */
export const commandNotFound: Hook<'command_not_found'> = async ({ id, config }) => {
  const ids = config.commands.filter((command) => command.hidden !== true).map((command) => command.id);
  const words = id.split(':');
  const prefixLength = knownPrefixLength(words, new Set(ids));
  const topics = config.topics.map((topic) => topic.name);
  if (topics.includes(id))
    throw createError('cli/unknown-command', {
      command: commandName(id),
      remedy: `See: cms ${commandName(id)} --help`,
    });
  const suggestion = nearestCommand(words, ids, prefixLength) ?? nearestCommand(words, topics, prefixLength);
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
