import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';
import { globalFlags } from './flags.js';

/** The flags that `cms` alone and topics accept. bin/run.js handles --version itself. */
const FLAGS: readonly string[] = ['help', 'version', ...Object.keys(globalFlags)];
const CHARS: readonly string[] = ['-h', '-v', '-y'];

const isKnown = (word: string): boolean =>
  word === '--' || CHARS.includes(word) || FLAGS.some((name) => word === `--${name}`);

/**
 * Asserts that words after the program or a topic are flags that it has, so that a misspelt one does not pass
 * for a request for help.
 *
 * @param id the topic; empty for the program
 * @throws `cli/unknown-flag`
 */
export function assertRootFlags(id: string, words: readonly string[]): void {
  const unknown = words.find((word) => !isKnown(word));
  if (unknown === undefined) return;
  const flag = unknown.replace(/=.*$/s, '');
  const command = ['cms', ...id.split(':')].join(' ').trim();
  const remedy = didYouMean(flag.replace(/^-+/, ''), FLAGS, `See: ${command} --help`, '--');
  throw createError('cli/unknown-flag', { flag, command, remedy });
}
