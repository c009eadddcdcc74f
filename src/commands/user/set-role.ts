import * as Args from '@oclif/core/args';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { userArguments, userCompletion } from '../../cli/access/users.js';

export default class UserSetRole extends BaseCommand<typeof UserSetRole> {
  static override summary = 'Change the role of an API user.';
  static override description = 'Takes effect with the next request.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ann editor',
    '<%= config.bin %> <%= command.id %> ann@example.com editor --dry-run',
  ];
  static override args = {
    ...userArguments,
    role: Args.string({ required: true, description: 'Type or name of the role.' }),
  };
  static override flags = { ...remoteFlag, ...dryRunFlag };
  static override completion = { ...userCompletion, role: 'role' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    return withAdministration(project, this.messages.warn, async ({ users }) => {
      const { user, role: name } = this.args;
      const dryRun = this.flags['dry-run'];
      const { username, documentId, role } = await users.change({ user, role: name, dryRun });
      const verb = dryRun ? 'Would give' : 'Gave';
      return {
        json: { username, documentId, role, ...(dryRun ? { dryRun } : {}) },
        text: `${verb} the role ${String(role)} to ${username}.`,
      };
    });
  }
}
