import * as Args from '@oclif/core/args';
import { removeType } from '../../project/scaffold/remove-schema.js';
import { resolveType } from '../../project/scaffold/resolve-name.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';
import { schemaFlags } from '../../cli/flags.js';

export default class TypeRemove extends SchemaCommand<typeof TypeRemove> {
  static override summary = 'Remove a content-type and the relations to it.';
  static override description = 'Removes documents only with --accept-data-loss.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> article --dry-run',
    '<%= config.bin %> <%= command.id %> article --accept-data-loss',
  ];
  static override args = {
    type: Args.string({
      required: true,
      description: 'Content-type, such as article or api::article.article.',
    }),
  };
  static override flags = { ...schemaFlags };
  static override completion = { type: 'type' } as const;

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const type = resolveType(session.edits.definitions.types, this.args.type);
    const relations = (await removeType(session.edits, type)).map(
      ({ schema, attribute }) => `${schema.uid} ${attribute}`,
    );
    for (const relation of relations) this.info(`Also removes the relation ${relation}.`);
    return session.commit({
      label: `remove ${type.singularName}`,
      json: { uid: type.uid, relations },
      text: type.uid,
    });
  }
}
