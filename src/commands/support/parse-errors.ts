import { fail } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { nearest } from '../../lib/nearest.js';

/** The part of a command's grammar that messages about wrong usage speak of. */
export interface CommandGrammar {
  /** `token:create` */
  readonly id: string;
  readonly flagNames: readonly string[];
  readonly args: readonly { readonly name: string; readonly required: boolean; readonly multiple: boolean }[];
}

const commandName = (id: string): string => id.replaceAll(':', ' ');

const argLabel = (arg: CommandGrammar['args'][number]): string => {
  const label = `<${arg.name}>${arg.multiple ? '…' : ''}`;
  return arg.required ? label : `[${label}]`;
};

const usageOf = (grammar: CommandGrammar): string => ['cms', commandName(grammar.id), ...grammar.args.map(argLabel)].join(' ');

const seeHelp = (grammar: CommandGrammar): string => `See: cms ${commandName(grammar.id)} --help`;

const listOf = (error: Error, key: 'flags' | 'args'): readonly unknown[] => {
  const value: unknown = Reflect.get(error, key);
  return Array.isArray(value) ? value : [];
};

const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : String(value);

const unknownFlag = (error: Error, grammar: CommandGrammar): GalleyError => {
  const flag = String(listOf(error, 'flags')[0]).replace(/=.*$/s, '');
  const close = nearest(flag.replace(/^-+/, ''), grammar.flagNames);
  const remedy = close === undefined ? seeHelp(grammar) : `Did you mean --${close}?`;
  return fail('cli/unknown-flag', { flag, command: commandName(grammar.id), remedy });
};

const missingArgument = (error: Error, grammar: CommandGrammar): GalleyError => {
  const argument = listOf(error, 'args').map((arg) => `<${nameOf(arg)}>`).join(' and ');
  return fail('cli/missing-argument', { argument, usage: usageOf(grammar) });
};

const unexpectedArgument = (error: Error, grammar: CommandGrammar): GalleyError =>
  fail('cli/unexpected-argument', { argument: String(listOf(error, 'args')[0]), command: commandName(grammar.id) });

/** The parser's message without its heading and its own pointer to the help. */
const bareMessage = (error: Error): string => {
  const text = error.message.replace(/\nSee more help with --help$/, '').replace(/^The following errors? occurred:\s*/, '');
  return text.split('\n').map((line) => line.trim()).join(' ');
};

const OPTION = /^Expected (?:--(?<flag>[\w-]+)=)?(?<value>.*) to be one of: (?<options>.*)$/s;

const invalidUsage = (error: Error, grammar: CommandGrammar): GalleyError => {
  const reason = bareMessage(error);
  const { flag, value = '', options = '' } = OPTION.exec(reason)?.groups ?? {};
  const close = nearest(value, options.split(', '));
  if (options === '' || close === undefined) return fail('cli/invalid-usage', { reason, remedy: seeHelp(grammar) });
  return fail('cli/invalid-usage', { reason, remedy: `Did you mean ${flag === undefined ? '' : `--${flag} `}${close}?` });
};

const TRANSLATIONS: Readonly<Record<string, (error: Error, grammar: CommandGrammar) => GalleyError>> = {
  NonExistentFlagsError: unknownFlag,
  RequiredArgsError: missingArgument,
  UnexpectedArgsError: unexpectedArgument,
};

/** oclif's errors carry their exit code under `oclif`; that is how they are told from programming errors. */
export function isOclifError(error: unknown): error is Error & { readonly oclif: { readonly exit?: number } } {
  return error instanceof Error && 'oclif' in error;
}

/** What oclif's parser refused, as an error of wrong usage with the nearest suggestion; anything else comes back as it is. */
export function translateParseError(error: unknown, grammar: CommandGrammar): unknown {
  if (!isOclifError(error)) return error;
  return (TRANSLATIONS[error.constructor.name] ?? invalidUsage)(error, grammar);
}
