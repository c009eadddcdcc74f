import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { schemaFlags } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { chooseTypeEdit } from '../../cli/schema/choose-type.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { editType } from '../../project/scaffold/edit-schema.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import { assertNotBuiltin } from '../../project/scaffold/schema-project.js';

export default class TypeEdit extends SchemaCommand<typeof TypeEdit> {
  static override summary = 'Change the options of a content-type.';
  static override description =
    'Shows the effect on documents before it applies the change. Prompts for options if no flag sets ' +
    'any.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article --draft-publish --localized',
    '<%= config.bin %> <%= command.id %> article --display-name "Blog post" --plural posts',
    '<%= config.bin %> <%= command.id %> article --no-draft-publish --dry-run',
  ];
  static override args = {
    type: Args.string({
      required: true,
      description: 'Content-type, such as article or api::article.article.',
    }),
  };
  static override flags = {
    'display-name': Flags.string({ description: 'Display name.' }),
    description: Flags.string({ description: 'Description of the content-type.' }),
    plural: Flags.string({ description: 'Plural name, which is part of the URL.' }),
    kind: Flags.option({
      options: ['collection', 'single'] as const,
      description: 'Kind: many documents (collection) or one document (single).',
    })(),
    'draft-publish': Flags.boolean({
      allowNo: true,
      description: 'Enable drafts that are published separately.',
    }),
    localized: Flags.boolean({ allowNo: true, description: 'Enable several locales.' }),
    ...schemaFlags,
  };
  static override completion = { type: 'type' } as const;

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const { type, edit } = await this.ask(async (wizard) => {
      const found = resolveType(session.edits.definitions.types, this.args.type);
      assertNotBuiltin(found);
      return { type: found, edit: await chooseTypeEdit(wizard, session, found, this.flags) };
    });
    await editType(session.edits, type, edit);
    const localizable = type.attributes.find(({ options }) => options['type'] !== 'relation');
    if (edit.localized === true && !type.localized)
      this.info(
        'Attributes have the same value in all locales until you localize each one, for example: ' +
          `cms field edit ${type.singularName} ${localizable?.name ?? 'NAME'} --localized`,
      );
    return session.commit({
      label: `edit ${type.singularName}`,
      json: { uid: type.uid },
      text: type.uid,
      formerNames: edit.pluralName === undefined ? [] : [type.pluralName],
    });
  }
}
