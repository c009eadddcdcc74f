import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { GENERATED, openProject } from '../../project/open/open-project.js';
import { BaseCommand } from '../../cli/base-command.js';
import type { Outcome } from '../../cli/outcome.js';
import { writeEmptyMigration } from '../../migrations/files/migration-draft.js';

export default class MigrateNew extends BaseCommand<typeof MigrateNew> {
  static override summary = 'Create an empty migration to write by hand.';
  static override description =
    'Write SQL in migration.sql and code in migrate.ts. Nothing is migrated until you delete the line ' +
    '"-- draft" from its migration.sql.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "split names"',
    '<%= config.bin %> <%= command.id %> "fill slugs" --sql-only',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Purpose of the migration, which becomes its name.' }),
  };
  static override flags = {
    'sql-only': Flags.boolean({ description: 'Omit migrate.ts.', default: false }),
  };

  async run(): Promise<Outcome> {
    const { paths, dialect } = await openProject(this.projectRoot);
    const name = await writeEmptyMigration({
      folder: paths.migrations,
      label: this.args.name,
      provider: dialect.schema.provider,
      hasCode: !this.flags['sql-only'],
    });
    this.info('Write it, delete the line "-- draft" from its migration.sql, then run: cms migrate');
    return { json: { migration: name }, text: `${GENERATED.migrations}/${name}` };
  }
}
