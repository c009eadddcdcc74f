/** The folder completion completes command lines for shells. This file finds the candidates. */
import { defined } from '../../lib/assert.js';
import type { CommandSpec, FlagSpec, CompletionKind } from './command-spec.js';
import type { ProjectNames } from './project-names.js';

interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** The candidates of a completion: words, or `path` if the shell should complete file names. */
export type Candidates = readonly Candidate[] | 'path';

/** A partly typed value, with the command line around it. */
interface CompletionContext {
  readonly kind: CompletionKind | undefined;
  readonly options: readonly string[];
  readonly command: CommandSpec;
  readonly positionals: readonly string[];
  readonly current: string;
}

const toCandidates = (values: readonly string[]): readonly Candidate[] =>
  values.map((value) => ({ value, description: '' }));

const NAMING_KINDS: ReadonlySet<CompletionKind> = new Set(['type', 'schema', 'grantable']);

/** Returns the content-type or component of an earlier argument, whose fields or actions are candidates. */
const namedType = ({ command, positionals }: CompletionContext): string | undefined => {
  const index = command.args.findIndex((arg) => arg.kind !== undefined && NAMING_KINDS.has(arg.kind));
  return index === -1 ? undefined : positionals[index];
};

/**
 * True if a name has the typed form: a uid after a colon, otherwise a short name. Plugins' controllers have
 * no short names, so their uids always match.
 */
const matchesNameForm = (name: string, current: string): boolean =>
  name.startsWith('plugin::') || name.includes('::') === current.includes(':');

const loadNames = async (
  context: CompletionContext,
  kind: Exclude<CompletionKind, 'path'>,
  names: ProjectNames,
): Promise<readonly string[]> => {
  const type = namedType(context);
  switch (kind) {
    case 'type':
      return (await names.types()).filter((name) => name.includes('::') === context.current.includes(':'));
    case 'grantable':
      return (await names.grantables()).filter((name) => matchesNameForm(name, context.current));
    case 'permission':
      return (await names.permissions()).filter((name) => matchesNameForm(name, context.current));
    case 'component':
      return names.components();
    case 'schema': {
      const types = await names.types();
      const ofForm = types.filter((name) => name.includes('::') === context.current.includes(':'));
      return [...ofForm, ...(await names.components())];
    }
    case 'attribute-type':
      return (await import('../../project/scaffold/attribute-options.js')).ATTRIBUTE_TYPES;
    case 'field':
      return type === undefined ? [] : names.fields(type);
    case 'action':
      return type === undefined ? [] : names.actions(type);
    case 'role':
      return names.roles();
    case 'locale':
      return names.locales();
    case 'remote':
      return names.remotes();
    case 'token':
      return names.tokens();
    case 'user':
      return names.users(context.current);
    case 'document':
    case 'file':
    case 'webhook':
    case 'provider':
      return [];
  }
};

const valueCandidates = async (context: CompletionContext, names: ProjectNames): Promise<Candidates> => {
  if (context.options.length > 0) return toCandidates(context.options);
  if (context.kind === undefined) return [];
  return context.kind === 'path' ? 'path' : toCandidates(await loadNames(context, context.kind, names));
};

/** Returns the topics and commands that may follow, with descriptions. */
const commandCandidates = (
  typed: readonly string[],
  entries: readonly CommandSpec[],
  topics: ReadonlyMap<string, string>,
): readonly Candidate[] => {
  const descendants = entries.filter(
    ({ words }) => words.length > typed.length && typed.every((word, index) => word === words[index]),
  );
  const descriptions = new Map<string, string>();
  for (const { words, description } of descendants) {
    const next = defined(words[typed.length], 'the next word');
    const isCommand = words.length === typed.length + 1;
    const topic = topics.get(words.slice(0, typed.length + 1).join(':'));
    if (isCommand || !descriptions.has(next)) descriptions.set(next, isCommand ? description : (topic ?? ''));
  }
  return [...descriptions].map(([value, description]) => ({ value, description }));
};

const findFlag = (command: CommandSpec, word: string): FlagSpec | undefined =>
  command.flags.find(({ name, char }) => word === `--${name}` || (char !== undefined && word === `-${char}`));

/** Returns the positional words, and the flag that still needs its value. */
const parseWords = (
  command: CommandSpec,
  words: readonly string[],
): { readonly positionals: readonly string[]; readonly pendingFlag: FlagSpec | undefined } => {
  const positionals: string[] = [];
  let pendingFlag: FlagSpec | undefined;
  for (const word of words) {
    const flag = findFlag(command, word);
    if (pendingFlag !== undefined && flag === undefined) pendingFlag = undefined;
    else if (flag !== undefined) pendingFlag = flag.takesValue ? flag : undefined;
    else if (!word.startsWith('-')) positionals.push(word);
  }
  return { positionals, pendingFlag };
};

const unusedFlags = (command: CommandSpec, words: readonly string[]): readonly Candidate[] => {
  const used = new Set(
    words
      .map((word) => findFlag(command, word.replace(/=.*$/s, '')))
      .filter((flag) => flag?.multiple === false),
  );
  return command.flags
    .filter((flag) => !used.has(flag))
    .map(({ name, description }) => ({ value: `--${name}`, description }));
};

const filterByPrefix = (candidates: Candidates, prefix: string, current: string): Candidates => {
  if (candidates === 'path') return candidates;
  return candidates
    .map(({ value, description }) => ({ value: prefix + value, description }))
    .filter(({ value }) => value.startsWith(current));
};

/** The flag or argument whose value the user is typing. */
type ValueSpec = Pick<FlagSpec, 'kind' | 'options'>;

/** Completes the flags of a command, or the value of a flag or an argument. */
const completeCommand = async (
  command: CommandSpec,
  words: readonly string[],
  current: string,
  names: ProjectNames,
): Promise<Candidates> => {
  const { positionals, pendingFlag } = parseWords(command, words);
  const typedValue = current.replace(/^--[\w-]+=/, '');
  const completeValue = async ({ kind, options }: ValueSpec, prefix = ''): Promise<Candidates> =>
    filterByPrefix(
      await valueCandidates({ command, positionals, current: typedValue, kind, options }, names),
      prefix,
      current,
    );
  if (pendingFlag !== undefined) return completeValue(pendingFlag);
  const assignedFlag = /^(?<flag>--[\w-]+)=/.exec(current)?.groups?.['flag'];
  const flag = assignedFlag === undefined ? undefined : findFlag(command, assignedFlag);
  if (flag !== undefined) return completeValue(flag, `${assignedFlag}=`);
  if (current.startsWith('-')) return filterByPrefix(unusedFlags(command, words), '', current);
  const lastArg = command.args.at(-1);
  const arg = command.args[positionals.length] ?? (lastArg?.multiple === true ? lastArg : undefined);
  return arg === undefined ? [] : completeValue(arg);
};

const findCommand = (words: readonly string[], entries: readonly CommandSpec[]): CommandSpec | undefined =>
  entries
    .filter((entry) => entry.words.every((word, index) => word === words[index]))
    .toSorted((a, b) => b.words.length - a.words.length)[0];

export interface CompletionRequest {
  /** The words after `cms` up to the cursor. The last one is unfinished, or empty. */
  readonly line: readonly string[];
  readonly commands: readonly CommandSpec[];
  /** Descriptions of topics by id (`token`). */
  readonly topics: ReadonlyMap<string, string>;
  readonly names: ProjectNames;
}

/** Returns candidates for the last word of a line: commands, flags, fixed values or project names. */
export async function findCandidates({
  line,
  commands,
  topics,
  names,
}: CompletionRequest): Promise<Candidates> {
  const current = line.at(-1) ?? '';
  const completedWords = line.slice(0, -1);
  const command = findCommand(completedWords, commands);
  const commandMatches = current.startsWith('-')
    ? []
    : filterByPrefix(commandCandidates(completedWords, commands, topics), '', current);
  if (command === undefined) return commandMatches;
  const argumentMatches = await completeCommand(
    command,
    completedWords.slice(command.words.length),
    current,
    names,
  );
  if (argumentMatches === 'path' || commandMatches === 'path') return argumentMatches;
  return [...commandMatches, ...argumentMatches];
}
