import { resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { backupName, warnOfGit } from '../project/archives/backups.js';
import { ARCHIVE_FORMS, exportContent, planExport } from '../project/archives/export-content.js';
import type { ExportOptions } from '../project/archives/export-content.js';
import { openProject } from '../project/open/open-project.js';
import type { Project } from '../project/open/open-project.js';
import { dryRunFlag, commaSeparated } from '../cli/flags.js';
import { BaseCommand } from '../cli/base-command.js';
import { openRemote, remoteFlag } from '../cli/project/command-target.js';
import { readNewKey } from '../cli/import/open-import-source.js';
import { printExport } from '../cli/import/describe-import.js';
import { toContentSelection } from '../cli/import/import-flags.js';
import type { Outcome } from '../cli/outcome.js';
import { secretFlags } from '../cli/prompts/secret.js';
import { writeUntilStopped } from '../cli/terminal/signals.js';
import { createError } from '../errors/catalogue.js';
import { fetchArchive, toArchiveParts } from '../transfer/remote/archives.js';
import { verifyFetchedArchive } from '../transfer/archive/manifest.js';
import { IMPORT_PARTS } from '../transfer/source.js';
import type { ContentSelection } from '../transfer/source.js';

const parts = {
  ...commaSeparated,
  options: [...IMPORT_PARTS],
} as const;

export default class Export extends BaseCommand<typeof Export> {
  static override summary = 'Export content to an archive.';
  static override description =
    'cms import reads the archive into any database. It contains the schema files, content in all ' +
    'versions and locales, files, users with password hashes, roles, permissions and settings. It ' +
    'does not contain secrets or API tokens. With --format strapi, strapi import reads the archive in ' +
    'a project with the same content-types. This format omits permissions of attributes.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> site.tar.gz',
    '<%= config.bin %> <%= command.id %> articles.tar.gz --type article --only content',
    '<%= config.bin %> <%= command.id %> --format strapi --no-compress --exclude files',
    '<%= config.bin %> <%= command.id %> --type article --dry-run',
  ];
  static override args = {
    file: Args.string({
      description: 'File to write. [default: export_<time>.tar, .gz if compressed, .enc if encrypted]',
    }),
  };
  static override flags = {
    format: Flags.string({
      options: [...ARCHIVE_FORMS],
      default: 'galley',
      description: 'Format of the archive.',
    }),
    to: Flags.string({ description: 'File to write; same as the argument FILE.', helpValue: '<file>' }),
    ...secretFlags('key', 'Encrypt the archive with this key.'),
    compress: Flags.boolean({ allowNo: true, default: true, description: 'Compress the archive.' }),
    only: Flags.string({
      ...parts,
      description: 'Export only these parts: content, files (media library), config (settings).',
      exclusive: ['exclude'],
    }),
    exclude: Flags.string({ ...parts, description: 'Export all parts but these.' }),
    type: Flags.string({
      ...commaSeparated,
      description: 'Export only documents of this content-type. May be repeated.',
      helpValue: '<uid>',
      exclusive: ['exclude-type'],
    }),
    'exclude-type': Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      description: 'Export no documents of this content-type. May be repeated.',
      helpValue: '<uid>',
    }),
    ...remoteFlag,
    ...dryRunFlag,
  };
  static override completion = { file: 'path', to: 'path', type: 'type', 'exclude-type': 'type' } as const;

  async run(): Promise<Outcome> {
    const { flags, terminal, prompter } = this;
    const project = await openProject(this.projectRoot);
    const packing = {
      isCompressed: flags.compress,
      key: await readNewKey({ terminal, prompter, flags }),
    };
    const path = resolve(terminal.cwd, this.args.file ?? flags.to ?? backupName(packing, 'export'));
    const options = { ...this.#selection(project), ...packing };
    if (flags.remote !== undefined) return this.#fetch(flags.remote, path, options);
    if (flags['dry-run']) return this.#plan(project, path, options);
    const written = await this.progress('Exporting', ({ update }) =>
      writeUntilStopped('The export', (signal) =>
        exportContent(project, path, { ...options, signal }, update),
      ),
    );
    await warnOfGit(project.root, path, this.messages.warn);
    return { json: { path, ...written }, text: path };
  }

  async #plan(project: Project, path: string, options: ExportOptions): Promise<Outcome> {
    const plan = await this.progress('Counting', ({ update }) =>
      writeUntilStopped('The count', (signal) => planExport(project, { ...options, signal }, update)),
    );
    const text = `Would write ${path}\n\n${printExport(plan, this.style)}`;
    return { json: { path, ...plan, dryRun: true }, text };
  }

  async #fetch(
    name: string,
    path: string,
    { form, key, isCompressed, ...selected }: ExportOptions,
  ): Promise<Outcome> {
    if (this.flags['dry-run'])
      throw createError('cli/invalid-usage', {
        reason: 'A dry run cannot count the content of an archive that a remote server creates.',
        remedy: `Omit --dry-run, or count with: cms content list TYPE --format count --remote ${name}`,
      });
    if (form !== 'galley' || key !== null || !isCompressed)
      throw createError('cli/invalid-usage', {
        reason: 'Remote servers export one format: archives of Galley, compressed and not encrypted.',
        remedy: 'Omit --format, --key and --no-compress.',
      });
    const access = await openRemote(this.projectRoot, name, this.messages);
    await this.progress(`Fetching from ${name}`, ({ update }) =>
      fetchArchive(access, toArchiveParts(selected), {
        path,
        onProgress: update,
        verify: verifyFetchedArchive,
      }),
    );
    await warnOfGit(this.projectRoot, path, this.messages.warn);
    return { json: { path, remote: name }, text: path };
  }

  #selection({ model }: Project): Pick<ExportOptions, 'form' | keyof ContentSelection> {
    const { format, ...flags } = this.flags;
    if ((flags.type ?? flags['exclude-type']) !== undefined && format === 'strapi')
      throw createError('cli/invalid-usage', {
        reason: 'Archives for Strapi contain all content-types.',
        remedy: 'Omit --type, --exclude-type or --format.',
      });
    return { form: format === 'strapi' ? format : 'galley', ...toContentSelection(flags, model) };
  }
}
