import * as Flags from '@oclif/core/flags';
import { suggestIndexes } from '../../project/read-advice/suggest-indexes.js';
import { schemaFlags } from '../../cli/flags.js';
import { addIndexes, printAdvice, suggestedIndexes } from '../../cli/schema/indexes.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';

export default class IndexSuggest extends SchemaCommand<typeof IndexSuggest> {
  static override summary = 'List what the API reads, and the indexes that would make it faster.';
  static override description =
    'cms start counts the reads by what they filter and sort by. Each index is tried out on a copy of the ' +
    'tables that it concerns, so that neither the schema nor anybody who writes is touched. ' +
    'A copy takes as much room as the table, for as long as the command runs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --apply',
  ];
  static override flags = {
    ...schemaFlags,
    apply: Flags.boolean({ description: 'Declare the suggested indexes.' }),
  };

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const reads = await this.progress('Trying out indexes', () => suggestIndexes(session.project));
    const indexes = suggestedIndexes(reads);
    const text = this.spellCommands(printAdvice(reads));
    if (!this.flags.apply || indexes.length === 0) return { json: { reads, declared: [] }, text };
    return addIndexes(session, { indexes, json: { reads, declared: indexes } });
  }
}
