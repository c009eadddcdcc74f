import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { parseMoment } from '../../cli/content/change-version.js';
import type { Outcome } from '../../cli/outcome.js';
import { releaseArgument, releaseFlags, releaseOutcome, withReleases } from '../../cli/releases.js';
import { printTime } from '../../cli/terminal/text-layout.js';

export default class ReleasePublish extends BaseCommand<typeof ReleasePublish> {
  static override summary = 'Publish all changes of a release in one transaction, or none of them.';
  static override description =
    'With --at, a server publishes it at that time. cms release list shows failures.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> spring',
    '<%= config.bin %> <%= command.id %> spring --at 2d',
  ];
  static override args = releaseArgument;
  static override flags = {
    at: Flags.string({
      description: 'Time at which a server does it: 2026-12-01T09:00 (local time), 2h, 3d, or never.',
      helpValue: '<time>',
    }),
    ...releaseFlags,
  };

  async run(): Promise<Outcome> {
    const isDryRun = this.flags['dry-run'];
    const name = this.args.release;
    if (this.flags.at === undefined) {
      const published = await withReleases([this.projectRoot, this.flags, this.messages], (releases) =>
        releases.publish({ name, dryRun: isDryRun }),
      );
      return releaseOutcome(published, { verb: 'publish', done: 'Published', isDryRun });
    }
    const at = parseMoment(this.flags.at)?.toISOString() ?? null;
    const release = await withReleases([this.projectRoot, this.flags, this.messages], (releases) =>
      releases.schedule({ name, at, dryRun: isDryRun }),
    );
    return at === null
      ? releaseOutcome(release, { verb: 'cancel the time of', done: 'Canceled the time of', isDryRun })
      : releaseOutcome(release, {
          verb: 'schedule',
          done: 'Scheduled',
          isDryRun,
          suffix: ` for ${printTime(at)} UTC`,
        });
  }
}
