import * as Flags from '@oclif/core/flags';
import type { MediaStores } from '../../project/open/content-stores.js';
import { dryRunFlag } from '../../cli/flags.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { FILE_COLUMNS, printSize } from '../../cli/media.js';
import { openMedia } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { eachUntilStopped } from '../../cli/terminal/signals.js';
import { printTable } from '../../cli/terminal/text-layout.js';
import { findUnused } from '../../transfer/store/media-store.js';
import type { MediaFile } from '../../transfer/store/media-store.js';
import type { StoredObject } from '../../media/media.js';
import { countNoun } from '../../lib/text.js';
import { HOUR_MS } from '../../lib/units.js';

const BYTES = 1000;

const STOPPED = {
  work: 'The deletion',
  items: 'files',
  remedy: () => 'Run the command again to finish.',
};

/** The unused files and orphaned objects. */
interface Waste {
  readonly files: readonly MediaFile[];
  /** The stored objects that belong to no file. */
  readonly strays: readonly StoredObject[];
}

const countWaste = (files: number, strays: number): string =>
  `${countNoun(files, 'unused file')} and ${countNoun(strays, 'orphaned object')}`;

export default class MediaPrune extends BaseCommand<typeof MediaPrune> {
  static override summary = 'Delete uploaded files that no document refers to.';
  static override description =
    'A file is unused if no version of a document refers to it, by a link or by an address in a text. ' +
    'Also deletes objects in the uploads folder that belong to no file. Lists everything and asks for ' +
    'confirmation.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --dry-run',
    '<%= config.bin %> <%= command.id %> --older-than 24 --yes',
  ];
  static override flags = {
    'older-than': Flags.integer({
      min: 0,
      default: 1,
      description: 'Keep files added in the last hours; they may not be linked yet.',
      helpValue: '<hours>',
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
      const waste = await this.#find(stores);
      const count = countWaste(waste.files.length, waste.strays.length);
      const json = { ...waste, ...(isDryRun ? { dryRun: true } : {}) };
      if (waste.files.length + waste.strays.length === 0) return { json, text: 'Nothing to delete.' };
      this.#print(waste);
      if (isDryRun) return { json, text: `Would delete ${count}.` };
      await this.confirm(`Delete ${count}?`);
      return this.#delete(stores, waste);
    });
  }

  async #find({ media }: MediaStores): Promise<Waste> {
    return this.progress('Looking for unused files', async () => ({
      files: await findUnused(media, new Date(Date.now() - this.flags['older-than'] * HOUR_MS)),
      strays: (await media.maintenance.findStrays()) ?? [],
    }));
  }

  #print({ files, strays }: Waste): void {
    this.info(printTable(files, FILE_COLUMNS, this.styleOn(this.terminal.stderr)));
    const lines = strays.map(({ name, bytes }) => `  ${name} (${printSize(bytes / BYTES)})`);
    if (lines.length > 0) this.info(`Without a file:\n${lines.join('\n')}`);
  }

  /** Deletes files that are still unused. Others may have been linked while the prompt was open. */
  async #delete(stores: MediaStores, { files, strays }: Waste): Promise<Outcome> {
    const still = await this.#find(stores);
    const isStill = new Set(still.files.map(({ id }) => id));
    const deleted = files.filter(({ id }) => isStill.has(id));
    await this.progress('Deleting', (progress) =>
      eachUntilStopped(deleted, STOPPED, async ({ id, name }, index) => {
        progress.update(`${index + 1} of ${deleted.length}: ${name}`);
        await stores.media.remove(id);
      }),
    );
    const names = new Set(still.strays.map(({ name }) => name));
    const removed = strays.filter(({ name }) => names.has(name));
    if (removed.length > 0) await stores.media.maintenance.removeStrays(removed.map(({ name }) => name));
    return {
      json: { files: deleted, strays: removed },
      text: `Deleted ${countWaste(deleted.length, removed.length)}.`,
    };
  }
}
