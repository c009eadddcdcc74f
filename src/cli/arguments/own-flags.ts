import { globalFlags } from './flags.js';

const OWN_FLAGS: ReadonlySet<string> = new Set(
  Object.entries(globalFlags).flatMap(([name, flag]) => [
    `--${name}`,
    ...('char' in flag && flag.char !== undefined ? [`-${flag.char}`] : []),
  ]),
);

/**
 * Rewrites a command line whose words after the first one belong to something else: the flags that every
 * command has come first, and all others stand after `--`, so that they are not parsed. Words that already
 * stand after `--` stay there.
 */
export function ownFlagsFirst(argv: readonly string[]): string[] {
  const start = argv.findIndex((word) => !word.startsWith('-'));
  if (start === -1) return [...argv];
  const words = argv.slice(start + 1);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const isOwn = (word: string): boolean => OWN_FLAGS.has(word);
  const before = words.slice(0, end);
  const others = [...before.filter((word) => !isOwn(word)), ...words.slice(end + 1)];
  return [...argv.slice(0, start), ...before.filter(isOwn), ...argv.slice(start, start + 1), '--', ...others];
}
