import { stringify } from 'yaml';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { remoteFlag } from '../../cli/project/command-target.js';
import { printEntry, releaseArgument, withReleases } from '../../cli/releases.js';
import type { ReleaseDifference } from '../../documents/releases/publish-release.js';
import { printUnifiedDiff } from '../../lib/files.js';

const printDifference = ({ attributes, ...entry }: ReleaseDifference): string => {
  if (attributes.length === 0) return `${printEntry(entry)}: no changes`;
  const textOf = (side: 'before' | 'after'): string =>
    stringify(Object.fromEntries(attributes.map((change) => [change.attribute, change[side]])));
  return printUnifiedDiff({
    path: printEntry(entry),
    before: entry.isNew ? '' : textOf('before'),
    after: entry.action === 'unpublish' ? '' : textOf('after'),
  });
};

export default class ReleaseDiff extends BaseCommand<typeof ReleaseDiff> {
  static override summary = 'Show the changes of a release, attribute by attribute.';
  static override description =
    'Compares drafts with published versions; once published, with the replaced ones.';
  static override examples = ['<%= config.bin %> <%= command.id %> spring'];
  static override args = releaseArgument;
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const name = this.args.release;
    const differences = await withReleases([this.projectRoot, this.flags, this.messages], (releases) =>
      releases.diff({ name }),
    );
    if (differences.length === 0) this.info(`The release ${name} has no changes.`);
    return { json: { release: name, differences }, text: differences.map(printDifference).join('\n') };
  }
}
