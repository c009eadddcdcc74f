import * as Flags from '@oclif/core/flags';
import { stringify } from 'yaml';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { fileArgument, findFile } from '../../cli/media.js';
import { readMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { usagesOf } from '../../transfer/store/media-store.js';

export default class MediaShow extends BaseCommand<typeof MediaShow> {
  static override description = 'Show an uploaded file and the documents that refer to it.';
  static override examples = ['<%= config.bin %> <%= command.id %> lamp.png'];
  static override args = fileArgument;
  static override flags = {
    format: Flags.option({
      options: ['yaml', 'json'] as const,
      default: 'yaml' as const,
      description: 'Output format.',
    })(),
    ...remoteFlag,
  };
  static override completion = { file: 'file' } as const;

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    return readMedia(project, async (stores) => {
      const file = await findFile(stores, this.args.file);
      const found = await usagesOf(stores.media.maintenance, [file]);
      const usages = found.map(({ file: _file, ...usage }) => usage);
      const shown = { ...file, usedBy: usages };
      return {
        json: { file, usages },
        text: this.flags.format === 'json' ? JSON.stringify(shown, null, 2) : stringify(shown),
      };
    });
  }
}
