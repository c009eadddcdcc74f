import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { addComponent } from '../../scaffold/add-component.js';
import { parseComponentName } from '../../scaffold/type-names.js';
import { chooseComponentAttributes } from '../support/new-attributes.js';
import type { Outcome } from '../support/outcome.js';
import { SchemaCommand } from '../support/schema-command.js';
import { attributeFlag, schemaFlags } from '../support/schema-flags.js';

export default class ComponentAdd extends SchemaCommand<typeof ComponentAdd> {
  static override description = 'Make a component: a group of attributes for several content-types. Asks for what is not said.';
  static override examples = [
    "<%= config.bin %> <%= command.id %> shared.seo --attribute 'metaTitle:string:required,maxLength=60' --attribute 'metaDescription:text'",
    '<%= config.bin %> <%= command.id %>',
  ];
  static override args = { name: Args.string({ description: 'Category and name: shared.seo.' }) };
  static override flags = {
    'display-name': Flags.string({ description: 'The name people read.' }),
    description: Flags.string({ description: 'What it is for.' }),
    ...attributeFlag,
    ...schemaFlags,
  };

  async run(): Promise<Outcome> {
    const change = await this.openEdits();
    const uid = await this.promptOr('<name>', this.args.name, (prompts, screen) => prompts.input({ message: 'Category and name (shared.seo)' }, screen));
    const { name } = parseComponentName(uid);
    const asking = { terminal: this.terminal, canPrompt: this.canPrompt, edits: change.edits, info: (text: string) => this.info(text) };
    const attributes = await chooseComponentAttributes(asking, { uid, name }, this.flags.attribute);
    const file = await addComponent(change.edits, { uid, displayName: this.flags['display-name'], description: this.flags.description, attributes });
    return change.commit({ label: `add ${uid}`, json: { uid, file }, text: uid });
  }
}
