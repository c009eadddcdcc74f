import * as Args from '@oclif/core/args';
import { findToken } from '../../access/operations/find-token.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import { printToken } from '../support/describe-token.js';
import type { Outcome } from '../support/outcome.js';
import { withAccess } from '../support/with-access.js';

export default class TokenShow extends BaseCommand<typeof TokenShow> {
  static override description = 'Show one API token, without its key: that was shown when it was made, and is not stored.';
  static override examples = ['<%= config.bin %> <%= command.id %> ci', '<%= config.bin %> <%= command.id %> ci --json'];
  static override args = { name: Args.string({ required: true, description: 'The token\'s name.' }) };
  static override completion = { name: 'token' } as const;

  async run(): Promise<Outcome> {
    const token = await withAccess(await openProject(this.projectRoot), (access) => findToken(access, this.args.name));
    return { json: token, text: printToken(token, this.style) };
  }
}
