import * as Args from '@oclif/core/args';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { loadRemotes, requireRemote, saveRemotes } from '../../transfer/remote/remotes.js';

export default class RemoteRemove extends BaseCommand<typeof RemoteRemove> {
  static override summary = 'Remove a remote server and its token.';
  static override description = 'The token stays valid on the server until it is revoked there.';
  static override examples = ['<%= config.bin %> <%= command.id %> production'];
  static override args = {
    name: Args.string({ required: true, description: 'Name of the remote.' }),
  };
  static override flags = dryRunFlag;
  static override completion = { name: 'remote' } as const;

  async run(): Promise<Outcome> {
    const remotes = await loadRemotes(this.projectRoot);
    const { name, url } = requireRemote(remotes, this.args.name);
    const isDryRun = this.flags['dry-run'];
    if (!isDryRun)
      await saveRemotes(
        this.projectRoot,
        remotes.filter((remote) => remote.name !== name),
      );
    return {
      json: { name, url, ...(isDryRun ? { dryRun: true } : {}) },
      text: `${isDryRun ? 'Would remove' : 'Removed'} ${name}: ${url}`,
    };
  }
}
