import type { Command } from '@oclif/core/command';
import type { CompletionKind } from './kinds.js';

/** A flag as completion sees it. */
export interface FlagGrammar {
  readonly name: string;
  readonly char: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  readonly multiple: boolean;
  readonly options: readonly string[];
  readonly kind: CompletionKind | undefined;
}

export interface ArgGrammar {
  readonly name: string;
  readonly multiple: boolean;
  readonly options: readonly string[];
  readonly kind: CompletionKind | undefined;
}

export interface CommandEntry {
  /** `['token', 'create']` */
  readonly words: readonly string[];
  readonly description: string;
  readonly flags: readonly FlagGrammar[];
  readonly args: readonly ArgGrammar[];
}

const firstLine = (text: string | undefined): string => (text ?? '').split('\n')[0] ?? '';

/** A command's own flags before those that every command has. */
const ownFirst = (flags: readonly Command.Flag.Cached[]): readonly Command.Flag.Cached[] =>
  flags.toSorted((left, right) => Number(left.helpGroup === 'GLOBAL') - Number(right.helpGroup === 'GLOBAL'));

const kindsOf = (command: Command.Loadable): Readonly<Record<string, CompletionKind>> => {
  const kinds: unknown = command['completion'];
  return typeof kinds === 'object' && kinds !== null ? (kinds as Readonly<Record<string, CompletionKind>>) : {};
};

/** The visible part of the manifest, in the terms of completion. */
export function describeCommands(commands: readonly Command.Loadable[]): readonly CommandEntry[] {
  return commands.filter((command) => !command.hidden).map((command) => {
    const kinds = kindsOf(command);
    return {
      words: command.id.split(':'),
      description: firstLine(command.summary ?? command.description),
      flags: ownFirst(Object.values(command.flags)).filter((flag) => flag.hidden !== true).map((flag) => ({
        name: flag.name,
        char: flag.char,
        description: firstLine(flag.summary ?? flag.description),
        takesValue: flag.type === 'option',
        multiple: flag.type === 'option' && flag.multiple === true,
        options: flag.type === 'option' ? flag.options ?? [] : [],
        kind: kinds[flag.name],
      })),
      args: Object.entries(command.args).map(([name, arg]) => ({
        name, multiple: arg.multiple === true, options: arg.options ?? [], kind: kinds[name],
      })),
    };
  });
}
