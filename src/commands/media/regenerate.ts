import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { MediaStores } from '../../project/open/content-stores.js';
import { dryRunFlag } from '../../cli/flags.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { findFile, findFiles } from '../../cli/media.js';
import { openMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { eachUntilStopped } from '../../cli/terminal/signals.js';
import { readAllFiles } from '../../transfer/store/media-store.js';
import type { MediaFile } from '../../transfer/store/media-store.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { messageOf } from '../../lib/caught-errors.js';
import { mediaKindOf } from '../../model/model.js';
import { countNoun } from '../../lib/text.js';

/** True if an error concerns one file. An unreachable server fails for all files. */
const isAboutFile = (error: unknown): boolean =>
  !isGalleyError(error) || !error.code.startsWith('remote/') || error.code === 'remote/refused';

export default class MediaRegenerate extends BaseCommand<typeof MediaRegenerate> {
  static override summary = 'Regenerate the smaller copies of images.';
  static override description =
    'Run it after a change of upload.breakpoints or upload.formats. The copies get new addresses; the ' +
    'former addresses lead to them.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --dry-run',
    '<%= config.bin %> <%= command.id %> lamp.png --yes',
  ];
  static override args = {
    files: Args.string({
      multiple: true,
      description: 'Names, ids, documentIds, hashes or URLs of files. [default: all images]',
    }),
  };
  static override flags = {
    from: Flags.string({
      description: 'File to start with, as printed by an interrupted run.',
      helpValue: '<file>',
    }),
    ...remoteFlag,
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    const isDryRun = this.flags['dry-run'];
    const opening = { isDryRun, warn: this.messages.warn };
    return openMedia(project, opening, async (stores) => {
      const files = await this.#remaining(stores, await this.#choose(stores));
      const count = countNoun(files.length, 'image');
      if (isDryRun)
        return {
          json: { files: files.map(({ documentId }) => documentId), dryRun: true },
          text: `Would regenerate the formats of ${count}.`,
        };
      await this.confirm(`Regenerate the formats of ${count}?`);
      return this.#regenerate(stores, files);
    });
  }

  async #choose(stores: MediaStores): Promise<readonly MediaFile[]> {
    const { files: names = [] } = this.args;
    if (names.length > 0) return findFiles(stores, names);
    const images: MediaFile[] = [];
    for await (const files of readAllFiles(stores.media))
      images.push(...files.filter(({ mime }) => mediaKindOf(mime) === 'images'));
    return images;
  }

  /** Omits the files before `--from`, which an interrupted run has processed. */
  async #remaining(stores: MediaStores, files: readonly MediaFile[]): Promise<readonly MediaFile[]> {
    const { from } = this.flags;
    if (from === undefined) return files;
    const first = await findFile(stores, from);
    return files.slice(
      Math.max(
        files.findIndex(({ id }) => id === first.id),
        0,
      ),
    );
  }

  async #regenerate(stores: MediaStores, files: readonly MediaFile[]): Promise<Outcome> {
    const remote = this.flags.remote === undefined ? '' : ` --remote ${this.flags.remote}`;
    const counts = { regenerated: 0, 'no-image': 0, 'other-provider': 0, failed: 0 };
    const words = {
      work: 'The work',
      items: 'images',
      remedy: ({ documentId }: MediaFile) =>
        `Continue with: cms media regenerate --from ${documentId}${remote}`,
    };
    await this.progress('Regenerating formats', async (progress) => {
      await eachUntilStopped(files, words, async (file, index) => {
        const { id, name } = file;
        progress.update(`${index + 1} of ${files.length}: ${name}`);
        try {
          const outcome = await stores.media.maintenance.regenerate(id);
          if (outcome !== null) counts[outcome] += 1;
        } catch (error) {
          if (!isAboutFile(error)) {
            progress.log(words.remedy(file));
            throw error;
          }
          counts.failed += 1;
          progress.log(`${name}: ${messageOf(error)}`);
        }
      });
    });
    const { regenerated, 'no-image': withoutFormats, 'other-provider': otherProvider, failed } = counts;
    const notes = [
      ...(withoutFormats === 0 ? [] : [`${withoutFormats} cannot be resized`]),
      ...(otherProvider === 0 ? [] : [`${otherProvider} are in another store`]),
      ...(failed === 0 ? [] : [`${failed} failed`]),
    ];
    return {
      json: { regenerated, withoutFormats, otherProvider, failed },
      text: [`Regenerated the formats of ${regenerated} images`, ...notes].join('; ') + '.',
      exitCode: failed === 0 ? 0 : 1,
    };
  }
}
