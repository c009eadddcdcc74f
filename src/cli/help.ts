import { CommandHelp, Help } from '@oclif/core/help';
import type { Command } from '@oclif/core/command';
import type { Topic } from '@oclif/core/interfaces';
import { localReason } from './local-commands.js';
import { describeCommands } from './completion/command-spec.js';

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
export interface HelpDocument {
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
