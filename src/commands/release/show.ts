import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { remoteFlag } from '../../cli/project/command-target.js';
import { printState, releaseArgument, withReleases } from '../../cli/releases.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class ReleaseShow extends BaseCommand<typeof ReleaseShow> {
  static override description = 'Show the state and the changes of a release.';
  static override examples = ['<%= config.bin %> <%= command.id %> spring'];
  static override args = releaseArgument;
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const release = await withReleases([this.projectRoot, this.flags, this.messages], (releases) =>
      releases.get({ name: this.args.release }),
    );
    this.info(`The release ${release.name} is ${printState(release)}.`);
    const text = printTable(
      release.changes,
      [
        { header: 'ACTION', value: ({ action }) => action },
        { header: 'TYPE', value: ({ type }) => type },
        { header: 'ID', value: ({ documentId }) => documentId },
        { header: 'LOCALE', value: ({ locale }) => locale ?? '', optional: true },
      ],
      this.style,
    );
    return { json: release, text: release.changes.length === 0 ? '' : text };
  }
}
