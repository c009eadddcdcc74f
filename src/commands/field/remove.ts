import * as Args from '@oclif/core/args';
import { removeAttributeFrom } from '../../scaffold/remove.js';
import { resolveAttribute } from '../../scaffold/resolve-name.js';
import type { Outcome } from '../support/outcome.js';
import { resolveHolder } from '../support/resolve-holder.js';
import { SchemaCommand } from '../support/schema-command.js';
import { schemaFlags } from '../support/schema-flags.js';

export default class FieldRemove extends SchemaCommand<typeof FieldRemove> {
  static override description = 'Remove an attribute; of a two-sided relation, both sides. Values are only removed with --accept-data-loss.';
  static override examples = ['<%= config.bin %> <%= command.id %> article subtitle --dry-run', '<%= config.bin %> <%= command.id %> article subtitle --accept-data-loss'];
  static override args = {
    uid: Args.string({ required: true, description: 'The type (article) or component (shared.seo).' }),
    name: Args.string({ required: true, description: 'The attribute.' }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { uid: 'type', name: 'field' } as const;

  async run(): Promise<Outcome> {
    const change = await this.openEdits();
    const holder = resolveHolder(change.edits.definitions, this.args.uid);
    const name = resolveAttribute(holder, this.args.name);
    const others = (await removeAttributeFrom(change.edits, holder, name)).map((other) => `${other.holder.uid} ${other.attribute}`);
    for (const other of others) this.info(`Its other side goes too: ${other}`);
    const label = `remove ${name} from ${holder.uid.split('.').at(-1) ?? ''}`;
    return change.commit({ label, json: { uid: holder.uid, attribute: name, otherSides: others }, text: `${holder.uid} ${name}` });
  }
}
