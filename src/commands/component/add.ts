import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { addComponent, addTypes } from '../../project/scaffold/add-schema.js';
import { chooseComponent } from '../../cli/schema/choose-attributes.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { attributeFlag, schemaFlags } from '../../cli/flags.js';

export default class ComponentAdd extends SchemaCommand<typeof ComponentAdd> {
  static override summary = 'Create a component: a group of attributes for several content-types.';
  static override description = 'Prompts for missing values.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> shared.seo --attribute 'metaTitle:string:required,maxLength=60' " +
      "--attribute 'metaDescription:text'",
    '<%= config.bin %> <%= command.id %>',
  ];
  static override args = { name: Args.string({ description: 'Category and name: shared.seo.' }) };
  static override flags = {
    'display-name': Flags.string({ description: 'Display name.' }),
    description: Flags.string({ description: 'Description of the component.' }),
    ...attributeFlag,
    ...schemaFlags,
  };

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const { uid, attributes, newTypes } = await this.ask((wizard) =>
      chooseComponent(wizard, session, { uid: this.args.name, shorthands: this.flags.attribute }),
    );
    const file = await addComponent(await addTypes(session.edits, newTypes), {
      uid,
      displayName: this.flags['display-name'],
      description: this.flags.description,
      attributes,
    });
    return session.commit({ label: `add ${uid}`, json: { uid, file }, text: uid });
  }
}
