import * as Args from '@oclif/core/args';
import { stringify } from 'yaml';
import { withAdministration } from '../../../cli/administration.js';
import { BaseCommand } from '../../../cli/base-command.js';
import type { Outcome } from '../../../cli/outcome.js';
import { openContentProject, remoteFlag } from '../../../cli/project/command-target.js';

export default class ContentTrashShow extends BaseCommand<typeof ContentTrashShow> {
  static override summary = 'Show the versions of a deleted document.';
  static override description = 'Omits private values, passwords and links.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> 1',
    '<%= config.bin %> <%= command.id %> 1 --json',
  ];
  static override args = {
    entry: Args.integer({ required: true, min: 1, description: 'Entry, from cms content trash list.' }),
  };
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    const id = this.args.entry;
    const found = await withAdministration(project, this.messages.warn, ({ trash }) => trash.get({ id }));
    return { json: found, text: stringify(found) };
  }
}
