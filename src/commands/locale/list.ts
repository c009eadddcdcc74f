import { listLocales } from '../../access/locales.js';
import { openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { printTable } from '../../cli/terminal/text-layout.js';
import { withAccess } from '../../project/open/open-database.js';

export default class LocaleList extends BaseCommand<typeof LocaleList> {
  static override description = 'List locales.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<Outcome> {
    const locales = await withAccess(await openProject(this.projectRoot), listLocales);
    const text = printTable(
      locales,
      [
        { header: 'CODE', value: ({ code }) => code },
        { header: 'NAME', value: ({ name }) => name },
        { header: 'DEFAULT', value: ({ isDefault }) => (isDefault ? 'yes' : '') },
      ],
      this.style,
    );
    return { json: locales, text };
  }
}
