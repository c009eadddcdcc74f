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
  static override description =
    'Change the options of a content-type. What that does to its documents is told first. ' +
    'Asks what to change where no flag says it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article --draft-publish --localized',
    '<%= config.bin %> <%= command.id %> article --display-name "Blog post" --plural posts',
    '<%= config.bin %> <%= command.id %> article --no-draft-publish --dry-run',
  ];
  static override args = {
    type: Args.string({ required: true, description: 'The type: api::article.article, or article.' }),
  };
  static override flags = {
    'display-name': Flags.string({ description: 'The display name.' }),
    description: Flags.string({ description: 'The description.' }),
    plural: Flags.string({ description: 'The plural, which is part of the URL.' }),
    kind: Flags.option({
      options: ['collection', 'single'] as const,
      description: 'Many documents, or a single one.',
    })(),
    'draft-publish': Flags.boolean({
      allowNo: true,
      description: 'Enable drafts, which are published separately.',
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
        'Its attributes stay the same in all locales until each is changed, for instance: ' +
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
