import { basename } from 'node:path';
import * as Args from '@oclif/core/args';
import { fail } from '../errors/catalogue.js';
import { BaseCommand } from './base.js';
import { printCompletionScript, SHELLS } from './support/completion/scripts.js';
import type { Shell } from './support/completion/scripts.js';
import type { Outcome } from './support/outcome.js';

const isShell = (name: string): name is Shell => SHELLS.some((shell) => shell === name);

export default class Completion extends BaseCommand<typeof Completion> {
  static override summary = 'Print a script that completes commands, flags and the project\'s names in your shell.';
  static override description = 'The script asks the installed cms what may come next, so it need not be renewed when commands change.';
  static override examples = [
    { description: 'bash, in ~/.bashrc:', command: 'source <(<%= config.bin %> <%= command.id %> bash)' },
    { description: 'zsh, in ~/.zshrc after compinit:', command: 'source <(<%= config.bin %> <%= command.id %> zsh)' },
    { description: 'fish:', command: '<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/cms.fish' },
  ];
  static override args = { shell: Args.string({ options: [...SHELLS], description: 'The shell; by default the one in $SHELL.' }) };

  async run(): Promise<Outcome> {
    const shell = this.args.shell ?? basename(this.terminal.env['SHELL'] ?? '');
    if (!isShell(shell)) throw fail('cli/missing-value', { label: '<shell>' });
    const script = printCompletionScript(shell);
    return { json: { shell, script }, text: script };
  }
}
