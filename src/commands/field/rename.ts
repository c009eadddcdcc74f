import * as Args from '@oclif/core/args';
import { lastSegment } from '../../lib/uid.js';
import { renameAttributeIn } from '../../scaffold/rename-attribute.js';
import { resolveAttribute, resolveSchema } from '../../scaffold/resolve-name.js';
import { assertRenamable, databaseRenames } from '../../cli/schema/attribute-renames.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { schemaFlags } from '../../cli/arguments/flags.js';

export default class FieldRename extends SchemaCommand<typeof FieldRename> {
  static override description = 'Rename an attribute and keep its data: the migration renames the column.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article title headline',
    '<%= config.bin %> <%= command.id %> article title headline --dry-run',
  ];
  static override args = {
    uid: Args.string({ required: true, description: 'The type: api::article.article, or article.' }),
    old: Args.string({ required: true, description: 'The current name.' }),
    new: Args.string({ required: true, description: 'The new name.' }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { uid: 'type', old: 'field' } as const;

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const schema = resolveSchema(session.edits.definitions, this.args.uid);
    const from = resolveAttribute(schema, this.args.old);
    const to = this.args.new;
    assertRenamable(session.project.model, schema.uid, from);
    await renameAttributeIn(session.edits, schema, from, to);
    return session.commit({
      label: `rename ${from} to ${to} in ${lastSegment(schema.uid)}`,
      json: { uid: schema.uid, from, to },
      text: `${schema.uid} ${to}`,
      renames: (before, after) => databaseRenames(before, after, { uid: schema.uid, from, to }),
    });
  }
}
