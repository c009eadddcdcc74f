import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { AccessContext, LocaleRecord } from '../../access/access.js';
import { addLocale, listLocales } from '../../access/locales.js';
import { openProject } from '../../project/open/open-project.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { BaseCommand } from '../../cli/base-command.js';
import { dryRunFlag } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { textQuestion, validateWith } from '../../cli/prompts/prompt.js';
import type { Validity } from '../../cli/prompts/prompt.js';
import { describeTarget } from '../../cli/project/command-target.js';
import { withAccess } from '../../project/open/open-database.js';

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
    ...dryRunFlag,
  };

  async run(): Promise<Outcome> {
    const dryRun = this.flags['dry-run'];
    const project = await openProject(this.projectRoot);
    this.info(await describeTarget(project));
    const { added, locale } = await withAccess(project, async (access) => {
      const validate = (code: string): Promise<Validity> =>
        validateWith(() => addLocale(access, { code }, { dryRun: true }));
      const question = textQuestion({ message: 'Code (fr, pt-BR)', isRequired: true, validate });
      return this.#add(access, await this.promptIfMissing('<code>', this.args.code, question));
    });
    const verb = added ? (dryRun ? 'Would add' : 'Added') : 'Already exists:';
    return {
      json: { ...locale, added, ...(dryRun ? { dryRun } : {}) },
      text: `${verb} ${locale.code}, ${locale.name}${locale.isDefault ? ', the default' : ''}`,
    };
  }

  async #add(
    access: AccessContext,
    code: string,
  ): Promise<{ readonly added: boolean; readonly locale: LocaleRecord }> {
    const { name } = this.flags;
    const input = { code, isDefault: this.flags.default, ...(name === undefined ? {} : { name }) };
    const existing = (await listLocales(access)).find(
      (locale) => locale.code.toLowerCase() === code.toLowerCase(),
    );
    if (existing !== undefined && name !== undefined && existing.name !== name)
      this.warn(`${existing.code} keeps its name, ${existing.name}.`);
    try {
      return {
        locale: await addLocale(access, input, { dryRun: this.flags['dry-run'] }),
        added: existing === undefined,
      };
    } catch (error) {
      if (
        !this.flags.force ||
        existing === undefined ||
        !isGalleyError(error) ||
        error.code !== 'access/locale-exists'
      )
        throw error;
      return { locale: existing, added: false };
    }
  }
}
