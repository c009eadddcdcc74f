import { dryRunFlag } from '../../cli/flags.js';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { fileArgument, fileInfo, findFile, infoFlags, unknownFile } from '../../cli/media.js';
import { openMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { stopOnSignal } from '../../cli/terminal/signals.js';
import { createError } from '../../errors/catalogue.js';

export default class MediaUpdate extends BaseCommand<typeof MediaUpdate> {
  static override summary = 'Change the metadata of an uploaded file.';
  static override description = 'An empty text removes a value.';
  static override examples = ["<%= config.bin %> <%= command.id %> lamp.png --alt 'A lamp at night'"];
  static override args = fileArgument;
  static override flags = { ...infoFlags, ...remoteFlag, ...dryRunFlag };
  static override completion = { file: 'file' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const info = fileInfo(flags);
    if (Object.keys(info).length === 0)
      throw createError('cli/invalid-usage', {
        reason: 'There is nothing to change.',
        remedy: 'Pass --alt, --caption, --focal-point or --name.',
      });
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const isDryRun = flags['dry-run'];
    const opening = { isDryRun, warn: this.messages.warn };
    return openMedia(project, opening, async (stores) => {
      const file = await findFile(stores, args.file);
      if (isDryRun) {
        this.info(`Would change ${Object.keys(info).join(', ')} of ${file.name}.`);
        return { json: { file: { ...file, ...info }, dryRun: true } };
      }
      const updated = await stopOnSignal(() => stores.media.update(file.id, info));
      if (updated === null) throw unknownFile(args.file);
      return { json: { file: updated }, text: updated.documentId };
    });
  }
}
