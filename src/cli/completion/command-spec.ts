import type { Command } from '@oclif/core/command';

/** The properties of a flag that completion and help need. */
export interface FlagSpec {
  readonly name: string;
  readonly char: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  readonly multiple: boolean;
  readonly options: readonly string[];
  readonly kind: CompletionKind | undefined;
}

interface ArgSpec {
  readonly name: string;
  readonly multiple: boolean;
  readonly options: readonly string[];
  readonly kind: CompletionKind | undefined;
}

export interface CommandSpec {
  /** `['token', 'create']` */
  readonly words: readonly string[];
  readonly description: string;
  readonly flags: readonly FlagSpec[];
  readonly args: readonly ArgSpec[];
}

const firstLine = (text: string | undefined): string => (text ?? '').replace(/\n.*$/s, '');

/** Sorts the global flags after the others. */
const globalFlagsLast = (flags: readonly Command.Flag.Cached[]): readonly Command.Flag.Cached[] =>
  flags.toSorted((left, right) => Number(left.helpGroup === 'GLOBAL') - Number(right.helpGroup === 'GLOBAL'));

const completionKindsOf = (command: Command.Loadable): Readonly<Record<string, CompletionKind>> => {
  const kinds: unknown = command['completion'];
  return typeof kinds === 'object' && kinds !== null
    ? (kinds as Readonly<Record<string, CompletionKind>>)
    : {};
};

/** The kinds of flags that have the same meaning in all commands. */
const COMMON_KINDS: Readonly<Record<string, CompletionKind>> = { remote: 'remote' };

/** Returns the commands that are not hidden, in the form that completion and help need. */
export function describeCommands(commands: readonly Command.Loadable[]): readonly CommandSpec[] {
  return commands
    .filter((command) => !command.hidden)
    .map((command) => {
      const kinds = completionKindsOf(command);
      return {
        words: command.id.split(':'),
        description: firstLine(command.summary ?? command.description),
        flags: globalFlagsLast(Object.values(command.flags))
          .filter((flag) => flag.hidden !== true)
          .map((flag) => ({
            name: flag.name,
            char: flag.char,
            description: firstLine(flag.summary ?? flag.description),
            takesValue: flag.type === 'option',
            multiple: flag.type === 'option' && flag.multiple === true,
            options: flag.type === 'option' ? (flag.options ?? []) : [],
            kind: kinds[`--${flag.name}`] ?? kinds[flag.name] ?? COMMON_KINDS[flag.name],
          })),
        args: Object.entries(command.args).map(([name, arg]) => ({
          name,
          multiple: arg.multiple === true,
          options: arg.options ?? [],
          kind: kinds[name],
        })),
      };
    });
}

/**
 * The kind of name that an argument or a flag takes, so that the shell and questions can offer existing ones.
 * `schema` is a content-type or a component, `grantable` a content-type or a plugin's controller, `action` an
 * action of it, and `permission` both in one word. Only questions offer documents, files, webhooks and
 * providers.
 */
export type CompletionKind =
  | 'type'
  | 'schema'
  | 'attribute-type'
  | 'document'
  | 'file'
  | 'webhook'
  | 'provider'
  | 'component'
  | 'field'
  | 'role'
  | 'locale'
  | 'remote'
  | 'token'
  | 'user'
  | 'grantable'
  | 'action'
  | 'permission'
  | 'path';

/**
 * Kinds by the name of the argument or flag. Write `--type` for a flag with the name of an argument. Flags
 * with fixed options need no entry.
 */
export type CompletionKinds = Readonly<Record<string, CompletionKind>>;
