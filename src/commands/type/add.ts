import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { addType } from '../../project/scaffold/add-schema.js';
import { chooseType } from '../../cli/schema/choose-type.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { attributeFlag, schemaFlags } from '../../cli/flags.js';

export default class TypeAdd extends SchemaCommand<typeof TypeAdd> {
  static override summary = 'Create a content-type with its file, tables and API.';
  static override description = 'Prompts for missing values.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> article --draft-publish ' +
      "--attribute 'title:string:required,maxLength=120' --attribute 'slug:uid:targetField=title'",
    '<%= config.bin %> <%= command.id %> article --dry-run ' +
      "--attribute 'author:relation:manyToOne,target=author,inversedBy=articles'",
    '<%= config.bin %> <%= command.id %> --from schema.json',
  ];
  static override args = { name: Args.string({ description: 'Name: article, or "Blog Post".' }) };
  static override flags = {
    plural: Flags.string({
      description: 'Plural name, which is part of the URL. [default: derived from the name]',
    }),
    'display-name': Flags.string({ description: 'Display name.' }),
    description: Flags.string({ description: 'Description of the content-type.' }),
    kind: Flags.option({
      options: ['collection', 'single'] as const,
      description: 'Kind: many documents (collection) or one document (single).',
    })(),
    'draft-publish': Flags.boolean({
      allowNo: true,
      description: 'Enable drafts that are published separately.',
    }),
    localized: Flags.boolean({ allowNo: true, description: 'Enable several locales.' }),
    ...attributeFlag,
    from: Flags.string({
      description: 'Schema file to read the type from; "-" reads standard input.',
      helpValue: '<file|->',
    }),
    ...schemaFlags,
  };
  static override completion = { from: 'path' } as const;

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const { flags, terminal } = this;
    const { type, newTypes } = await this.ask((wizard) =>
      chooseType(flags.from === undefined ? wizard : null, session, this.args.name, { ...flags, terminal }),
    );
    const uid = await addType(session.edits, type, newTypes);
    return session.commit({ label: `add ${type.names.singularName}`, json: { uid }, text: uid });
  }
}
