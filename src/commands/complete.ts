import * as Args from '@oclif/core/args';
import { BaseCommand } from '../cli/base-command.js';
import { findCandidates } from '../cli/completion/candidates.js';
import { describeCommands } from '../cli/completion/command-spec.js';
import { openProjectNames } from '../cli/completion/project-names.js';
import { PATH_DIRECTIVE } from '../cli/completion/scripts.js';
import type { Outcome } from '../cli/outcome.js';

export default class Complete extends BaseCommand<typeof Complete> {
  static override hidden = true;
  static override summary = 'Print completion candidates for the last word of a command line.';
  static override description = 'Called by the scripts of cms completion.';
  static override examples = ['<%= config.bin %> <%= command.id %> -- token cr'];
  static override args = {
    line: Args.string({ multiple: true, description: 'Words after cms, the unfinished one last.' }),
  };

  async run(): Promise<Outcome> {
    const candidates = await findCandidates({
      line: this.args.line ?? [''],
      commands: describeCommands(this.config.commands),
      topics: new Map(this.config.topics.map(({ name, description = '' }) => [name, description])),
      names: openProjectNames(this.terminal.cwd),
    });
    if (candidates === 'path') return { json: { path: true, candidates: [] }, text: PATH_DIRECTIVE };
    return {
      json: { path: false, candidates },
      text: candidates.map(({ value, description }) => `${value}\t${description}`).join('\n'),
    };
  }
}
