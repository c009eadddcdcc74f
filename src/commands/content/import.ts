import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { requireLocales } from '../../access/access.js';
import { BaseCommand } from '../../cli/base-command.js';
import { runWrites } from '../../cli/content/save-document.js';
import { openContent } from '../../cli/content/with-content.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { readStdin } from '../../cli/prompts/secret.js';
import { eachUntilStopped } from '../../cli/terminal/signals.js';
import { agree, countNoun } from '../../lib/text.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { planTranslations } from '../../transfer/xliff/import-xliff.js';
import type { PlannedTranslation, TranslationPlan } from '../../transfer/xliff/import-xliff.js';
import { parseXliff } from '../../transfer/xliff/xliff-file.js';
import type { XliffFile } from '../../transfer/xliff/xliff-file.js';

const STOPPED = {
  work: 'The import',
  items: 'documents',
  remedy: () => 'Run the command again to finish.',
};

const printTranslation = ({ type, documentId, isNew, texts }: PlannedTranslation): string =>
  `${isNew ? 'create' : 'update'} ${type.uid} ${documentId}: ${countNoun(texts, 'text')}`;

export default class ContentImport extends BaseCommand<typeof ContentImport> {
  static override summary = 'Import translations from XLIFF 2.0.';
  static override description =
    'Writes the translations of a file of cms content export into drafts. Skips texts whose source has ' +
    'changed since the export. Asks for confirmation.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --xliff article.fr.xlf --dry-run',
    '<%= config.bin %> <%= command.id %> --xliff article.fr.xlf --publish --yes',
  ];
  static override flags = {
    xliff: Flags.string({
      required: true,
      description: 'File to read, or - for standard input.',
      helpValue: '<file>',
    }),
    publish: Flags.boolean({ description: 'Publish the documents after validating them.' }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { xliff: 'path' } as const;

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    this.info(await describeTarget(project));
    const file = await parseXliff(await this.#readText(), flags.xliff);
    const opening = { isDryRun: flags['dry-run'], warn: this.messages.warn };
    return openContent(project, opening, (store) => this.#import(store, file));
  }

  async #readText(): Promise<string> {
    const { xliff } = this.flags;
    return xliff === '-' ? readStdin(this.terminal) : readFile(resolve(this.terminal.cwd, xliff), 'utf8');
  }

  async #import(store: ContentStore, file: XliffFile): Promise<Outcome> {
    const { flags } = this;
    const isDryRun = flags['dry-run'];
    const locales = await store.locales();
    requireLocales(
      [file.source, file.target],
      locales.map(({ code }) => code),
    );
    const plan = await planTranslations(store, file);
    this.#report(plan, file);
    const { translations, skipped, untranslated } = plan;
    const json = {
      locale: file.target,
      documents: translations.map(({ type, documentId, isNew, texts, replaced }) => ({
        type: type.uid,
        documentId,
        action: isNew ? 'create' : 'update',
        texts,
        replaced,
      })),
      skipped,
      untranslated,
      ...(isDryRun ? { dryRun: true } : {}),
    };
    const exitCode = skipped.length > 0 ? 1 : 0;
    if (translations.length === 0) return { json, text: 'Nothing to import.', exitCode };
    this.info(translations.map(printTranslation).join('\n'));
    const count = countNoun(translations.length, 'document');
    if (!isDryRun) await this.confirm(`Write ${count} in ${file.target}?`);
    await this.#write(store, translations);
    const left =
      skipped.length === 0 ? '' : ` ${skipped.length} ${agree(skipped.length, 'is', 'are')} skipped.`;
    return {
      json,
      text: `${isDryRun ? 'Would write' : 'Wrote'} ${count} in ${file.target}.${left}`,
      exitCode,
    };
  }

  /** Reports everything that the import skips or replaces. */
  #report({ translations, skipped, untranslated }: TranslationPlan, { source, target }: XliffFile): void {
    for (const { type, documentId, path, reason } of skipped)
      this.warn(`${[type, documentId, path].join(' ').trimEnd()} is skipped: ${reason}.`);
    for (const { type, documentId, replaced } of translations)
      for (const path of replaced) {
        const place = `${type.uid} ${documentId} ${path}`;
        this.warn(
          `${place} has other components or blocks in ${target} than in ${source}. They are replaced.`,
        );
      }
    if (untranslated === 0) return;
    const texts = countNoun(untranslated, 'text');
    this.info(`${texts} of the file ${agree(untranslated, 'has', 'have')} no translation.`);
  }

  /** Writes each document in one transaction. On a signal, stops after the current one. */
  async #write(store: ContentStore, translations: readonly PlannedTranslation[]): Promise<void> {
    const { flags } = this;
    await this.progress(flags['dry-run'] ? 'Checking' : 'Importing', (progress) =>
      eachUntilStopped(translations, STOPPED, async ({ type, write }, index) => {
        progress.update(`${index + 1} of ${translations.length}`);
        const status = flags.publish ? 'published' : 'draft';
        await runWrites(store, type, [{ ...write, status }], flags['dry-run']);
      }),
    );
  }
}
