import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { releaseArgument, releaseFlags, releaseOutcome, withReleases } from '../../cli/releases.js';

export default class ReleaseDelete extends BaseCommand<typeof ReleaseDelete> {
  static override summary = 'Delete a release. Its documents stay as they are.';
  static override description = 'A published release cannot be reverted once it is deleted.';
  static override examples = ['<%= config.bin %> <%= command.id %> spring'];
  static override args = releaseArgument;
  static override flags = releaseFlags;

  async run(): Promise<Outcome> {
    const isDryRun = this.flags['dry-run'];
    const name = this.args.release;
    const release = await withReleases([this.projectRoot, this.flags, this.messages], async (releases) => {
      const { state } = await releases.get({ name });
      if (this.canPrompt && !isDryRun) await this.confirm(`Delete the release ${name}, which is ${state}?`);
      return releases.delete({ name, dryRun: isDryRun });
    });
    return releaseOutcome(release, { verb: 'delete', done: 'Deleted', isDryRun });
  }
}
