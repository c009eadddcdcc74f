import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { remoteFlag } from '../../cli/project/command-target.js';
import { printState, withReleases } from '../../cli/releases.js';
import { printTable } from '../../cli/terminal/text-layout.js';

export default class ReleaseList extends BaseCommand<typeof ReleaseList> {
  static override description = 'List releases, with the reason if one could not be published.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = remoteFlag;

  async run(): Promise<Outcome> {
    const releases = await withReleases([this.projectRoot, this.flags, this.messages], (api) => api.list({}));
    if (releases.length === 0) this.info('There are no releases yet. Create one with: cms release create');
    const text = printTable(
      releases,
      [
        { header: 'NAME', value: ({ name }) => name },
        { header: 'CHANGES', value: ({ items }) => items, align: 'right' },
        { header: 'STATE', value: printState },
      ],
      this.style,
    );
    return { json: { releases }, text: releases.length === 0 ? '' : text };
  }
}
