import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { addComponent, assertComponentNameAvailable } from '../../scaffold/add-component.js';
import { validateWith } from '../../cli/prompts/validate-with.js';
import { parseComponentName } from '../../scaffold/type-names.js';
import { chooseComponentAttributes } from '../../cli/schema/choose-attributes.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { attributeFlag, schemaFlags } from '../../cli/arguments/flags.js';

export default class ComponentAdd extends SchemaCommand<typeof ComponentAdd> {
  static override description =
    'Create a component: a group of attributes for several content-types. Asks for missing values.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> shared.seo --attribute 'metaTitle:string:required,maxLength=60' " +
      "--attribute 'metaDescription:text'",
    '<%= config.bin %> <%= command.id %>',
  ];
  static override args = { name: Args.string({ description: 'Category and name: shared.seo.' }) };
  static override flags = {
    'display-name': Flags.string({ description: 'The display name.' }),
    description: Flags.string({ description: 'A description.' }),
    ...attributeFlag,
    ...schemaFlags,
  };

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const uid = await this.promptIfMissing('<name>', this.args.name, (prompts, screen) =>
      prompts.input(
        {
          message: 'Category and name (shared.seo)',
          validate: (text) => validateWith(() => assertComponentNameAvailable(session.edits, text)),
        },
        screen,
      ),
    );
    const { name } = parseComponentName(uid);
    const deps = {
      terminal: this.terminal,
      canPrompt: this.canPrompt,
      edits: session.edits,
    };
    const attributes = await chooseComponentAttributes(deps, { uid, name }, this.flags.attribute);
    const file = await addComponent(session.edits, {
      uid,
      displayName: this.flags['display-name'],
      description: this.flags.description,
      attributes,
    });
    return session.commit({ label: `add ${uid}`, json: { uid, file }, text: uid });
  }
}
