import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { requireLocales } from '../../access/access.js';
import { BaseCommand } from '../../cli/base-command.js';
import { fileTypes, fileTypesArgument } from '../../cli/content/content-files.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { createError } from '../../errors/catalogue.js';
import { agree, countNoun } from '../../lib/text.js';
import { writeTextAtomically } from '../../transfer/files/print-content.js';
import { exportXliff, translatedTypes } from '../../transfer/xliff/export-xliff.js';
import { printXliff } from '../../transfer/xliff/xliff-file.js';

export default class ContentExport extends BaseCommand<typeof ContentExport> {
  static override summary = 'Export texts for translators as XLIFF 2.0.';
  static override description =
    'Writes the texts of drafts in the source locale, with the translations that exist. Import the ' +
    'translated file with cms content import.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article --xliff article.fr.xlf --locale fr',
  ];
  static override args = fileTypesArgument;
  static override flags = {
    xliff: Flags.string({
      required: true,
      description: 'File to write, or - for standard output.',
      helpValue: '<file>',
    }),
    locale: Flags.string({ required: true, description: 'Locale of the translation.' }),
    source: Flags.string({ description: 'Locale to translate from. [default: the default locale]' }),
    ...remoteFlag,
  };
  static override completion = {
    types: 'type',
    xliff: 'path',
    locale: 'locale',
    source: 'locale',
  } as const;

  async run(): Promise<Outcome> {
    const { args, flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const isNamed = (args.types ?? []).length > 0;
    const types = translatedTypes(fileTypes(project.model, args.types), isNamed);
    const exported = await this.progress('Exporting', () =>
      readContent(project, async (store) => {
        const locales = await store.locales();
        const source = flags.source ?? locales.find(({ isDefault }) => isDefault)?.code ?? '';
        requireLocales(
          [source],
          locales.map(({ code }) => code),
        );
        if (source === flags.locale)
          throw createError('cli/invalid-usage', {
            reason: `The texts are in ${source} already.`,
            remedy: 'Pass another locale with --locale or --source.',
          });
        return exportXliff(store, types, { source, target: flags.locale });
      }),
    );
    const { documents, source, target, omitted, mismatched, withoutSource } = exported;
    if (withoutSource > 0) {
      const verb = agree(withoutSource, 'has', 'have');
      this.warn(`${countNoun(withoutSource, 'document')} ${verb} no draft in ${source}.`);
    }
    for (const place of omitted) this.warn(`${place} has characters that XML cannot contain. It is omitted.`);
    for (const place of mismatched)
      this.warn(
        `${place} has other components or blocks in ${target} than in ${source}. Its translation is omitted.`,
      );
    if (exported.omittedAttributes.length > 0)
      this.warn(`The file does not contain ${exported.omittedAttributes.join(', ')}.`);
    const text = await printXliff(exported);
    const isPrinted = flags.xliff === '-';
    if (!isPrinted) await writeTextAtomically(resolve(this.terminal.cwd, flags.xliff), text);
    const units = documents.reduce((sum, document) => sum + document.units.length, 0);
    const summary = `${countNoun(units, 'text')} of ${countNoun(documents.length, 'document')}`;
    if (isPrinted) this.info(`Exported ${summary}.`);
    return {
      json: {
        source,
        target,
        documents: documents.length,
        texts: units,
        omitted,
        mismatched,
        withoutSource,
        omittedAttributes: exported.omittedAttributes,
      },
      text: isPrinted ? text.trimEnd() : `Exported ${summary} to ${flags.xliff}.`,
    };
  }
}
