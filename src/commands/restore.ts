import { dirname, join, resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import {
  backupName,
  backupProject,
  countServers,
  openBackup,
  warnOfGit,
} from '../project/archives/backups.js';
import type { CopiedDatabase, OpenBackup } from '../project/archives/backups.js';
import { importContent } from '../project/archives/import-content.js';
import type { ImportRequest } from '../project/archives/import-content.js';
import { openProject } from '../project/open/open-project.js';
import type { Project } from '../project/open/open-project.js';
import { acceptDataLossFlag, dryRunFlag } from '../cli/flags.js';
import { BaseCommand } from '../cli/base-command.js';
import { importLosses, printImport } from '../cli/import/describe-import.js';
import { readArchiveKey } from '../cli/import/open-import-source.js';
import { runPlanned } from '../cli/import/run-import.js';
import type { Outcome } from '../cli/outcome.js';
import { describeTarget } from '../cli/project/command-target.js';
import { secretFlags } from '../cli/prompts/secret.js';
import { createError } from '../errors/catalogue.js';
import { messageOf } from '../lib/caught-errors.js';
import { IMPORT_PARTS } from '../transfer/source.js';
import type { ContentSource } from '../transfer/source.js';

export default class Restore extends BaseCommand<typeof Restore> {
  static override summary = 'Put a backup in the place of the database.';
  static override description =
    'Takes what cms backup or cms export has written, and asks before it replaces what the database holds. ' +
    'The present state is backed up beside the file first. A copy of a SQLite database takes its place as ' +
    'a whole or not at all, also while servers run; content is imported into an emptied database, and a ' +
    'restore that was interrupted goes on when it is run again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> backup.tar.gz --dry-run',
    '<%= config.bin %> <%= command.id %> backup.tar.gz --yes',
  ];
  static override args = { file: Args.string({ required: true, description: 'The backup.' }) };
  static override flags = {
    ...secretFlags('key', 'Key of an encrypted backup.'),
    'keep-present': Flags.boolean({
      allowNo: true,
      default: true,
      description: 'Back up the present state first, beside the file.',
    }),
    force: Flags.boolean({ description: 'Go ahead while servers use the database.' }),
    ...acceptDataLossFlag,
    ...dryRunFlag,
  };
  static override completion = { file: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags, terminal, prompter } = this;
    const project = await openProject(this.projectRoot);
    const path = resolve(terminal.cwd, args.file);
    const backup = await openBackup(project, path, () => readArchiveKey({ terminal, prompter, flags }));
    try {
      const servers = await countServers(project);
      if (!flags['dry-run'] && servers !== null && servers > 0 && !flags.force)
        throw createError('transfer/servers-running', { count: servers });
      this.info(`${await describeTarget(project)}\nBackup of ${backup.createdAt}`);
      if (flags['dry-run']) return await this.#describe(project, backup, path);
      const kept = await this.#restore(project, backup, dirname(path));
      return { json: { restored: path, kept }, text: kept === null ? '' : `What was there before: ${kept}` };
    } finally {
      await backup.close();
    }
  }

  async #describe(project: Project, { held, createdAt }: OpenBackup, path: string): Promise<Outcome> {
    const json = { path, createdAt, dryRun: true };
    if ('restore' in held)
      return {
        json,
        text: 'Would replace the whole database, and put files back that are missing or differ.',
      };
    return importContent(project, this.#request(held), ({ plan }) =>
      Promise.resolve({
        json: { ...json, ...plan },
        text: `${printImport(plan, this.style)}\n\nWould delete all content and put this in its place.`,
      }),
    );
  }

  #request(source: ContentSource): ImportRequest {
    return {
      source,
      options: { parts: new Set(IMPORT_PARTS), types: null, existing: 'clear' },
      restarts: false,
      onError: (error) => this.warn(messageOf(error)),
    };
  }

  async #restore(project: Project, { held }: OpenBackup, folder: string): Promise<string | null> {
    if ('restore' in held) return this.#replaceDatabase(project, held, folder);
    return this.#importAnew(project, held, folder);
  }

  async #keepPresent(project: Project, folder: string): Promise<string | null> {
    if (!this.flags['keep-present']) return null;
    const packing = { isCompressed: true, key: null };
    const path = join(folder, backupName(packing, 'before-restore'));
    await this.progress('Backing up what is there', ({ update }) =>
      backupProject(project, path, { ...packing, onProgress: update }),
    );
    await warnOfGit(project.root, path, this.messages.warn);
    return path;
  }

  async #replaceDatabase(
    project: Project,
    { restore }: CopiedDatabase,
    folder: string,
  ): Promise<string | null> {
    await this.confirm('Replace the whole database?');
    const kept = await this.#keepPresent(project, folder);
    const files = await this.progress('Restoring', restore);
    this.info(`Put ${files} files back. Migrations that are newer than the backup: cms migrate status`);
    return kept;
  }

  async #importAnew(project: Project, source: ContentSource, folder: string): Promise<string | null> {
    return importContent(project, this.#request(source), async ({ plan, run }) => {
      this.info(printImport(plan, this.styleOn(this.terminal.stderr)));
      await this.confirmDataLoss(importLosses(plan));
      await this.confirm('Delete all content and put this in its place?');
      // What an interrupted restore has left is not worth keeping.
      const kept = plan.resumes ? null : await this.#keepPresent(project, folder);
      await this.progress('Restoring', (progress) => runPlanned(run, progress));
      return kept;
    });
  }
}
