import { basename, resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { MediaStores } from '../../project/open/content-stores.js';
import { dryRunFlag } from '../../cli/flags.js';
import { BaseCommand } from '../../cli/base-command.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { assertLocalFiles, fileInfo, infoFlags, linkFile, parseLink } from '../../cli/media.js';
import type { Link } from '../../cli/media.js';
import { openMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { eachUntilStopped } from '../../cli/terminal/signals.js';
import { errorDocument, toGalleyError } from '../../cli/terminal/report-error.js';
import { describeSystemError } from '../../project/system-errors.js';
import type { ErrorDocument } from '../../cli/terminal/report-error.js';
import type { LocalFile, MediaFile } from '../../transfer/store/media-store.js';
import { createError } from '../../errors/catalogue.js';
import type { FileInfo } from '../../media/media.js';

/** The values that all files of a command share. */
interface Addition {
  readonly info: FileInfo;
  /** Null if the files are not linked. */
  readonly link: Link | null;
}

const STOPPED = {
  work: 'The upload',
  items: 'files',
  remedy: () => 'Run the command again with the remaining files.',
};

export default class MediaAdd extends BaseCommand<typeof MediaAdd> {
  static override summary = 'Add files to the media library and print their documentIds.';
  static override description =
    'Applies the checks, formats and hooks of uploads. With --link, links the files to a document. A ' +
    'rejected file does not stop the others.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> lamp.png --alt 'A lamp'",
    "<%= config.bin %> <%= command.id %> lamp.png --link 'article notes-on-rye cover'",
  ];
  static override args = {
    files: Args.string({ required: true, multiple: true, description: 'Files to add.' }),
  };
  static override flags = {
    ...infoFlags,
    link: Flags.string({
      description: 'Type, document and attribute to link to: article hello-world cover.',
      helpValue: '<type document attribute>',
    }),
    locale: Flags.string({
      description: 'With --link: locale of the document. [default: the default locale]',
    }),
    publish: Flags.boolean({ description: 'With --link: publish the document.' }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { files: 'path', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const paths = args.files;
    if (flags.name !== undefined && paths.length > 1)
      throw createError('cli/invalid-usage', {
        reason: 'Several files cannot have the same name.',
        remedy: 'Omit --name, or add the files one by one.',
      });
    const files = paths.map((path) => ({
      path: resolve(this.terminal.cwd, path),
      name: flags.name ?? basename(path),
    }));
    await assertLocalFiles(files);
    const info = fileInfo(flags);
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const isDryRun = flags['dry-run'];
    const opening = { isDryRun, warn: this.messages.warn };
    return openMedia(project, opening, async (stores) => {
      const link =
        flags.link === undefined ? null : await parseLink(stores.content, flags.link, files.length);
      const added: MediaFile[] = [];
      const failed = await this.#each(files, async (file) => {
        if (isDryRun) await stores.media.check(file);
        else added.push(await this.#add(stores, file, { info, link }));
      }).catch((error: unknown) => {
        const lines = added.map(({ documentId, name }) => `${name} (${documentId})`);
        if (lines.length > 0) this.info(`Added: ${lines.join(', ')}.`);
        throw error;
      });
      if (isDryRun) this.info(`Would add ${files.length - failed.length} of ${files.length}.`);
      return {
        json: { files: added, failed, ...(isDryRun ? { dryRun: true } : {}) },
        text: added.map(({ documentId }) => documentId).join('\n'),
        exitCode: failed.length === 0 ? 0 : 1,
      };
    });
  }

  /** Adds each file. Returns the rejected files with their errors; throws the error of a single file. */
  async #each(
    files: readonly LocalFile[],
    work: (file: LocalFile) => Promise<void>,
  ): Promise<readonly { readonly path: string; readonly error: ErrorDocument['error'] }[]> {
    const failed: { readonly path: string; readonly error: ErrorDocument['error'] }[] = [];
    await eachUntilStopped(files, STOPPED, async (file) => {
      try {
        await work(file);
      } catch (error) {
        if (files.length === 1) throw error;
        const { cwd } = this.terminal;
        const document = errorDocument(toGalleyError(await describeSystemError(error, cwd), cwd));
        failed.push({ path: file.path, error: document.error });
        this.warn(`Not added: ${document.error.message}`);
      }
    });
    return failed;
  }

  async #add({ content, media }: MediaStores, file: LocalFile, { info, link }: Addition): Promise<MediaFile> {
    const added = await media.add(file, info);
    if (link === null) return added;
    try {
      const { locale, publish } = this.flags;
      await linkFile(content, link, added, { locale, publish });
      return added;
    } catch (error) {
      await media.remove(added.id);
      throw error;
    }
  }
}
