import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { remoteFlag } from '../../cli/project/command-target.js';
import { printEntry, releaseArgument, withReleases } from '../../cli/releases.js';

export default class ReleaseCheck extends BaseCommand<typeof ReleaseCheck> {
  static override summary = 'Check if a release can be published, and list the reasons if not.';
  static override description =
    'Publishes all changes without project code and rolls them back. Exits with code 1 if one would fail.';
  static override examples = ['<%= config.bin %> <%= command.id %> spring'];
  static override args = releaseArgument;
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const name = this.args.release;
    const problems = await withReleases([this.projectRoot, this.flags, this.messages], (releases) =>
      releases.check({ name }),
    );
    if (problems.length === 0) this.info(`All changes of the release ${name} can be published.`);
    const lines = problems.flatMap(({ reason, errors, ...entry }) =>
      errors.length === 0
        ? [`${printEntry(entry)}: ${reason}`]
        : errors.map(({ path, message }) => `${printEntry(entry)}: ${path.join('.')} ${message}`),
    );
    return {
      json: { release: name, problems },
      text: lines.join('\n'),
      exitCode: problems.length > 0 ? 1 : 0,
    };
  }
}
