import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { didYouMean } from '../lib/nearest.js';
import { globalFlags } from './flags.js';

/** The flags that `cms` alone and topics accept. bin/run.js handles --version itself. */
const FLAGS: readonly string[] = ['help', 'version', ...Object.keys(globalFlags)];
const CHARS: readonly string[] = ['-h', '-v', '-y'];

const isKnown = (word: string): boolean =>
  word === '--' || CHARS.includes(word) || FLAGS.some((name) => word === `--${name}`);

/**
 * Asserts that the words after the program or a topic are known flags, so that a misspelled one does not
 * count as a request for help.
 *
 * @param id the topic, or empty text for the program
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

const GLOBAL_FLAGS: ReadonlySet<string> = new Set(
  Object.entries(globalFlags).flatMap(([name, flag]) => [
    `--${name}`,
    ...('char' in flag && flag.char !== undefined ? [`-${flag.char}`] : []),
  ]),
);

/**
 * Rewrites a command line whose words after the first one belong to another program: global flags come first,
 * and all other words follow `--`, so that they are not parsed. Words after a given `--` keep their place.
 */
export function globalFlagsFirst(argv: readonly string[]): string[] {
  const start = argv.findIndex((word) => !word.startsWith('-'));
  if (start === -1) return [...argv];
  const words = argv.slice(start + 1);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const isGlobal = (word: string): boolean => GLOBAL_FLAGS.has(word);
  const before = words.slice(0, end);
  const others = [...before.filter((word) => !isGlobal(word)), ...words.slice(end + 1)];
  return [
    ...argv.slice(0, start),
    ...before.filter(isGlobal),
    ...argv.slice(start, start + 1),
    '--',
    ...others,
  ];
}

interface ArgSpec {
  readonly required?: boolean;
  readonly multiple?: boolean;
}

interface Positionals {
  readonly args: Record<string, unknown>;
  readonly argv: unknown[];
}

/**
 * Arguments in the form that oclif's parser accepts, and a function that restores the original form of the
 * output.
 */
interface VariadicArgs<A> {
  readonly args: Record<string, A>;
  /** True if more words may follow than arguments are declared. */
  readonly isVariadic: boolean;
  readonly collectRest: <P extends Positionals>(output: P) => P;
}

/**
 * oclif rejects optional arguments before one with several values. So the last argument is parsed as a single
 * word, and `collectRest` adds the words after it.
 */
export function prepareVariadicArgs<A extends ArgSpec>(args: Readonly<Record<string, A>>): VariadicArgs<A> {
  const names = Object.keys(args);
  const index = names.findIndex((name) => args[name]?.multiple === true);
  const last = names[index];
  if (
    last === undefined ||
    index !== names.length - 1 ||
    names.slice(0, index).every((name) => args[name]?.required === true)
  ) {
    return { args: { ...args }, isVariadic: false, collectRest: (output) => output };
  }
  const single = Object.fromEntries(
    Object.entries(args).map(([name, arg]) => [name, name === last ? { ...arg, multiple: false } : arg]),
  );
  const collectRest = <P extends Positionals>(output: P): P => {
    const rest = output.argv.slice(index);
    return { ...output, args: { ...output.args, [last]: rest.length === 0 ? undefined : rest } };
  };
  return { args: single, isVariadic: true, collectRest };
}

/** The names of a command's flags and arguments, for errors about wrong usage. */
export interface CommandSignature {
  /** `token:create` */
  readonly id: string;
  readonly flagNames: readonly string[];
  readonly args: readonly { readonly name: string; readonly required: boolean; readonly multiple: boolean }[];
}

const commandName = (id: string): string => id.replaceAll(':', ' ');

const argLabel = (arg: CommandSignature['args'][number]): string => {
  const label = `<${arg.name}>${arg.multiple ? '…' : ''}`;
  return arg.required ? label : `[${label}]`;
};

const printUsage = (signature: CommandSignature): string =>
  ['cms', commandName(signature.id), ...signature.args.map(argLabel)].join(' ');

const helpHint = (signature: CommandSignature): string => `See: cms ${commandName(signature.id)} --help`;

const readList = (error: Error, key: 'flags' | 'args'): readonly unknown[] => {
  const value: unknown = Reflect.get(error, key);
  return Array.isArray(value) ? value : [];
};

const argumentName = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : String(value);

const unknownFlag = (error: Error, signature: CommandSignature): GalleyError => {
  const flag = String(readList(error, 'flags')[0]).replace(/=.*$/s, '');
  const remedy = didYouMean(flag.replace(/^-+/, ''), signature.flagNames, helpHint(signature), '--');
  return createError('cli/unknown-flag', { flag, command: `cms ${commandName(signature.id)}`, remedy });
};

const missingArgument = (error: Error, signature: CommandSignature): GalleyError => {
  const argument = readList(error, 'args')
    .map((arg) => `<${argumentName(arg)}>`)
    .join(' and ');
  return createError('cli/missing-argument', { argument, usage: printUsage(signature) });
};

const unexpectedArgument = (error: Error, signature: CommandSignature): GalleyError =>
  createError('cli/unexpected-argument', {
    argument: String(readList(error, 'args')[0]),
    command: commandName(signature.id),
  });

/** Returns the parser's message without its heading and its reference to the help. */
const stripMessage = (error: Error): string => {
  const text = error.message
    .replace(/\nSee more help with --help$/, '')
    .replace(/^The following errors? occurred:\s*/, '');
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
};

const INVALID_OPTION_PATTERN = /^Expected (?:--(?<flag>[\w-]+)=)?(?<value>.*) to be one of: (?<options>.*)$/s;

const invalidUsage = (error: Error, signature: CommandSignature): GalleyError => {
  const reason = stripMessage(error);
  const { flag, value = '', options = '' } = INVALID_OPTION_PATTERN.exec(reason)?.groups ?? {};
  const prefix = flag === undefined ? '' : `--${flag} `;
  const allowedValues = options === '' ? [] : options.split(', ');
  const remedy = didYouMean(value, allowedValues, helpHint(signature), prefix);
  return createError('cli/invalid-usage', { reason, remedy });
};

const TRANSLATORS: Readonly<Record<string, (error: Error, signature: CommandSignature) => GalleyError>> = {
  NonExistentFlagsError: unknownFlag,
  RequiredArgsError: missingArgument,
  UnexpectedArgsError: unexpectedArgument,
};

/** True if an error comes from oclif, with an exit code in `oclif`, and is not a programming error. */
export function isOclifError(
  error: unknown,
): error is Error & { readonly oclif: { readonly exit?: number } } {
  return error instanceof Error && 'oclif' in error;
}

/** True if an error reports a missing required argument. */
export function isMissingArgument(error: unknown): boolean {
  return isOclifError(error) && error.constructor.name === 'RequiredArgsError';
}

/**
 * Translates an error of oclif's parser to an error of the catalogue, with the nearest suggestion. Returns
 * any other error unchanged.
 */
export function translateParseError(error: unknown, signature: CommandSignature): unknown {
  if (!isOclifError(error)) return error;
  return (TRANSLATORS[error.constructor.name] ?? invalidUsage)(error, signature);
}
