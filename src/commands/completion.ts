import { basename } from 'node:path';
import * as Args from '@oclif/core/args';
import { createError } from '../errors/catalogue.js';
import { BaseCommand } from '../cli/base-command.js';
import { printCompletionScript, SHELLS } from '../cli/completion/scripts.js';
import type { Shell } from '../cli/completion/scripts.js';
import type { Outcome } from '../cli/outcome.js';

const isShell = (name: string): name is Shell => SHELLS.some((shell) => shell === name);

export default class Completion extends BaseCommand<typeof Completion> {
  static override summary = 'Print a shell completion script.';
  static override description =
    'Completes commands, flags and the names of the project. The script asks the installed cms for ' +
    'candidates, so it stays up to date when commands change.';
  static override examples = [
    { description: 'bash, in ~/.bashrc:', command: 'source <(<%= config.bin %> <%= command.id %> bash)' },
    {
      description: 'zsh, in ~/.zshrc after compinit:',
      command: 'source <(<%= config.bin %> <%= command.id %> zsh)',
    },
    {
      description: 'fish:',
      command: '<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/cms.fish',
    },
  ];
  static override args = {
    shell: Args.string({
      options: [...SHELLS],
      description: 'Shell to complete commands in. [default: the shell in $SHELL]',
    }),
  };

  async run(): Promise<Outcome> {
    const shell = this.args.shell ?? basename(this.terminal.env['SHELL'] ?? '');
    if (!isShell(shell)) throw createError('cli/missing-value', { label: '<shell>' });
    const script = printCompletionScript(shell);
    return { json: { shell, script }, text: script };
  }
}
