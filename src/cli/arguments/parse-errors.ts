import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { didYouMean } from '../../lib/nearest.js';

/** The names of a command's flags and arguments, for error messages about wrong usage. */
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

const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : String(value);

const unknownFlag = (error: Error, signature: CommandSignature): GalleyError => {
  const flag = String(readList(error, 'flags')[0]).replace(/=.*$/s, '');
  const remedy = didYouMean(flag.replace(/^-+/, ''), signature.flagNames, helpHint(signature), '--');
  return createError('cli/unknown-flag', { flag, command: `cms ${commandName(signature.id)}`, remedy });
};

const missingArgument = (error: Error, signature: CommandSignature): GalleyError => {
  const argument = readList(error, 'args')
    .map((arg) => `<${nameOf(arg)}>`)
    .join(' and ');
  return createError('cli/missing-argument', { argument, usage: printUsage(signature) });
};

const unexpectedArgument = (error: Error, signature: CommandSignature): GalleyError =>
  createError('cli/unexpected-argument', {
    argument: String(readList(error, 'args')[0]),
    command: commandName(signature.id),
  });

/** The parser's message without its heading and without its pointer to the help. */
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

/**
 * Returns whether an error is one of oclif's own, which carry an exit code in `oclif`, and not a programming
 * error.
 */
export function isOclifError(
  error: unknown,
): error is Error & { readonly oclif: { readonly exit?: number } } {
  return error instanceof Error && 'oclif' in error;
}

/** Returns whether a required argument is missing. */
export function isMissingArgument(error: unknown): boolean {
  return isOclifError(error) && error.constructor.name === 'RequiredArgsError';
}

/**
 * Translates an error of oclif's parser to an error of the catalogue, with the nearest suggestion. Returns
 * any other error as it is.
 */
export function translateParseError(error: unknown, signature: CommandSignature): unknown {
  if (!isOclifError(error)) return error;
  return (TRANSLATORS[error.constructor.name] ?? invalidUsage)(error, signature);
}
