import { basename, resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import { dryRunFlag } from '../../cli/flags.js';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import {
  assertLocalFiles,
  fileArgument,
  fileInfo,
  findFile,
  infoFlags,
  printUsages,
  unknownFile,
} from '../../cli/media.js';
import { openMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { stopOnSignal } from '../../cli/terminal/signals.js';
import { usagesOf } from '../../transfer/store/media-store.js';

export default class MediaReplace extends BaseCommand<typeof MediaReplace> {
  static override summary = 'Replace the content of an uploaded file.';
  static override description =
    'Keeps all links to the file. The file gets a new address, so that no cache serves the old ' +
    'content. If the server stores files itself, the former address leads to the new one. Lists ' +
    'documents whose text contains the former address.';
  static override examples = ['<%= config.bin %> <%= command.id %> lamp.png lamp-at-night.png'];
  static override args = {
    ...fileArgument,
    content: Args.string({ required: true, description: 'File with the new content.' }),
  };
  static override flags = { ...infoFlags, ...remoteFlag, ...dryRunFlag };
  static override completion = { file: 'file', content: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const path = resolve(this.terminal.cwd, args.content);
    const local = { path, name: flags.name ?? basename(path) };
    await assertLocalFiles([local]);
    const info = fileInfo(flags);
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const isDryRun = flags['dry-run'];
    const opening = { isDryRun, warn: this.messages.warn };
    return openMedia(project, opening, async (stores) => {
      const file = await findFile(stores, args.file);
      const usages = await usagesOf(stores.media.maintenance, [file]);
      const mentions = usages.filter(({ by }) => by === 'address');
      const lines = printUsages(mentions);
      if (lines.length > 0) this.info(`Texts that contain its address:\n  ${lines.join('\n  ')}`);
      if (isDryRun) {
        await stores.media.check(local);
        this.info(`Would replace the content of ${file.name} with ${local.path}.`);
        return { json: { file, mentions, dryRun: true } };
      }
      const replaced = await stopOnSignal(() => stores.media.replace(file.id, local, info));
      if (replaced === null) throw unknownFile(args.file);
      return { json: { file: replaced, mentions }, text: replaced.documentId };
    });
  }
}
