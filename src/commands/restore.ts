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
  static override summary = 'Replace the database with a backup.';
  static override description =
    'Reads archives written by cms backup and cms export. Asks for confirmation before it replaces ' +
    'data. Backs up the present state next to the file first. Replaces a SQLite database completely ' +
    'or not at all, even while servers run. Imports other backups into an emptied database; run an ' +
    'interrupted restore again to continue it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> backup.tar.gz --dry-run',
    '<%= config.bin %> <%= command.id %> backup.tar.gz --yes',
  ];
  static override args = { file: Args.string({ required: true, description: 'Backup to restore.' }) };
  static override flags = {
    ...secretFlags('key', 'Key of an encrypted backup.'),
    'keep-present': Flags.boolean({
      allowNo: true,
      default: true,
      description: 'Back up the present state first, next to the file.',
    }),
    force: Flags.boolean({ description: 'Restore even while servers use the database.' }),
    ...acceptDataLossFlag,
    ...dryRunFlag,
  };
  static override completion = { file: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags, terminal, prompter } = this;
    const project = await openProject(this.projectRoot, { command: this.command });
    const path = resolve(terminal.cwd, args.file);
    const backup = await openBackup(project, path, () => readArchiveKey({ terminal, prompter, flags }));
    try {
      const servers = await countServers(project);
      if (!flags['dry-run'] && servers !== null && servers > 0 && !flags.force)
        throw createError('transfer/servers-running', { count: servers });
      this.info(`${await describeTarget(project)}\nBackup of ${backup.createdAt}`);
      if (flags['dry-run']) return await this.#describe(project, backup, path);
      const kept = await this.#restore(project, backup, dirname(path));
      return {
        json: { restored: path, kept },
        text: kept === null ? '' : `Backup of the previous state: ${kept}`,
      };
    } finally {
      await backup.close();
    }
  }

  async #describe(project: Project, { held, createdAt }: OpenBackup, path: string): Promise<Outcome> {
    const json = { path, createdAt, dryRun: true };
    if ('restore' in held)
      return {
        json,
        text: 'Would replace the whole database, and restore files that are missing or differ.',
      };
    return importContent(project, this.#request(held), ({ plan }) =>
      Promise.resolve({
        json: { ...json, ...plan },
        text: `${printImport(plan, this.style)}\n\nWould delete all content and import this instead.`,
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
    await this.progress('Backing up the present state', ({ update }) =>
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
    this.info(`Restored ${files} files. Check for migrations newer than the backup with: cms migrate status`);
    return kept;
  }

  async #importAnew(project: Project, source: ContentSource, folder: string): Promise<string | null> {
    return importContent(project, this.#request(source), async ({ plan, run }) => {
      this.info(printImport(plan, this.styleOn(this.terminal.stderr)));
      await this.confirmDataLoss(importLosses(plan));
      await this.confirm('Delete all content and import this instead?');
      // The remains of an interrupted restore need no backup.
      const kept = plan.resumes ? null : await this.#keepPresent(project, folder);
      await this.progress('Restoring', (progress) => runPlanned(run, progress));
      return kept;
    });
  }
}
