import * as Flags from '@oclif/core/flags';
import { openChecks } from '../../cli/administration.js';
import { remoteFlag } from '../../cli/project/command-target.js';
import { schemaFlags } from '../../cli/flags.js';
import { addIndexes, printAdvice, suggestedIndexes } from '../../cli/schema/indexes.js';
import type { Outcome } from '../../cli/outcome.js';
import { SchemaCommand } from '../../cli/schema/schema-command.js';

export default class IndexSuggest extends SchemaCommand<typeof IndexSuggest> {
  static override summary = 'List the reads of the API and suggest indexes that make them faster.';
  static override description =
    'cms start counts reads by the attributes they filter and sort by. Each index is tested on a copy ' +
    'of its tables, so the schema does not change and writers are not blocked. A copy uses as much ' +
    'disk space as the table while the command runs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --apply',
  ];
  static override flags = {
    ...schemaFlags,
    apply: Flags.boolean({ description: 'Declare the suggested indexes in this project.' }),
    ...remoteFlag,
  };

  async run(): Promise<Outcome> {
    const session = await this.openSchemaEdits();
    const checks = await openChecks(this.projectRoot, this.flags, this.messages);
    const reads = await this.progress('Testing indexes', () => checks.suggestIndexes({}));
    const indexes = suggestedIndexes(reads);
    const text = this.spellCommands(printAdvice(reads));
    if (!this.flags.apply || indexes.length === 0) return { json: { reads, declared: [] }, text };
    return addIndexes(session, { indexes, json: { reads, declared: indexes } });
  }
}
