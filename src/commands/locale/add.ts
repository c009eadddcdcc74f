import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { LocaleRecord } from '../../access/access.js';
import type { Administration } from '../../api/administration/administration.js';
import { LOCALES_FILE } from '../../project/access-files.js';
import { remindOfExport } from '../../cli/access/access-files.js';
import { withAdministration } from '../../cli/administration.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { textQuestion, validateWith } from '../../cli/prompts/prompt.js';
import type { Validity } from '../../cli/prompts/prompt.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';

export default class LocaleAdd extends BaseCommand<typeof LocaleAdd> {
  static override description = 'Add a locale, or set the default locale.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> fr',
    '<%= config.bin %> <%= command.id %> pt-BR --name "Portuguese of Brazil" --force',
    '<%= config.bin %> <%= command.id %> fr --default',
  ];
  static override args = { code: Args.string({ description: 'Locale code: fr, pt-BR.' }) };
  static override flags = {
    name: Flags.string({ description: 'Display name. [default: the English name]' }),
    default: Flags.boolean({ description: 'Make it the default locale, even if it already exists.' }),
    force: Flags.boolean({ description: 'Succeed if the locale already exists.' }),
    ...remoteFlag,
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const dryRun = this.flags['dry-run'];
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    this.info(await describeTarget(project));
    const { added, locale } = await withAdministration(project, this.messages.warn, async ({ locales }) => {
      const validate = (code: string): Promise<Validity> =>
        validateWith(() => locales.add({ code, dryRun: true }));
      const question = textQuestion({ message: 'Code (fr, pt-BR)', isRequired: true, validate });
      return this.#add(locales, await this.promptIfMissing('<code>', this.args.code, question));
    });
    if (!dryRun && (added || this.flags.default)) remindOfExport(project, LOCALES_FILE, this.messages.info);
    const verb = added ? (dryRun ? 'Would add' : 'Added') : 'Already exists:';
    return {
      json: { ...locale, added, ...(dryRun ? { dryRun } : {}) },
      text: `${verb} ${locale.code}, ${locale.name}${locale.isDefault ? ', the default' : ''}`,
    };
  }

  async #add(
    locales: Administration['locales'],
    code: string,
  ): Promise<{ readonly added: boolean; readonly locale: LocaleRecord }> {
    const { name } = this.flags;
    const input = { code, isDefault: this.flags.default, ...(name === undefined ? {} : { name }) };
    const existing = (await locales.list({})).find(
      (locale) => locale.code.toLowerCase() === code.toLowerCase(),
    );
    if (existing !== undefined && name !== undefined && existing.name !== name)
      this.warn(`${existing.code} keeps its name, ${existing.name}.`);
    if (this.flags.force && existing !== undefined && !this.flags.default)
      return { locale: existing, added: false };
    return {
      locale: await locales.add({ ...input, dryRun: this.flags['dry-run'] }),
      added: existing === undefined,
    };
  }
}
