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
  usagesOf,
} from '../../cli/media.js';
import { openMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { stopOnSignal } from '../../cli/terminal/signals.js';

export default class MediaReplace extends BaseCommand<typeof MediaReplace> {
  static override description =
    'Replace the content of an uploaded file. What links to it stays. It gets another address, so that no ' +
    'cache shows the old content; the former one leads to it where the server stores files itself. Lists ' +
    'the documents whose texts hold the former address.';
  static override examples = ['<%= config.bin %> <%= command.id %> lamp.png lamp-at-night.png'];
  static override args = {
    ...fileArgument,
    content: Args.string({ required: true, description: 'The file with the new content.' }),
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
      const told = printUsages(mentions);
      if (told.length > 0) this.info(`Texts that hold its address:\n  ${told.join('\n  ')}`);
      if (isDryRun) {
        await stores.media.check(local);
        this.info(`Would replace the content of ${file.name} by ${local.path}.`);
        return { json: { file, mentions, dryRun: true } };
      }
      const replaced = await stopOnSignal(() => stores.media.replace(file.id, local, info));
      if (replaced === null) throw unknownFile(args.file);
      return { json: { file: replaced, mentions }, text: replaced.documentId };
    });
  }
}
