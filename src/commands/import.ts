import { resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import { checkStrapiProject } from '../app/check-strapi-project.js';
import { importContent } from '../app/import-content.js';
import { openProject } from '../app/open-project.js';
import { writeSchemaFiles } from '../app/write-schema-files.js';
import { BaseCommand } from '../cli/base-command.js';
import { importLosses, printImport } from '../cli/import/describe-import.js';
import { importFlags, toImportOptions } from '../cli/import/import-flags.js';
import { openImportSource } from '../cli/import/open-import-source.js';
import { describeCheck } from '../cli/strapi/describe-check.js';
import type { Outcome } from '../cli/outcome.js';
import { describeTarget } from '../cli/project/describe-target.js';
import { messageOf } from '../lib/source-location.js';
import type { StrapiSource } from '../transfer/strapi/source.js';

export default class Import extends BaseCommand<typeof Import> {
  static override summary = 'Import the content of a Strapi 5 project.';
  static override description =
    'Reads what strapi export has written: an archive, compressed or encrypted or neither, or a folder; or ' +
    'a live database of Strapi, SQLite or PostgreSQL, which also has the API tokens. ' +
    'Says what the import does and asks before it writes. An import that was interrupted goes on when it ' +
    'is run again. With --check, says what of a Strapi project would run here, and copies nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> export.tar.gz --dry-run',
    '<%= config.bin %> <%= command.id %> shop --check',
    '<%= config.bin %> <%= command.id %> export.tar.gz --schemas --yes',
    '<%= config.bin %> <%= command.id %> export.tar.gz --type article --existing skip --json --yes',
  ];
  static override args = {
    file: Args.string({ description: 'The archive or the folder; with --check, the Strapi project.' }),
  };
  static override flags = importFlags;
  static override completion = { type: 'type' } as const;

  async run(): Promise<Outcome> {
    const { flags, terminal, prompter } = this;
    if (flags.check)
      return describeCheck(await checkStrapiProject(resolve(terminal.cwd, this.args.file ?? '')), this.style);
    const source = await openImportSource(this.args.file, { terminal, prompter, flags }, this.projectRoot);
    try {
      const isDryRun = flags['dry-run'];
      const schemas = flags.schemas ? await this.#writeSchemas(source, isDryRun) : [];
      if (isDryRun && schemas.length > 0)
        return { json: { schemas, dryRun: true }, text: `Would write first:\n${schemas.join('\n')}` };
      return await this.#import(source);
    } finally {
      await source.close();
    }
  }

  async #writeSchemas(source: StrapiSource, isDryRun: boolean): Promise<readonly string[]> {
    if (!isDryRun) await this.confirm('Write the schema files that are missing, and migrate?');
    const paths = await writeSchemaFiles(this.projectRoot, source, { isDryRun });
    if (!isDryRun && paths.length > 0) this.info(`Wrote ${paths.length} schema files and migrated.`);
    return paths;
  }

  async #import(source: StrapiSource): Promise<Outcome> {
    const { flags, terminal } = this;
    const project = await openProject(this.projectRoot);
    const options = toImportOptions(flags, project.model);
    const onError = (error: unknown): unknown => this.warn(messageOf(error));
    const request = { source, options, restarts: flags.restart, onError };
    return importContent(project, request, async ({ plan, run }) => {
      const outcome = { json: { ...plan, dryRun: flags['dry-run'] }, text: printImport(plan, this.style) };
      if (flags['dry-run']) return outcome;
      this.info(await describeTarget(project));
      if (this.canPrompt) this.info(printImport(plan, this.styleOn(terminal.stderr)));
      await this.confirmDataLoss(importLosses(plan));
      await this.confirm('Import this?');
      await this.progress('Importing', (progress) => run(progress.update));
      return this.canPrompt ? { json: outcome.json } : outcome;
    });
  }
}
