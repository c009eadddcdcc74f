import type { Command } from '@oclif/core/command';
import { describeCommands } from './completion/grammar.js';

/** Help as data, for `--help --json`. */
export interface HelpDocument {
  readonly commands: readonly {
    /** `token create` */
    readonly command: string;
    readonly description: string;
    readonly arguments: readonly { readonly name: string; readonly multiple: boolean; readonly options: readonly string[] }[];
    readonly flags: readonly { readonly name: string; readonly description: string; readonly takesValue: boolean; readonly options: readonly string[] }[];
  }[];
}

/** The commands at and below an id; the empty id means all of them. */
export function describeHelp(commands: readonly Command.Loadable[], id: string): HelpDocument {
  const below = commands.filter((command) => id === '' || command.id === id || command.id.startsWith(`${id}:`));
  return {
    commands: describeCommands(below).map(({ words, description, args, flags }) => ({
      command: words.join(' '),
      description,
      arguments: args.map(({ name, multiple, options }) => ({ name, multiple, options })),
      flags: flags.map(({ name, description: meaning, takesValue, options }) => ({ name, description: meaning, takesValue, options })),
    })),
  };
}
