import * as Args from '@oclif/core/args';
import { renameAttributeIn } from '../../scaffold/rename-attribute.js';
import { resolveAttribute } from '../../scaffold/resolve-name.js';
import { assertRenamable, renamesOf } from '../support/attribute-renames.js';
import type { Outcome } from '../support/outcome.js';
import { resolveHolder } from '../support/resolve-holder.js';
import { SchemaCommand } from '../support/schema-command.js';
import { schemaFlags } from '../support/schema-flags.js';

export default class FieldRename extends SchemaCommand<typeof FieldRename> {
  static override description = 'Rename an attribute and keep its data: the migration renames the column.';
  static override examples = ['<%= config.bin %> <%= command.id %> article title headline', '<%= config.bin %> <%= command.id %> article title headline --dry-run'];
  static override args = {
    uid: Args.string({ required: true, description: 'The type: api::article.article, or article.' }),
    old: Args.string({ required: true, description: 'Its name now.' }),
    new: Args.string({ required: true, description: 'Its name from now on.' }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { uid: 'type', old: 'field' } as const;

  async run(): Promise<Outcome> {
    const change = await this.openEdits();
    const holder = resolveHolder(change.edits.definitions, this.args.uid);
    const from = resolveAttribute(holder, this.args.old);
    const to = this.args.new;
    assertRenamable(change.project.model, holder.uid, from);
    await renameAttributeIn(change.edits, holder, from, to);
    return change.commit({
      label: `rename ${from} to ${to} in ${holder.uid.split('.').at(-1) ?? ''}`,
      json: { uid: holder.uid, from, to },
      text: `${holder.uid} ${to}`,
      renames: (before, after) => renamesOf(before, after, { uid: holder.uid, from, to }),
    });
  }
}
