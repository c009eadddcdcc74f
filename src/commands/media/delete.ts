import { dryRunFlag } from '../../cli/flags.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { filesArgument, findFiles, printUsages } from '../../cli/media.js';
import { openMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { eachUntilStopped } from '../../cli/terminal/signals.js';
import { usagesOf } from '../../transfer/store/media-store.js';
import { countNoun } from '../../lib/text.js';

export default class MediaDelete extends BaseCommand<typeof MediaDelete> {
  static override summary = 'Delete uploaded files with their formats and all links to them.';
  static override description = 'Lists the documents that refer to them and asks for confirmation.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> lamp.png --yes',
    '<%= config.bin %> <%= command.id %> lamp.png --dry-run',
  ];
  static override args = filesArgument;
  static override flags = { ...remoteFlag, ...dryRunFlag };
  static override completion = { files: 'file' } as const;

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    this.info(await describeTarget(project));
    const isDryRun = flags['dry-run'];
    const opening = { isDryRun, warn: this.messages.warn };
    return openMedia(project, opening, async (stores) => {
      const files = await findFiles(stores, this.args.files);
      const usages = await usagesOf(stores.media.maintenance, files);
      for (const { name, documentId } of files) {
        const lines = printUsages(usages.filter(({ file }) => file === documentId));
        if (lines.length > 0) this.info(`${name} is used by:\n  ${lines.join('\n  ')}`);
      }
      const count = countNoun(files.length, 'file');
      const json = { action: 'delete', files, usages, ...(isDryRun ? { dryRun: true } : {}) };
      if (isDryRun) return { json, text: `Would delete ${count}.` };
      await this.confirm(`Delete ${count} (${files.map(({ name }) => name).join(', ')})?`);
      const remedy = (): string => 'Run the command again for the remaining files.';
      const words = { work: 'The deletion', items: 'files', remedy };
      const deleted: string[] = [];
      await eachUntilStopped(files, words, async ({ id, name }) => {
        await stores.media.remove(id);
        deleted.push(name);
      }).catch((error: unknown) => {
        if (deleted.length > 0) this.info(`Deleted: ${deleted.join(', ')}.`);
        throw error;
      });
      return { json, text: `Deleted ${count}.` };
    });
  }
}
