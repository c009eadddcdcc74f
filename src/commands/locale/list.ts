import { listLocales } from '../../access/operations/list-locales.js';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../base.js';
import type { Outcome } from '../support/outcome.js';
import { printTable } from '../support/table.js';
import { withAccess } from '../support/with-access.js';

export default class LocaleList extends BaseCommand<typeof LocaleList> {
  static override description = 'List the languages of localised content.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];

  async run(): Promise<Outcome> {
    const locales = await withAccess(await openProject(this.projectRoot), listLocales);
    const text = printTable(locales, [
      { header: 'CODE', value: ({ code }) => code },
      { header: 'NAME', value: ({ name }) => name },
      { header: 'DEFAULT', value: ({ isDefault }) => (isDefault ? 'yes' : '') },
    ], this.style);
    return { json: locales, text };
  }
}
