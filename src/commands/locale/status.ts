import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.js';
import { allVersionFlags, versionFlags } from '../../cli/content/find-params.js';
import { readContent } from '../../cli/content/with-content.js';
import type { Outcome } from '../../cli/outcome.js';
import { openContentProject } from '../../cli/project/command-target.js';
import { printTable } from '../../cli/terminal/text-layout.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { countTranslations } from '../../transfer/checks/check-locales.js';
import { translatedTypes } from '../../transfer/xliff/export-xliff.js';

export default class LocaleStatus extends BaseCommand<typeof LocaleStatus> {
  static override summary = 'Count complete, missing and outdated translations.';
  static override description =
    'Counts documents for each localized content-type and locale. A translation is outdated if it is older ' +
    'than the version in the default locale.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --locale fr --json',
  ];
  static override flags = {
    type: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Content-type to count. May be repeated. [default: all of the project]',
    }),
    ...allVersionFlags,
    status: versionFlags.status,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { flags } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const { types } = project.model;
    const named =
      flags.type === undefined
        ? types.filter(({ origin }) => origin === 'project')
        : flags.type.map((name) => resolveType(types, name));
    const counted = translatedTypes(named, flags.type !== undefined);
    const counts = await readContent(project, (store) =>
      countTranslations(store, counted, flags.status === undefined ? {} : { statuses: [flags.status] }),
    );
    const shown = counts.filter(({ locale }) => flags.locale === undefined || locale === flags.locale);
    if (shown.length === 0) this.info('No content-type is localized.');
    const text = printTable(
      shown,
      [
        { header: 'TYPE', value: ({ type }) => type },
        { header: 'LOCALE', value: ({ locale }) => locale },
        { header: 'COMPLETE', value: ({ complete }) => complete, align: 'right' },
        { header: 'MISSING', value: ({ missing }) => missing, align: 'right' },
        { header: 'OUTDATED', value: ({ outdated }) => outdated, align: 'right' },
      ],
      this.style,
    );
    return { json: shown, text };
  }
}
