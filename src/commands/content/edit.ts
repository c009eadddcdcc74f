import * as Flags from '@oclif/core/flags';
import { openProject } from '../../app/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import { editDocument } from '../../cli/content/edit-document.js';
import { documentArguments } from '../../cli/content/resolve-document.js';
import type { Outcome } from '../../cli/outcome.js';
import { describeTarget } from '../../cli/project/describe-target.js';
import { resolveType } from '../../scaffold/resolve-name.js';

export default class ContentEdit extends BaseCommand<typeof ContentEdit> {
  static override description =
    'Edit the draft of a document in $VISUAL or $EDITOR, as Markdown with front matter or as YAML. ' +
    'What cannot be saved is marked in the text, which is kept until it is saved.';
  static override examples = ['<%= config.bin %> <%= command.id %> article notes-on-rye'];
  static override args = documentArguments;
  static override flags = {
    locale: Flags.string({ description: 'The locale to edit. [default: the default locale]' }),
    publish: Flags.boolean({ description: 'Publish what is written, after validating it.' }),
    overwrite: Flags.boolean({ description: 'Replace what somebody else has changed meanwhile.' }),
  };
  static override completion = { type: 'type', locale: 'locale' } as const;

  async run(): Promise<Outcome> {
    const { args, flags, terminal, prompter } = this;
    const project = await openProject(this.projectRoot);
    const type = resolveType(project.model.types, args.type);
    this.info(await describeTarget(project));
    const written = await editDocument(
      project,
      {
        type,
        document: args.document,
        locale: flags.locale,
        publishes: flags.publish,
        overwrites: flags.overwrite,
      },
      { terminal, prompter, info: (text) => this.info(text), warn: (text) => this.warn(text) },
    );
    if (written === null) this.info('Nothing was changed.');
    return {
      json: { action: 'edit', type: type.uid, document: written?.document ?? null },
      text: written?.documentId ?? '',
    };
  }
}
