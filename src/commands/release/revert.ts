import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { releaseArgument, releaseFlags, releaseOutcome, withReleases } from '../../cli/releases.js';

export default class ReleaseRevert extends BaseCommand<typeof ReleaseRevert> {
  static override summary = 'Restore the published versions that a release replaced.';
  static override description = 'Drafts stay as they are. Changes nothing if a document was published since.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> spring',
    '<%= config.bin %> <%= command.id %> spring --dry-run',
  ];
  static override args = releaseArgument;
  static override flags = {
    force: Flags.boolean({ description: 'Overwrite documents that were published since.' }),
    ...releaseFlags,
  };

  async run(): Promise<Outcome> {
    const { force, 'dry-run': isDryRun } = this.flags;
    const name = this.args.release;
    const release = await withReleases([this.projectRoot, this.flags, this.messages], (releases) =>
      releases.revert({ name, isForced: force, dryRun: isDryRun }),
    );
    return releaseOutcome(release, { verb: 'revert', done: 'Reverted', isDryRun });
  }
}
