import * as Args from '@oclif/core/args';
import { removeType } from '../../scaffold/remove.js';
import { resolveType } from '../../scaffold/resolve-name.js';
import type { Outcome } from '../support/outcome.js';
import { SchemaCommand } from '../support/schema-command.js';
import { schemaFlags } from '../support/schema-flags.js';

export default class TypeRemove extends SchemaCommand<typeof TypeRemove> {
  static override description = 'Remove a content-type, and the relations to it. Documents are only removed with --accept-data-loss.';
  static override examples = ['<%= config.bin %> <%= command.id %> article --dry-run', '<%= config.bin %> <%= command.id %> article --accept-data-loss'];
  static override args = { uid: Args.string({ required: true, description: 'The type: api::article.article, or article.' }) };
  static override flags = { ...schemaFlags };
  static override completion = { uid: 'type' } as const;

  async run(): Promise<Outcome> {
    const change = await this.openEdits();
    const type = resolveType(change.edits.definitions.types, this.args.uid);
    const relations = (await removeType(change.edits, type)).map(({ holder, attribute }) => `${holder.uid} ${attribute}`);
    for (const relation of relations) this.info(`The relation ${relation} goes too.`);
    return change.commit({ label: `remove ${type.singularName}`, json: { uid: type.uid, relations }, text: type.uid });
  }
}
