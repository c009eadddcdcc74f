import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { releaseArgument, releaseFlags, releaseOutcome, withReleases } from '../../cli/releases.js';

export default class ReleaseCreate extends BaseCommand<typeof ReleaseCreate> {
  static override summary = 'Create a release: changes that are published together.';
  static override description = 'Add documents to it with cms release add.';
  static override examples = ['<%= config.bin %> <%= command.id %> spring'];
  static override args = releaseArgument;
  static override flags = releaseFlags;

  async run(): Promise<Outcome> {
    const isDryRun = this.flags['dry-run'];
    const name = this.args.release;
    const release = await withReleases([this.projectRoot, this.flags, this.messages], (releases) =>
      releases.create({ name, dryRun: isDryRun }),
    );
    return releaseOutcome(release, { verb: 'create', done: 'Created', isDryRun });
  }
}
