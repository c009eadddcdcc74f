import { CommandHelp, Help } from '@oclif/core/help';
import type { Command } from '@oclif/core/command';
import type { Topic } from '@oclif/core/interfaces';
import { describeCommands } from './completion/command-spec.js';

const FILES = 'It edits files of the project, which a server gets by deployment.';
const MIGRATIONS = 'It needs the migration files of the release. Run it on the machine of the server.';
const DATABASE = 'It opens the database without a server. Run it on the machine of the server.';
const PROJECT = 'It prints definitions from the files and the code of this project.';
const SERVER = 'It starts the server of this project.';
const AGENTS = 'It connects agents on this machine. Agents connect to a server at its endpoint /mcp.';
const SHELL = 'It completes command lines of this project.';

/** The reasons why commands have no `--remote`, by the words of a command or of its first words. */
export const LOCAL_COMMANDS: Readonly<Record<string, string>> = {
  agents: AGENTS,
  backup:
    'It copies the database and the uploaded files of the machine that it runs on. ' +
    'To fetch the content of a server, run cms export --remote.',
  complete: SHELL,
  completion: SHELL,
  component: FILES,
  console: DATABASE,
  deploy: MIGRATIONS,
  dev: SERVER,
  field: FILES,
  generate: PROJECT,
  'graphql schema': PROJECT,
  mcp: AGENTS,
  migrate: MIGRATIONS,
  new: 'It creates a project.',
  openapi: PROJECT,
  remote: 'It manages the list of remote servers in this project.',
  restore: 'It replaces the database below a server. Run it on the machine of the server.',
  routes: PROJECT,
  run: DATABASE,
  sql: DATABASE,
  start: SERVER,
  transfer: 'Its flags --from and --to name remote servers.',
  type: FILES,
};

/** Returns the reason why a command has no `--remote`: that of its words, or of its first words. */
export function localReason(words: readonly string[]): string | undefined {
  for (let count = words.length; count > 0; count -= 1) {
    const reason = LOCAL_COMMANDS[words.slice(0, count).join(' ')];
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const FIRST_SENTENCE = /^(?<first>[\s\S]*?[.])\s+(?<rest>\S[\s\S]*)$/;

/** Splits the description of a command into its first sentence and the rest. */
const splitDescription = ({
  summary,
  description = '',
}: Pick<Command.Loadable, 'summary' | 'description'>): { readonly first: string; readonly rest: string } => {
  if (summary !== undefined) return { first: summary, rest: description };
  const { first = description, rest = '' } = FIRST_SENTENCE.exec(description)?.groups ?? {};
  return { first, rest };
};

/**
 * The help of a command. Its description does not repeat the first sentence, which is the title, and ends
 * with the reason why the command has no `--remote`.
 */
class CliCommandHelp extends CommandHelp {
  protected override description(): string | undefined {
    const { rest } = splitDescription(this.command);
    const reason = localReason(this.command.id.split(/[: ]/));
    const lines = [rest, ...(reason === undefined ? [] : [`Has no --remote: ${reason}`])];
    const text = lines.filter((line) => line !== '').join('\n');
    return text === '' ? undefined : this.wrap(text);
  }
}

/** oclif's help, returned as text, with each topic listed once. */
export class CliHelp extends Help {
  protected override CommandHelpClass = CliCommandHelp;
  #lines: string[] = [];

  /** Returns the help of a command or a topic. The empty id stands for the whole program. */
  async print(id: string): Promise<string> {
    this.#lines = [];
    await this.showHelp(id === '' ? [] : id.split(':'));
    return this.#lines.join('\n').trimEnd();
  }

  protected override log(...lines: string[]): void {
    this.#lines.push(...lines);
  }

  protected override summary(command: Command.Loadable): string | undefined {
    const { first } = splitDescription(command);
    return first === '' ? undefined : this.wrap(first);
  }

  /** A command with subcommands (`migrate`) is also a topic. Lists it among the commands only. */
  protected override get sortedTopics(): Topic[] {
    return super.sortedTopics.filter((topic) => this.config.findCommand(topic.name) === undefined);
  }

  protected override get sortedCommands(): Command.Loadable[] {
    return super.sortedCommands.filter((command) => command.hidden !== true);
  }
}

/** The help of commands as data, for `--help --json`. */
interface HelpDocument {
  readonly commands: readonly {
    /** `token create` */
    readonly command: string;
    readonly description: string;
    readonly arguments: readonly {
      readonly name: string;
      readonly multiple: boolean;
      readonly options: readonly string[];
    }[];
    readonly flags: readonly {
      readonly name: string;
      readonly description: string;
      readonly takesValue: boolean;
      readonly options: readonly string[];
    }[];
  }[];
}

/**
 * Returns the help of the command with an id and of all commands below it. The empty id stands for all
 * commands.
 */
export function describeHelp(commands: readonly Command.Loadable[], id: string): HelpDocument {
  const selectedCommands = commands.filter(
    (command) => id === '' || command.id === id || command.id.startsWith(`${id}:`),
  );
  return {
    commands: describeCommands(selectedCommands).map(({ words, description, args, flags }) => ({
      command: words.join(' '),
      description,
      arguments: args.map(({ name, multiple, options }) => ({ name, multiple, options })),
      flags: flags.map((flag) => ({
        name: flag.name,
        description: flag.description,
        takesValue: flag.takesValue,
        options: flag.options,
      })),
    })),
  };
}
