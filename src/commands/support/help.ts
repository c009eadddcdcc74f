import { Help } from '@oclif/core/help';
import type { Command } from '@oclif/core/command';
import type { Topic } from '@oclif/core/interfaces';

/** oclif's help as text, with each topic listed once. */
export class CliHelp extends Help {
  #lines: string[] = [];

  /** The help of a command or a topic; of the whole program for the empty id. */
  async print(id: string): Promise<string> {
    this.#lines = [];
    await this.showHelp(id === '' ? [] : id.split(':'));
    return this.#lines.join('\n').trimEnd();
  }

  protected override log(...lines: string[]): void {
    this.#lines.push(...lines);
  }

  /** A command that has subcommands (`migrate`) is a topic as well; in the list it stands among the commands only. */
  protected override get sortedTopics(): Topic[] {
    return super.sortedTopics.filter((topic) => this.config.findCommand(topic.name) === undefined);
  }

  protected override get sortedCommands(): Command.Loadable[] {
    return super.sortedCommands.filter((command) => command.hidden !== true);
  }
}
