import type { CommandEntry, FlagGrammar } from './grammar.js';
import type { CompletionKind } from './kinds.js';
import type { ProjectNames } from './project-names.js';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What to offer: words, or the files of the current folder, which the shell knows better. */
export type Candidates = readonly Candidate[] | 'path';

/** A typed value with the command's other words around it. */
interface Site {
  readonly kind: CompletionKind | undefined;
  readonly options: readonly string[];
  readonly command: CommandEntry;
  readonly positionals: readonly string[];
  readonly current: string;
}

const plain = (values: readonly string[]): readonly Candidate[] => values.map((value) => ({ value, description: '' }));

/** The type that an earlier word of the same command names: what fields and actions are looked up for. */
const typeAt = ({ command, positionals }: Site): string | undefined => {
  const index = command.args.findIndex((arg) => arg.kind === 'type' || arg.kind === 'grantable');
  return index === -1 ? undefined : positionals[index];
};

/** Controllers of plugins have no short names worth typing, so theirs are always offered. */
const isWanted = (name: string, current: string): boolean => name.startsWith('plugin::') || name.includes('::') === current.includes(':');

const namesOf = async (site: Site, kind: Exclude<CompletionKind, 'path'>, names: ProjectNames): Promise<readonly string[]> => {
  const type = typeAt(site);
  switch (kind) {
    // Uids are offered to whoever begins to type one; otherwise the short names say the same in less room.
    case 'type': return (await names.types()).filter((name) => name.includes('::') === site.current.includes(':'));
    case 'grantable': return (await names.grantables()).filter((name) => isWanted(name, site.current));
    case 'permission': return (await names.permissions()).filter((name) => isWanted(name, site.current));
    case 'component': return names.components();
    case 'field': return type === undefined ? [] : names.fields(type);
    case 'action': return type === undefined ? [] : names.actions(type);
    case 'role': return names.roles();
    case 'locale': return names.locales();
    case 'token': return names.tokens();
    case 'user': return names.users(site.current);
  }
};

const valuesAt = async (site: Site, names: ProjectNames): Promise<Candidates> => {
  if (site.options.length > 0) return plain(site.options);
  if (site.kind === undefined) return [];
  return site.kind === 'path' ? 'path' : plain(await namesOf(site, site.kind, names));
};

/** The words that may come next on the way to a command, with what lies behind each. */
const nextWords = (typed: readonly string[], entries: readonly CommandEntry[], topics: ReadonlyMap<string, string>): readonly Candidate[] => {
  const below = entries.filter(({ words }) => words.length > typed.length && typed.every((word, index) => word === words[index]));
  const found = new Map<string, string>();
  for (const { words, description } of below) {
    const next = words[typed.length] ?? '';
    const whole = words.length === typed.length + 1;
    const topic = topics.get(words.slice(0, typed.length + 1).join(':'));
    if (whole || !found.has(next)) found.set(next, whole ? description : topic ?? '');
  }
  return [...found].map(([value, description]) => ({ value, description }));
};

const flagOf = (command: CommandEntry, word: string): FlagGrammar | undefined =>
  command.flags.find(({ name, char }) => word === `--${name}` || (char !== undefined && word === `-${char}`));

/** The words that are arguments, and the flag still waiting for its value. */
const readWords = (command: CommandEntry, words: readonly string[]): { readonly positionals: readonly string[]; readonly waiting: FlagGrammar | undefined } => {
  const positionals: string[] = [];
  let waiting: FlagGrammar | undefined;
  for (const word of words) {
    const flag = flagOf(command, word);
    if (waiting !== undefined && flag === undefined) waiting = undefined;
    else if (flag !== undefined) waiting = flag.takesValue ? flag : undefined;
    else if (!word.startsWith('-')) positionals.push(word);
  }
  return { positionals, waiting };
};

const freeFlags = (command: CommandEntry, words: readonly string[]): readonly Candidate[] => {
  const used = new Set(words.map((word) => flagOf(command, word.replace(/=.*$/s, ''))).filter((flag) => flag?.multiple === false));
  return command.flags.filter((flag) => !used.has(flag)).map(({ name, description }) => ({ value: `--${name}`, description }));
};

const within = (candidates: Candidates, prefix: string, current: string): Candidates => {
  if (candidates === 'path') return candidates;
  return candidates.map(({ value, description }) => ({ value: prefix + value, description })).filter(({ value }) => value.startsWith(current));
};

const completeCommand = async (command: CommandEntry, words: readonly string[], current: string, names: ProjectNames): Promise<Candidates> => {
  const { positionals, waiting } = readWords(command, words);
  const site = { command, positionals, current: current.replace(/^--[\w-]+=/, '') };
  if (waiting !== undefined) return within(await valuesAt({ ...site, kind: waiting.kind, options: waiting.options }, names), '', current);
  const assigned = /^(?<flag>--[\w-]+)=/.exec(current)?.groups?.['flag'];
  const flag = assigned === undefined ? undefined : flagOf(command, assigned);
  if (flag !== undefined) return within(await valuesAt({ ...site, kind: flag.kind, options: flag.options }, names), `${assigned}=`, current);
  if (current.startsWith('-')) return within(freeFlags(command, words), '', current);
  const last = command.args.at(-1);
  const arg = command.args[positionals.length] ?? (last?.multiple === true ? last : undefined);
  return arg === undefined ? [] : within(await valuesAt({ ...site, kind: arg.kind, options: arg.options }, names), '', current);
};

const longestMatch = (words: readonly string[], entries: readonly CommandEntry[]): CommandEntry | undefined =>
  entries.filter((entry) => entry.words.every((word, index) => word === words[index])).toSorted((a, b) => b.words.length - a.words.length)[0];

export interface CompletionRequest {
  /** The words after `cms`, up to and with the one the cursor stands in (empty where a new one begins). */
  readonly line: readonly string[];
  readonly commands: readonly CommandEntry[];
  /** Descriptions of topics by id (`token`). */
  readonly topics: ReadonlyMap<string, string>;
  readonly names: ProjectNames;
}

/** What the shell offers for the last word of a line: commands, flags, fixed values or names of the project. */
export async function findCandidates({ line, commands, topics, names }: CompletionRequest): Promise<Candidates> {
  const current = line.at(-1) ?? '';
  const before = line.slice(0, -1);
  const command = longestMatch(before, commands);
  const ways = current.startsWith('-') ? [] : within(nextWords(before, commands, topics), '', current);
  if (command === undefined) return ways;
  const rest = await completeCommand(command, before.slice(command.words.length), current, names);
  if (rest === 'path' || ways === 'path') return rest;
  return [...ways, ...rest];
}
