import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import {
  DEFAULT_BACKUP_FOLDER,
  backupName,
  backupProject,
  planBackup,
  rotateBackups,
  warnOfGit,
} from '../project/archives/backups.js';
import { openProject } from '../project/open/open-project.js';
import { dryRunFlag } from '../cli/flags.js';
import { BaseCommand } from '../cli/base-command.js';
import { readNewKey } from '../cli/import/open-import-source.js';
import type { Outcome } from '../cli/outcome.js';
import { writeUntilStopped } from '../cli/terminal/signals.js';
import { secretFlags } from '../cli/prompts/secret.js';

export default class Backup extends BaseCommand<typeof Backup> {
  static override summary = 'Back up the database and the uploaded files.';
  static override description =
    'Writes one archive while servers run, and verifies it before it moves it into place. A SQLite ' +
    'backup holds a copy of the whole database, a PostgreSQL backup its content. Both contain API ' +
    'tokens and uploaded files. Protect backups: they expose all data of the project.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --to backups --keep 7 --json',
    '<%= config.bin %> <%= command.id %> --keep 7 --dry-run',
  ];
  static override args = {
    file: Args.string({ description: 'File to write. [default: backup_<time>.tar.gz in --to]' }),
  };
  static override flags = {
    to: Flags.string({
      description: 'Folder to write to.',
      default: DEFAULT_BACKUP_FOLDER,
      helpValue: '<folder>',
    }),
    keep: Flags.integer({
      description: 'Number of backups to keep; older ones in the folder are deleted afterwards.',
      min: 1,
      helpValue: '<number>',
    }),
    compress: Flags.boolean({ allowNo: true, default: true, description: 'Compress the archive.' }),
    ...secretFlags('key', 'Encrypt the archive with this key.'),
    ...dryRunFlag,
  };
  static override completion = { file: 'path', to: 'path' } as const;

  async run(): Promise<Outcome> {
    const { args, flags, terminal, prompter } = this;
    const project = await openProject(this.projectRoot);
    const packing = {
      isCompressed: flags.compress,
      key: await readNewKey({ terminal, prompter, flags }),
    };
    const folder = resolve(terminal.cwd, flags.to);
    const path =
      args.file === undefined ? resolve(folder, backupName(packing)) : resolve(terminal.cwd, args.file);
    if (flags['dry-run']) {
      const deleted = await planBackup(project, path, flags.keep);
      const text = [`Would write ${path}`, ...deleted.map((old) => `Would delete ${old}`)].join('\n');
      return { json: { path, deleted, dryRun: true }, text };
    }
    await this.progress('Backing up', ({ update }) =>
      writeUntilStopped('The backup', (signal) =>
        backupProject(project, path, { ...packing, signal, onProgress: update }),
      ),
    );
    await warnOfGit(project.root, path, this.messages.warn);
    const deleted = flags.keep === undefined ? [] : await rotateBackups(dirname(path), flags.keep);
    for (const old of deleted) this.info(`Deleted ${old}`);
    return { json: { path, bytes: (await stat(path)).size, deleted }, text: path };
  }
}
