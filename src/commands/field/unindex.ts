import * as Args from '@oclif/core/args';
import { schemaFlags } from '../../cli/flags.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { setIndex } from '../../cli/schema/indexes.js';

export default class FieldUnindex extends SchemaCommand<typeof FieldUnindex> {
  static override description = 'Remove the index of an attribute.';
  static override examples = ['<%= config.bin %> <%= command.id %> article title'];
  static override args = {
    type: Args.string({ required: true, description: 'Content-type, such as article.' }),
    name: Args.string({ required: true, description: 'Name of the attribute.' }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { type: 'type', name: 'field' } as const;

  async run(): Promise<Outcome> {
    const { type, name } = this.args;
    return setIndex(await this.openSchemaEdits(), {
      uid: type,
      attribute: name,
      option: 'index',
      isSet: false,
    });
  }
}
