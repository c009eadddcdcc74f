import * as Args from '@oclif/core/args';
import { BaseCommand } from './base.js';
import { findCandidates } from './support/completion/candidates.js';
import { describeCommands } from './support/completion/grammar.js';
import { openProjectNames } from './support/completion/project-names.js';
import { PATH_MARK } from './support/completion/scripts.js';
import type { Outcome } from './support/outcome.js';

export default class Complete extends BaseCommand<typeof Complete> {
  static override hidden = true;
  static override description = 'Answer what may come next on a command line; called by the scripts of cms completion.';
  static override examples = ['<%= config.bin %> <%= command.id %> -- token cr'];
  static override args = { line: Args.string({ multiple: true, description: 'The words after cms, the unfinished one last.' }) };

  async run(): Promise<Outcome> {
    const candidates = await findCandidates({
      line: this.args.line ?? [''],
      commands: describeCommands(this.config.commands),
      topics: new Map(this.config.topics.map(({ name, description = '' }) => [name, description])),
      names: openProjectNames(this.terminal.cwd),
    });
    if (candidates === 'path') return { json: { path: true, candidates: [] }, text: PATH_MARK };
    return { json: { path: false, candidates }, text: candidates.map(({ value, description }) => `${value}\t${description}`).join('\n') };
  }
}
