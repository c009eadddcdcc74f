import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from '@oclif/core/command';
import { localReason } from '../src/cli/help.js';

/** A command class with the words it is called by: `token create`. */
interface NamedCommand {
  readonly id: string;
  readonly command: typeof Command;
}

/** Descriptions of groups of commands by the group's name: `token`. */
type Topics = Readonly<Record<string, { readonly description: string }>>;

const INTRODUCTION = `# Command line

\`cms <command> --help\` prints the help of a command. \`cms <command> --help --json\` prints it as JSON.

Results go to standard output. Progress, prompts, hints and errors go to standard error.
`;

const EXIT_CODES = `## Exit codes

| Code | Meaning |
| --- | --- |
| 0 | The command succeeded. |
| 1 | The command failed. |
| 2 | The command line is wrong: an unknown command, flag or value, or a missing one. |
| 3 | Data would be lost, and \`--accept-data-loss\` is not given. |
| 4 | Migrations are pending, failed or diverged. |
| 130 | The command was interrupted by Ctrl-C. |
`;

const REMOTE_COMMANDS = `## Commands and remote servers

With \`--remote <name>\`, a command works with a [remote server](content.md#remote-servers) instead of the
project's database. The other commands have no such flag:
`;

const printTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Escapes Markdown markup and cell separators. */
const escapeText = (text: string): string => text.replace(/[\\|<>*_`[\]]/g, '\\$&').replace(/\s*\n\s*/g, ' ');

const printCode = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const printUsage = ({ id, command }: NamedCommand): string => {
  const args = Object.entries(command.args).map(([name, { required, multiple }]) => {
    const label = `<${name}>${multiple === true ? '…' : ''}`;
    return required === true ? label : `[${label}]`;
  });
  return ['cms', id, ...args, '[flags]'].join(' ');
};

const printArguments = ({ command }: NamedCommand): string => {
  const rows = Object.entries(command.args).map(([name, { description = '', options = [], required }]) => [
    printCode(name),
    escapeText(description),
    options.map(printCode).join(', '),
    required === true ? 'yes' : 'no',
  ]);
  return rows.length === 0 ? '' : printTable(['Argument', 'Description', 'Values', 'Required'], rows);
};

const flagLabel = (name: string, flag: Command.Flag.Any): string => {
  const long = flag.type === 'boolean' && flag.allowNo === true ? `--[no-]${name}` : `--${name}`;
  const value =
    flag.type === 'option' ? ` ${flag.helpValue === undefined ? '<value>' : String(flag.helpValue)}` : '';
  return [...(flag.char === undefined ? [] : [`-${flag.char}`]), `${long}${value}`].map(printCode).join(', ');
};

/** Where a default is found at run time, the description states it: `[default: $PORT, 1337]`. */
const STATED_DEFAULT = /\s*\[default: (?<value>.*)\]$/;

const defaultOf = (flag: Command.Flag.Any): string => {
  const stated = STATED_DEFAULT.exec(flag.description ?? '')?.groups?.['value'];
  if (stated !== undefined) return escapeText(stated);
  const value: unknown = flag.default;
  if (value === undefined || value === false) return '';
  return printCode(typeof value === 'string' ? value : JSON.stringify(value));
};

const printFlags = (flags: Readonly<Record<string, Command.Flag.Any>>): string => {
  const rows = Object.entries(flags).map(([name, flag]) => [
    flagLabel(name, flag),
    escapeText((flag.description ?? '').replace(STATED_DEFAULT, '')),
    (flag.type === 'option' ? (flag.options ?? []) : []).map(printCode).join(', '),
    defaultOf(flag),
  ]);
  return rows.length === 0 ? '' : printTable(['Flag', 'Description', 'Values', 'Default'], rows);
};

const printExamples = ({ id, command }: NamedCommand): string => {
  const lines = (command.examples ?? []).map((example) =>
    typeof example === 'string' ? example : `# ${example.description}\n${example.command}`,
  );
  const text = lines.join('\n').replaceAll('<%= config.bin %>', 'cms').replaceAll('<%= command.id %>', id);
  return text === '' ? '' : `\`\`\`sh\n${text}\n\`\`\``;
};

const printCommand = (named: NamedCommand): string => {
  const { summary, description } = named.command;
  return [
    `### cms ${named.id}`,
    ...[summary, description].filter((text) => text !== undefined).map(escapeText),
    `\`${printUsage(named)}\``,
    printArguments(named),
    printFlags(named.command.flags ?? {}),
    printExamples(named),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
};

/** Prints a table of the commands without `--remote`, with the reasons. */
const printLocalCommands = (commands: readonly NamedCommand[]): string => {
  const reasons = new Map<string, string[]>();
  for (const { id, command } of commands) {
    if (Object.hasOwn(command.flags ?? {}, 'remote')) continue;
    const reason = localReason(id.split(' ')) ?? '';
    reasons.set(reason, [...(reasons.get(reason) ?? []), `\`${id}\``]);
  }
  const rows = [...reasons].map(([reason, ids]) => [ids.join(', '), escapeText(reason)]);
  return `${REMOTE_COMMANDS}\n${printTable(['Commands', 'Reason'], rows)}`;
};

/** Prints a table of the commands with `--remote`, by group. */
const printRemoteCommands = (commands: readonly NamedCommand[]): string => {
  const groups = new Map<string, string[]>();
  for (const { id, command } of commands) {
    if (!Object.hasOwn(command.flags ?? {}, 'remote')) continue;
    const [topic = id] = id.split(' ');
    groups.set(topic, [...(groups.get(topic) ?? []), `\`${id}\``]);
  }
  return printTable(
    ['Group', 'Commands with --remote'],
    [...groups].map(([topic, ids]) => [topic, ids.join(', ')]),
  );
};

const isIn = (topic: string, { id }: NamedCommand): boolean => id === topic || id.startsWith(`${topic} `);

const printTopic = (
  [topic, { description }]: readonly [string, Topics[string]],
  commands: readonly NamedCommand[],
): string => {
  const members = commands.filter((command) => isIn(topic, command)).map(printCommand);
  return [`## ${topic}`, escapeText(description), ...members].join('\n\n');
};

/** Prints docs/command-line.md: commands without a group first, then group by group, then the exit codes. */
export function printCommandReference(
  commands: readonly NamedCommand[],
  topics: Topics,
  globalFlags: Readonly<Record<string, Command.Flag.Any>>,
): string {
  const visible = commands.filter(({ command }) => !command.hidden);
  const groups = Object.entries(topics);
  const ungrouped = visible.filter((command) => !groups.some(([topic]) => isIn(topic, command)));
  return `${[
    INTRODUCTION.trimEnd(),
    `## Flags of every command\n\n${printFlags(globalFlags)}`,
    `## General commands`,
    ...ungrouped.map(printCommand),
    ...groups.map((group) => printTopic(group, visible)),
    printLocalCommands(visible),
    printRemoteCommands(visible),
    EXIT_CODES.trimEnd(),
  ].join('\n\n')}\n`;
}

/**
 * Imports every command below a folder (`src/commands`), sorted by id. The file `token/create.ts` is `token
 * create`, and `field/index/index.ts` is `field index`.
 */
export async function loadCommands(folder: string): Promise<readonly NamedCommand[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts'));
  const commands: NamedCommand[] = [];
  // One after the other: jiti does not wait for a module that another import is still evaluating.
  for (const entry of files) {
    const file = join(entry.parentPath, entry.name);
    const module = (await import(pathToFileURL(file).href)) as { readonly default: typeof Command };
    const id = relative(folder, file)
      .replace(/(?:[/\\]index)?\.ts$/, '')
      .split(sep)
      .join(' ');
    commands.push({ id, command: module.default });
  }
  return commands.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}
