import * as Flags from '@oclif/core/flags';
import { dryRunFlag } from '../../cli/flags.js';
import { BaseCommand } from '../../cli/base-command.js';
import { describeTarget, openContentProject, remoteFlag } from '../../cli/project/command-target.js';
import { editDocument } from '../../cli/content/edit-document.js';
import type { EditedDocument } from '../../cli/content/edit-document.js';
import { printField } from '../../cli/content/content-files.js';
import { documentArguments } from '../../cli/content/find-document.js';
import type { Outcome } from '../../cli/outcome.js';
import { requireLocale } from '../../documents/write/write-params.js';
import type { ContentType } from '../../model/model.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';

export default class ContentEdit extends BaseCommand<typeof ContentEdit> {
  static override summary = 'Edit the draft of a document in a text editor.';
  static override description =
    'Opens $VISUAL or $EDITOR with the document as Markdown with front matter, or as YAML. If a value ' +
    'is invalid, or others have changed it meanwhile, marks that in the file. Keeps the file until it is ' +
    'saved.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article notes-on-rye',
    '<%= config.bin %> <%= command.id %> article notes-on-rye --dry-run',
  ];
  static override args = documentArguments;
  static override flags = {
    locale: Flags.string({ description: 'Locale to edit. [default: the default locale]' }),
    publish: Flags.boolean({ description: 'Publish the document after validating it.' }),
    overwrite: Flags.boolean({ description: 'Overwrite changes made by others in the meantime.' }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { args, flags, terminal, prompter } = this;
    const project = await openContentProject(this.projectRoot, flags, this.messages);
    const type = requireLocale(resolveType(project.model.types, args.type), flags.locale);
    this.info(await describeTarget(project));
    const isDryRun = flags['dry-run'];
    const edited = await editDocument(
      project,
      {
        type,
        document: args.document,
        locale: flags.locale,
        publishes: flags.publish,
        overwrites: flags.overwrite,
        isDryRun,
      },
      { terminal, prompter, ...this.messages },
    );
    if (edited === null) this.info('Nothing was changed.');
    if (isDryRun) return this.#planned(type, edited);
    return {
      json: { action: 'edit', type: type.uid, document: edited?.document ?? null },
      text: edited?.documentId ?? '',
    };
  }

  #planned({ uid }: ContentType, edited: EditedDocument | null): Outcome {
    const { locale, publish } = this.flags;
    const fields = edited?.fields ?? [];
    if (edited !== null) {
      const suffix = `${locale === undefined ? '' : ` in ${locale}`}${publish ? ' and publish it' : ''}`;
      this.info(`Would update ${uid} ${edited.documentId}${suffix}. All checks have passed.`);
      this.info(`Your text is kept in ${edited.file}. The next edit continues with it.`);
    }
    return {
      json: { action: 'edit', type: uid, document: edited?.document ?? null, fields, dryRun: true },
      text: fields.map(printField).join('\n'),
    };
  }
}
