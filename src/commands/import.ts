import { resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import { assertStrapi5, checkStrapiProject } from '../project/scaffold/strapi-project.js';
import { importContent } from '../project/archives/import-content.js';
import { openProject } from '../project/open/open-project.js';
import { BaseCommand } from '../cli/base-command.js';
import { describeTarget, openContentProject, openRemote, remoteFlag } from '../cli/project/command-target.js';
import { describeCheck, importLosses, printImport } from '../cli/import/describe-import.js';
import { assertFlagsApply, findTable, importFlags, toImportOptions } from '../cli/import/import-flags.js';
import type { TableFile, TableFlagValues } from '../cli/import/import-flags.js';
import { hasDatabase, openImportSource } from '../cli/import/open-import-source.js';
import { importOnRemote, runPlanned, writeMissingSchemas } from '../cli/import/run-import.js';
import { applyMapFile } from '../cli/import/map-file.js';
import { importTable } from '../cli/import/import-table.js';
import type { Outcome } from '../cli/outcome.js';
import { messageOf } from '../lib/caught-errors.js';
import { createError } from '../errors/catalogue.js';
import type { ImportPlan } from '../transfer/import/plan-import.js';
import { toArchiveParts } from '../transfer/remote/archives.js';
import type { ContentSource } from '../transfer/source.js';

export default class Import extends BaseCommand<typeof Import> {
  static override summary = 'Import content of a Galley or Strapi 5 project, or a table.';
  static override description =
    'Reads archives and folders written by cms export or strapi export; archives may be compressed ' +
    'and encrypted. Also reads a live Strapi database, SQLite or PostgreSQL, including its API ' +
    'tokens. Prints the plan and asks for confirmation before it writes. Run an interrupted import ' +
    'again to continue it. With --check, reports the parts of a Strapi project that run here, and ' +
    'copies nothing. A table is CSV, JSON Lines or a JSON array, in a file or on standard input. Its ' +
    'rows become documents of one --type. Rejected rows are written to a file. --save-map keeps the ' +
    'mapping of columns in a file, for --map-file.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> export.tar.gz --dry-run',
    '<%= config.bin %> <%= command.id %> shop --check',
    '<%= config.bin %> <%= command.id %> export.tar.gz --schemas --yes',
    '<%= config.bin %> <%= command.id %> export.tar.gz --type article --existing skip --json --yes',
    "<%= config.bin %> <%= command.id %> people.csv --type author --map 'Name=name' --dry-run",
    "<%= config.bin %> <%= command.id %> people.csv --type author --map 'Name=name' " +
      '--save-map people.map.yaml --yes',
    '<%= config.bin %> <%= command.id %> people.csv --map-file people.map.yaml --dry-run',
    '<%= config.bin %> <%= command.id %> people.jsonl --type author --key name --yes',
  ];
  static override args = {
    file: Args.string({
      description:
        'Archive, folder or table ("-" reads a table from stdin); with --check, the Strapi project.',
    }),
  };
  static override flags = { ...importFlags, ...remoteFlag };
  static override completion = {
    type: 'type',
    'exclude-type': 'type',
    file: 'path',
    locale: 'locale',
    rejected: 'path',
    'map-file': 'path',
    'save-map': 'path',
  } as const;

  async run(): Promise<Outcome> {
    const { flags, terminal, prompter } = this;
    if (flags.check) return this.#check(resolve(terminal.cwd, this.args.file ?? ''));
    const tableFlags = await applyMapFile(flags, terminal.cwd);
    const table = findTable(this.args.file, tableFlags);
    if (table !== null) {
      assertFlagsApply('table', tableFlags);
      return this.#importTable(table, tableFlags);
    }
    assertFlagsApply(hasDatabase(flags) ? 'database' : 'archive', flags);
    if (flags.remote !== undefined) return this.#importThere(flags.remote);
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

  async #importTable(table: TableFile, flags: TableFlagValues): Promise<Outcome> {
    const { terminal, style } = this;
    const project = await openContentProject(this.projectRoot, this.flags, this.messages);
    return importTable(project, table, {
      flags,
      terminal,
      style,
      info: (message) => this.info(message),
      warn: this.messages.warn,
      confirm: (question) => this.confirm(question),
      progress: (label, work) => this.progress(label, work),
    });
  }

  async #importThere(name: string): Promise<Outcome> {
    const { args, flags, terminal } = this;
    if (flags.schemas)
      throw createError('cli/invalid-usage', {
        reason: 'Schema files and migrations reach a remote server when the project is deployed.',
        remedy: 'Write them here with cms import FILE --schemas, deploy, and import without --schemas.',
      });
    if (args.file === undefined || hasDatabase(flags) || flags.key !== undefined)
      throw createError('cli/invalid-usage', {
        reason: 'Remote servers accept tables, and archive files that are compressed and not encrypted.',
        remedy: 'Name the file of an archive, and omit --key and --from-database.',
      });
    const { model } = await openProject(this.projectRoot, { command: this.command });
    const access = await openRemote(this.projectRoot, name, this.messages);
    const { existing, ...selected } = toImportOptions(flags, model);
    const path = resolve(terminal.cwd, args.file);
    const selection = { ...toArchiveParts(selected), existing, restarts: flags.restart };
    const send = (isDryRun: boolean): Promise<ImportPlan> =>
      this.progress(isDryRun ? `Contacting ${name}` : `Importing to ${name}`, ({ update }) =>
        importOnRemote(access, path, { ...selection, isDryRun, onProgress: update }),
      );
    const plan = await send(true);
    return this.#carryOut(plan, `Remote ${name}, ${access.url}`, () => send(false));
  }

  /** Prints the plan, asks for confirmation and runs it. */
  async #carryOut(plan: ImportPlan, target: string, run: () => Promise<unknown>): Promise<Outcome> {
    const { flags, terminal } = this;
    const outcome = { json: { ...plan, dryRun: flags['dry-run'] }, text: printImport(plan, this.style) };
    if (flags['dry-run']) return outcome;
    this.info(target);
    if (this.canPrompt) this.info(printImport(plan, this.styleOn(terminal.stderr)));
    await this.confirmDataLoss(importLosses(plan));
    await this.confirm('Import this?');
    await run();
    return this.canPrompt ? { json: outcome.json } : outcome;
  }

  async #check(folder: string): Promise<Outcome> {
    await assertStrapi5(folder);
    return describeCheck(await checkStrapiProject(folder), this.style);
  }

  #writeSchemas(source: ContentSource, isDryRun: boolean): Promise<readonly string[]> {
    return writeMissingSchemas(this.projectRoot, source, {
      isDryRun,
      confirm: (question) => this.confirm(question),
      info: (message) => this.info(message),
    });
  }

  async #import(source: ContentSource): Promise<Outcome> {
    const { flags } = this;
    const project = await openProject(this.projectRoot, { command: this.command });
    const options = toImportOptions(flags, project.model);
    const onError = (error: unknown): unknown => this.warn(messageOf(error));
    const request = { source, options, restarts: flags.restart, onError };
    return importContent(project, request, async ({ plan, run }) =>
      this.#carryOut(plan, await describeTarget(project), () =>
        this.progress('Importing', (progress) => runPlanned(run, progress)),
      ),
    );
  }
}
