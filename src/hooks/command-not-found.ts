import type { Hook } from '@oclif/core/interfaces';
import { fail } from '../errors/catalogue.js';
import { nearest } from '../lib/nearest.js';

const spoken = (id: string): string => id.replaceAll(':', ' ');

/** The longest beginning of the words that is a command itself: what was typed then goes one word too far. */
const knownPrefix = (words: readonly string[], ids: ReadonlySet<string>): number => {
  for (let length = words.length - 1; length > 0; length--) {
    if (ids.has(words.slice(0, length).join(':'))) return length;
  }
  return 0;
};

/** Compares as many words as each candidate has, so that trailing arguments do not hide the likeness; the longest candidates first. */
const nearestCommand = (words: readonly string[], ids: readonly string[], known: number): string | undefined => {
  for (let length = words.length; length > known; length--) {
    const sameLength = ids.filter((id) => id.split(':').length === length);
    const close = nearest(words.slice(0, length).join(':'), sameLength);
    if (close !== undefined) return close;
  }
  return undefined;
};

/** Answers an unknown command with the nearest one that exists. */
export const commandNotFound: Hook<'command_not_found'> = async ({ id, config }) => {
  const ids = config.commands.filter((command) => command.hidden !== true).map((command) => command.id);
  const words = id.split(':');
  const prefix = knownPrefix(words, new Set(ids));
  const topics = config.topics.map((topic) => topic.name);
  if (topics.includes(id)) throw fail('cli/unknown-command', { command: spoken(id), remedy: `See: cms ${spoken(id)} --help` });
  const close = nearestCommand(words, ids, prefix) ?? nearestCommand(words, topics, prefix);
  if (prefix > 0 && close === undefined) {
    throw fail('cli/unexpected-argument', { argument: words[prefix], command: words.slice(0, prefix).join(' ') });
  }
  const remedy = close === undefined ? 'See: cms --help' : `Did you mean: cms ${spoken(close)}?`;
  throw fail('cli/unknown-command', { command: spoken(id), remedy });
};
